// The proof beside the tile borders: the same region at once and as four tiles, compared bit by bit.

import { useEffect, useState, type JSX } from "react";
import { aborted, faultOf, seams } from "../server";
import type { Painter } from "./painter";
import { onPicture } from "./shared";
import { atLevel } from "./view";

export function Seams({ painter }: { painter: Painter }): JSX.Element {
  const [said, setSaid] = useState("comparing…");
  useEffect(() => {
    let flight: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout>;
    let last = "";
    const compare = () => {
      const field = painter.shown;
      if (!field) return;
      const { source, level } = field;
      const [x, y] = [atLevel(painter.view.x, level).i - 128n, atLevel(painter.view.y, level).i - 128n];
      const key = [source.key, level, x, y].join();
      if (key === last) return;
      last = key;
      flight?.abort();
      flight = new AbortController();
      seams({
        id: source.id, layer: source.layer, x, y, width: 256, height: 256, z: source.z,
        spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
      }, flight.signal).then(
        ({ samples, different }) => setSaid(`${different.toLocaleString("en")} of ${samples.toLocaleString("en")} samples differ`),
        (error: unknown) => {
          if (!aborted(error)) setSaid(faultOf(error).message);
        },
      );
    };
    const later = () => {
      clearTimeout(timer);
      timer = setTimeout(compare, 400);
    };
    later();
    const stop = onPicture(later);
    return () => {
      stop();
      clearTimeout(timer);
      flight?.abort();
    };
  }, [painter]);
  return <p className="seams" role="status" title="The middle of the picture, computed at once and as four tiles">{said}</p>;
}
