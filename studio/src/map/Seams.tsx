// Verification of the tile borders: the same region at once and as four tiles, compared bit by bit.

import { useEffect, useState, type JSX } from "react";
import { aborted, faultOf, seams } from "../server";
import type { Painter } from "./painter";
import { whenRested } from "./rested";

export function Seams({ painter }: { painter: Painter }): JSX.Element {
  const [said, setSaid] = useState("comparing…");
  useEffect(() => whenRested(() => painter, 400, (window, signal) => {
    seams(window, signal).then(
      ({ samples, different }) => setSaid(`${different.toLocaleString("en")} of ${samples.toLocaleString("en")} samples differ`),
      (error: unknown) => {
        if (!aborted(error)) setSaid(faultOf(error).message);
      },
    );
  }), [painter]);
  return <p className="seams" role="status" title="The middle of the picture, computed as one tile and as four">{said}</p>;
}
