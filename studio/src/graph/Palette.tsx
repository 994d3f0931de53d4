// The list of all kinds, searched by name, by names in other libraries and by what they are for.

import { useEffect, useMemo, useRef, useState, type JSX, type KeyboardEvent } from "react";
import type { Kind, Table } from "../protocol";
import { kindOf, rowOf } from "../state/recipe";
import { update, useStore, type Dialog } from "../state/store";
import { offered } from "./model";
import { suits } from "./tables";

interface Props { dialog: Extract<Dialog, { kind: "palette" }>; choose: (table: Table, kind: Kind) => void }

export function Palette({ dialog, choose }: Props): JSX.Element {
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const [search, setSearch] = useState("");
  const [at, setAt] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const before = useRef(document.activeElement);
  const source = dialog.from && good?.layers.find((l) => l.layer === dialog.from!.layer);

  const found = useMemo(() => {
    if (!about) return [];
    const words = search.toLowerCase().split(/\s+/).filter(Boolean);
    const read = dialog.into && rowOf(good?.recipe, dialog.into);
    const reader = dialog.into && read ? kindOf(about, dialog.into, read) : undefined;
    return offered(about)
      // At the end of a wire only what can be wired.
      .filter(({ table, kind }) => {
        if (table === "stage" && reader && !reader.reads_stages) return false;
        if (dialog.into && good && !suits(about, good, kind, dialog.into)) return false;
        if (!source) return true;
        if (!source.noise && !kind.reads_stages) return false;
        return kind.params.some((p) => p.type === "input");
      })
      .map((entry) => ({ ...entry, rank: rank(entry.kind, words) }))
      .filter(({ rank: r }) => r < 9)
      .sort((a, b) => a.rank - b.rank);
  }, [about, search, dialog, source]);

  const close = () => {
    update({ dialog: null });
    (before.current as HTMLElement | null)?.focus?.();
  };
  const pick = (entry: { table: Table; kind: Kind } | undefined) => {
    if (!entry) return;
    // The new card takes the focus: given back to the card before, it would select that one again.
    update({ dialog: null });
    choose(entry.table, entry.kind);
  };
  const onKey = (event: KeyboardEvent) => {
    event.stopPropagation();
    const by = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (by !== 0) setAt((n) => Math.max(0, Math.min(found.length - 1, n + by)));
    else if (event.key === "Enter") pick(found[at]);
    else if (event.key === "Escape") close();
    else if (event.key === "Tab") event.preventDefault();
    else return;
    event.preventDefault();
  };
  useEffect(() => {
    list.current?.children[at]?.scrollIntoView({ block: "nearest" });
  }, [at, found]);

  return (
    <div className="veil clear" onPointerDown={(event) => event.target === event.currentTarget && close()}>
      <div className="palette" role="dialog" aria-modal="true" aria-label="Add a node or a stage" onKeyDown={onKey} onDoubleClick={(e) => e.stopPropagation()}>
        <input
          autoFocus role="combobox" aria-expanded="true" aria-controls="kinds" aria-activedescendant={`kind-${at}`} aria-label="Search kinds"
          placeholder={source ? `What reads ${source.layer}?` : "Add a node or a stage"} value={search}
          onChange={(event) => {
            setSearch(event.target.value);
            setAt(0);
          }}
        />
        <ul id="kinds" role="listbox" ref={list} aria-label="Kinds">
          {found.map((entry, i) => (
            <li
              key={`${entry.table}.${entry.kind.kind}`} id={`kind-${i}`} role="option" aria-selected={i === at} className={entry.table}
              onPointerMove={() => setAt(i)} onClick={() => pick(entry)}
            >
              <i aria-hidden="true" /><strong>{entry.kind.kind}</strong><small>{entry.table}</small>
              <p>{plain(entry.kind.doc)}</p>
            </li>
          ))}
          {found.length === 0 && <li className="none">No matches.</li>}
        </ul>
      </div>
    </div>
  );
}

/** Rank of a match: 0 equal to the name, 1 a prefix, 2 part of it or a name in other libraries, 3 part of such a name, 4 part of the
    documentation, 9 no match. */
function rank(kind: Kind, words: string[]): number {
  const elsewhere = kind.synonyms.map((name) => name.replaceAll("_", " "));
  const of = (word: string): number =>
    kind.kind === word ? 0
    : kind.kind.startsWith(word) ? 1
    : kind.kind.includes(word) || elsewhere.includes(word) ? 2
    : elsewhere.some((name) => name.includes(word)) ? 3
    : kind.doc.toLowerCase().includes(word) ? 4 : 9;
  // A name in other libraries may have several words.
  return elsewhere.includes(words.join(" ")) ? 2 : Math.max(0, ...words.map(of));
}

/** The first sentence, without the marks of the documentation. */
function plain(doc: string): string {
  const first = doc.trim().split(/\n\s*\n/)[0]!.replaceAll("`", "").replace(/\s+/g, " ");
  return /^.*?\.(?= [A-Z]|$)/.exec(first)?.[0] ?? first;
}
