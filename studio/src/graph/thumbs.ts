// Small pictures of layers. They wait until the main picture is whole, come a few at a time, and are kept.

import type { About, Good } from "../protocol";
import { aborted, samples } from "../server";
import type { Source } from "../map/field";
import { scaleOf, extent, shade } from "../map/shade";
import { thePainter } from "../map/shared";
import { sourceFor } from "../map/source";
import { firstStyle } from "../state/style";
import { THUMB } from "./model";

const SIZE = THUMB;
const AT_ONCE = 2;
const MOST = 400;

interface Job { source: Source; window: { x: bigint; y: bigint; level: number }; show: (image: ImageData) => void; flight: AbortController }

const done = new Map<string, ImageData>();
const jobs: Job[] = [];
let running = 0;
let waiting = false;

/** The middle of the baked world; of stages as many samples as cost little. */
function windowOf(good: Good, staged: boolean): Job["window"] {
  const { tile, tiles } = good.recipe.bake;
  const world = Math.min(tiles[0], tiles[1]) * tile;
  const level = Math.max(0, Math.min(staged ? 1 : 6, Math.floor(Math.log2(world / SIZE))));
  const middle = (n: number) => (BigInt(Math.round((n * tile) / 2)) >> BigInt(level)) - BigInt(SIZE / 2);
  return { x: middle(tiles[0]), y: middle(tiles[1]), level };
}

/** Shows the picture of a layer as soon as there is one; gives a way to cancel. */
export function thumb(about: About, good: Good, layer: string, show: (image: ImageData) => void): () => void {
  const source = sourceFor(about, good, layer, null);
  if (!source) return () => {};
  const window = windowOf(good, !source.noise);
  const key = `${source.key}/${window.level}/${window.x}/${window.y}`;
  const known = done.get(key);
  if (known) {
    show(known);
    return () => {};
  }
  const job: Job = { source: { ...source, key }, window, show, flight: new AbortController() };
  jobs.push(job);
  void pump();
  return () => {
    const at = jobs.indexOf(job);
    if (at >= 0) jobs.splice(at, 1);
    job.flight.abort();
  };
}

async function pump(): Promise<void> {
  if (waiting || running >= AT_ONCE) return;
  waiting = true;
  // The main picture goes first.
  await new Promise((resolve) => setTimeout(resolve, 60));
  for (let n = 0; n < 100 && thePainter()?.settled === false && !thePainter()?.error; n++) await new Promise((r) => setTimeout(r, 40));
  waiting = false;
  while (running < AT_ONCE) {
    const job = jobs.shift();
    if (!job) return;
    running++;
    void make(job).finally(() => {
      running--;
      void pump();
    });
  }
}

async function make({ source, window, show, flight }: Job): Promise<void> {
  try {
    const { level, x, y } = window;
    const got = await samples({
      id: source.id, layer: source.layer, x: x - 1n, y: y - 1n, width: SIZE + 2, height: SIZE + 2, z: source.z,
      spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
    }, flight.signal, true);
    const step = source.spacing * 2 ** level;
    const seen = extent(got, step);
    const image = shade(got, step, { ...firstStyle, ramp: "greys" }, seen ? scaleOf(seen) : { lo: 0, hi: 1, lift: 1, interval: 1 });
    done.set(source.key, image);
    if (done.size > MOST) done.delete(done.keys().next().value!);
    show(image);
  } catch (error) {
    // A layer that cannot be computed has no picture; the main picture says why when it is looked at.
    if (!aborted(error)) console.debug("no small picture of", source.layer, error);
  }
}
