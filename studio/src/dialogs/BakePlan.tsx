// The plan of a bake, as the server computes it for the chosen options, or the reason why it refuses them.

import { useEffect, useState, type JSX } from "react";
import type { BakeWanted, Planned } from "../protocol";
import { aborted, faultOf, planBake } from "../server";
import { show } from "../panel/fields";

/** Rest of typing before the server is asked, in milliseconds. */
const REST = 150;

/** The plan for the text, or the reason why it cannot be planned. Both are empty until the first answer arrives. */
export function usePlan(text: string, wanted: BakeWanted): { plan: Planned | null; refusal: string | null } {
  const [found, setFound] = useState<{ plan: Planned | null; refusal: string | null }>({ plan: null, refusal: null });
  const key = JSON.stringify(wanted);
  useEffect(() => {
    const asked = new AbortController();
    const later = setTimeout(() => {
      planBake(text, JSON.parse(key) as BakeWanted, asked.signal).then(
        (plan) => setFound({ plan, refusal: null }),
        (error: unknown) => aborted(error) || setFound({ plan: null, refusal: faultOf(error).message }),
      );
    }, REST);
    return () => {
      clearTimeout(later);
      asked.abort();
    };
  }, [text, key]);
  return found;
}

function round(bound: number): string {
  return show(Number(bound.toPrecision(6)));
}

export function BakePlan({ plan, out }: { plan: Planned; out: string | null }): JSX.Element {
  const { tiles, edge, overlap, rows, files } = plan;
  const shared = overlap === 0 ? "" : `, overlapping the next tile by ${overlap}`;
  return (
    <div className="plan" aria-label="Files to be written">
      <p>
        {tiles === 1 ? "1 tile" : `${tiles.toLocaleString("en")} tiles`} of {edge}² samples{shared}{rows === "up" ? "; rows from the largest y down to the smallest" : ""}.
      </p>
      <ul>
        {files.map(({ layer, format, range }) => (
          <li key={layer}>
            <code>{layer}</code><span>{format}</span>
            <span className="dim">{range === null ? "" : range === "measured" ? "measured first" : `${round(range.lo)} to ${round(range.hi)}`}</span>
          </li>
        ))}
      </ul>
      {out && <p className="dim">Into a folder in <code>{out}</code>{plan.for ? <>, with <code>IMPORT.md</code>: instructions for {plan.for}</> : ""}.</p>}
    </div>
  );
}
