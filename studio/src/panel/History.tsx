// All revisions since the page was opened: go back to one, or hold one to compare with.

import type { JSX } from "react";
import { goToRevision } from "../state/actions";
import { update, useStore } from "../state/store";

export function History(): JSX.Element {
  const history = useStore((s) => s.history);
  const at = useStore((s) => s.at);
  const compare = useStore((s) => s.compare);
  return (
    <ol className="history" aria-label="Revisions, the latest first">
      {history.map((r, i) => ({ r, i })).reverse().map(({ r, i }) => (
        <li key={r.key} className={i === at ? "on" : i > at ? "undone" : ""}>
          <button type="button" className="row" aria-current={i === at} onClick={() => goToRevision(r.key)}>
            <span>{r.label}</span>
            <time>{new Date(r.time).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit", second: "2-digit" })}</time>
          </button>
          <button
            type="button" className={compare === r.key ? "tool on" : "tool"} aria-pressed={compare === r.key}
            aria-label={`Compare with revision ${i + 1}, ${r.label}`} title="Show this one left of the divider"
            onClick={() => update({ compare: compare === r.key ? null : r.key, relief: false })}
          >
            Compare
          </button>
        </li>
      ))}
    </ol>
  );
}
