// Questions about the middle of the picture, asked when it rests.

import type { Window } from "../server";
import type { Painter } from "./painter";
import { onPicture } from "./shared";
import { atLevel } from "./view";

/** Samples along each edge of what is asked about. */
const EDGE = 256;

/** Asks about another middle or another layer as soon as the picture has rested, never twice about one; gives a way to stop. */
export function whenRested(
  painter: () => Painter | null | undefined, wait: number, ask: (window: Window, signal: AbortSignal) => void,
): () => void {
  let flight: AbortController | null = null;
  let timer: ReturnType<typeof setTimeout>;
  let last = "";
  const look = () => {
    const shown = painter();
    const field = shown?.shown;
    if (!shown || !field) return;
    const { source, level } = field;
    const [x, y] = [atLevel(shown.view.x, level).i - BigInt(EDGE / 2), atLevel(shown.view.y, level).i - BigInt(EDGE / 2)];
    const key = [source.key, level, x, y].join();
    if (key === last) return;
    last = key;
    flight?.abort();
    flight = new AbortController();
    ask({
      id: source.id, layer: source.layer, x, y, width: EDGE, height: EDGE, z: source.z,
      spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
    }, flight.signal);
  };
  const later = () => {
    clearTimeout(timer);
    timer = setTimeout(look, wait);
  };
  later();
  const stop = onPicture(later);
  return () => {
    stop();
    clearTimeout(timer);
    flight?.abort();
  };
}
