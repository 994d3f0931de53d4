// The line at the top: the file and what can be done with the whole recipe.

import type { JSX } from "react";
import { Icon, type IconName } from "./look/icons";
import { redo, undo } from "./state/actions";
import { remember, save } from "./state/document";
import { dirty, update, useStore } from "./state/store";

interface ActionProps { icon: IconName; label: string; title?: string; text?: boolean; disabled?: boolean; main?: boolean; act: () => void }

function Action({ icon, label, title, text, disabled, main, act }: ActionProps): JSX.Element {
  return (
    <button type="button" className={main ? "tool main" : "tool"} title={title ?? label} aria-label={label} disabled={disabled} onClick={act}>
      <Icon name={icon} />{text && <span className="text">{label}</span>}
    </button>
  );
}

export function Toolbar(): JSX.Element {
  const name = useStore((s) => s.file.name);
  const changed = useStore(dirty);
  const at = useStore((s) => s.at);
  const count = useStore((s) => s.history.length);
  const theme = useStore((s) => s.theme);
  const online = useStore((s) => s.online);
  const engine = useStore((s) => s.about?.engine);
  const named = useStore((s) => s.about?.file !== null);
  const bake = useStore((s) => s.bake);
  return (
    <header className="bar toolbar" role="toolbar" aria-label="Recipe">
      <svg className="mark" viewBox="0 0 20 16" width="20" height="16" aria-hidden="true">
        <path d="M0 15 6.500 4l3.500 6 2.500-4L20 15z" fill="var(--accent)" />
        <path d="M6.500 4 9 8.300 7.300 9.500 6.300 8 4.800 9.300 3.900 8.400z" fill="var(--ink)" />
      </svg>
      <h1 title={name ?? "no file"}>{name?.split("/").pop() ?? "untitled"}</h1>
      <span className={changed ? "savestate changed" : "savestate"} role="status">{!named ? "no file" : changed ? "unsaved" : "saved"}</span>
      <span className="sep" />
      <Action icon="undo" label="Undo" title="Undo (Ctrl Z)" disabled={at <= 0} act={undo} />
      <Action icon="redo" label="Redo" title="Redo (Ctrl Shift Z)" disabled={at >= count - 1} act={redo} />
      <span className="sep" />
      <Action icon="add" label="Add" title="Add a node or a stage (Space)" text act={() => update({ dialog: { kind: "palette", at: null, from: null, into: null }, left: "graph" })} />
      <Action icon="layout" label="Lay out" title="Lay the graph out (L)" act={() => window.dispatchEvent(new Event("orogen:tidy"))} />
      <Action icon="dice" label="Variations" title="Nine worlds with other seeds" act={() => update({ dialog: { kind: "variations", of: null } })} />
      <span className="gap" />
      {!online && <span className="offline" role="status">no connection</span>}
      {engine && <span className="engine" title={`${engine.adapter}${engine.why ? `: ${engine.why}` : ""}`}>{engine.backend}</span>}
      <Action icon="share" label="Share" title="A link that holds the recipe" act={() => update({ dialog: { kind: "share" } })} />
      <Action icon="export" label="Export" title="Shaders and code" text act={() => update({ dialog: { kind: "export" } })} />
      <Action icon="bake" label={bake && "done" in bake ? bake.total ? `Baking ${bake.done}/${bake.total}` : "Baking…" : "Bake"} title="Tiles on disk" text act={() => update({ dialog: { kind: "bake" } })} />
      <Action icon="save" label="Save" title="Save (Ctrl S)" text main disabled={!changed} act={() => void save()} />
      <span className="sep" />
      <Action icon={theme === "dark" ? "sun" : "moon"} label={theme === "dark" ? "Light theme" : "Dark theme"} act={() => setTheme(theme === "dark" ? "light" : "dark")} />
      <Action icon="help" label="Keys" title="Keys (?)" act={() => update({ dialog: { kind: "help" } })} />
    </header>
  );
}

/** `chosen` by hand: then it is kept. */
export function setTheme(theme: "dark" | "light", chosen = true): void {
  document.documentElement.dataset.theme = theme;
  update({ theme });
  if (chosen) remember("orogen-theme", theme);
}
