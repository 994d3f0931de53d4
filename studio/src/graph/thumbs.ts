// Small pictures of layers. They wait until the main picture is whole, come a few requests at a time, and are kept.

import type { About, Good } from "../protocol";
import { aborted, layers, type Samples } from "../server";
import type { Source } from "../map/field";
import { scaleOf, extent, shade } from "../map/shade";
import { thePainter } from "../map/shared";
import { sourceFor } from "../map/source";
import { firstStyle } from "../state/style";
import { THUMB } from "./model";

const SIZE = THUMB;
const AT_ONCE = 2;
const MOST = 400;
/** Nodes share little, so a few of them come together: their pictures appear one after the other. Stages share nearly everything. */
const NODES = 4;
const STAGES = 64;

interface Place { x: bigint; y: bigint; level: number }
/** `alone`: a request with others was refused, perhaps because of one of them. */
interface Job { source: Source; window: Place; show: (image: ImageData) => void; alone: boolean; wanted: boolean }
interface Batch { jobs: Job[]; flight: AbortController }

const done = new Map<string, ImageData>();
const jobs: Job[] = [];
const batches = new Set<Batch>();
let waiting = false;

/** The middle of the baked world; of stages as many samples as cost little. */
function windowOf(good: Good, staged: boolean): Place {
  const { tile, tiles } = good.recipe.bake;
  const world = Math.min(tiles[0], tiles[1]) * tile;
  const level = Math.max(0, Math.min(staged ? 1 : 6, Math.floor(Math.log2(world / SIZE))));
  const middle = (n: number) => (BigInt(Math.round((n * tile) / 2)) >> BigInt(level)) - BigInt(SIZE / 2);
  return { x: middle(tiles[0]), y: middle(tiles[1]), level };
}

function jobOf(about: About, good: Good, layer: string): { source: Source; window: Place; key: string } | null {
  const source = sourceFor(about, good, layer, null);
  if (!source) return null;
  const window = windowOf(good, !source.noise);
  return { source, window, key: `${source.key}/${window.level}/${window.x}/${window.y}` };
}

/** The dependencies of a layer's picture as a key: pictures with the same key are identical. */
export function thumbKey(about: About, good: Good, layer: string): string | null {
  return jobOf(about, good, layer)?.key ?? null;
}

/** Shows the picture of a layer as soon as there is one; gives a way to cancel. */
export function thumb(about: About, good: Good, layer: string, show: (image: ImageData) => void): () => void {
  const found = jobOf(about, good, layer);
  if (!found) return () => {};
  const { source, window, key } = found;
  const known = done.get(key);
  if (known) {
    show(known);
    return () => {};
  }
  const job: Job = { source: { ...source, key }, window, show, alone: false, wanted: true };
  jobs.push(job);
  void pump();
  return () => {
    job.wanted = false;
    const at = jobs.indexOf(job);
    if (at >= 0) jobs.splice(at, 1);
    // A request goes on as long as one of its pictures is wanted.
    for (const batch of batches) if (batch.jobs.includes(job) && !batch.jobs.some((j) => j.wanted)) batch.flight.abort();
  };
}

/** The first job, and all that one request can bring with it: the same recipe and window, and what is computed together. */
function nextBatch(): Job[] {
  const first = jobs[0];
  if (!first) return [];
  const { source: a, window: w } = first;
  const fits = ({ source: b, window: v, alone }: Job) =>
    !alone && b.id === a.id && b.noise === a.noise && b.z === a.z && v.level === w.level && v.x === w.x && v.y === w.y;
  const batch = first.alone ? [first] : jobs.filter(fits).slice(0, a.noise ? NODES : STAGES);
  for (const job of batch) jobs.splice(jobs.indexOf(job), 1);
  return batch;
}

async function pump(): Promise<void> {
  if (waiting || batches.size >= AT_ONCE) return;
  waiting = true;
  // The main picture goes first.
  await new Promise((resolve) => setTimeout(resolve, 60));
  for (let n = 0; n < 100 && thePainter()?.settled === false && !thePainter()?.error; n++) await new Promise((r) => setTimeout(r, 40));
  waiting = false;
  while (batches.size < AT_ONCE) {
    const batch: Batch = { jobs: nextBatch(), flight: new AbortController() };
    if (batch.jobs.length === 0) return;
    batches.add(batch);
    void make(batch).finally(() => {
      batches.delete(batch);
      void pump();
    });
  }
}

async function make({ jobs: wanted, flight }: Batch): Promise<void> {
  const { source, window: { x, y, level } } = wanted[0]!;
  try {
    const names = [...new Set(wanted.map((job) => job.source.layer))];
    const got = await layers(names, {
      id: source.id, x: x - 1n, y: y - 1n, width: SIZE + 2, height: SIZE + 2, z: source.z,
      spacing: source.noise ? source.spacing * 2 ** level : source.spacing, level: source.noise ? 0 : level,
    }, flight.signal, true);
    for (const job of wanted) keep(job, got[names.indexOf(job.source.layer)]!);
  } catch (error) {
    if (aborted(error)) return;
    // A layer that cannot be computed has no small picture; the main picture shows the reason when it is selected.
    if (wanted.length > 1) jobs.push(...wanted.filter((job) => job.wanted).map((job) => ({ ...job, alone: true })));
    else console.debug("no small picture of", source.layer, error);
  }
}

function keep({ source, window, show, wanted }: Job, samples: Samples): void {
  const step = source.spacing * 2 ** window.level;
  const seen = extent(samples, step);
  const flat = source.mask || !seen;
  const image = shade(samples, step, { ...firstStyle, ramp: "greys", shaded: !source.mask }, flat ? { lo: 0, hi: 1, lift: 1, interval: 1 } : scaleOf(seen));
  done.set(source.key, image);
  if (done.size > MOST) done.delete(done.keys().next().value!);
  if (wanted) show(image);
}
