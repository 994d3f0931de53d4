// Verification of the tile borders: the same region at once and as four tiles, compared bit by bit; and of the rules of drainage.

import { useEffect, useState, type JSX } from "react";
import { aborted, faultOf, seams, type DrainageCheck } from "../server";
import type { Painter } from "./painter";
import { whenRested } from "./rested";
import { sentence } from "./rules";

export function Seams({ painter, rules }: { painter: Painter; rules: DrainageCheck[] | string }): JSX.Element {
  const [said, setSaid] = useState("comparing…");
  useEffect(() => whenRested(() => painter, 400, (window, signal) => {
    seams(window, signal).then(
      ({ samples, different }) => setSaid(`${different.toLocaleString("en")} of ${samples.toLocaleString("en")} samples differ`),
      (error: unknown) => {
        if (!aborted(error)) setSaid(faultOf(error).message);
      },
    );
  }), [painter]);
  return (
    <div className="seams" role="status">
      <p title="The middle of the picture, computed as one tile and as four">{said}</p>
      {typeof rules === "string"
        ? <p>{rules}</p>
        : rules.map((rule) => <p key={rule.stage} className={rule.broken === null ? "" : "broken"} title="The rules of drainage over the whole world">{sentence(rule)}</p>)}
    </div>
  );
}
