// One layer of one recipe in the picture: its pieces, what is asked of the server, how it is painted.

import { aborted, faultOf, Refused, samples, type Samples } from "../server";
import { extent, shade, type Extent } from "./shade";
import { resolved, type Scale, type Style } from "../state/style";
import { atLevel, levelFor, offset, TILE, type View } from "./view";

export interface Source {
  /** Identity of the samples: two sources with the same key have the same samples. */
  key: string;
  id: string;
  layer: string;
  name: string;
  noise: boolean;
  spacing: number;
  z: number;
  proven: [number, number] | null;
  channels: number;
  mask: boolean;
  /** Evaluations a sample; of stages with their halo. */
  cost: number;
}

export interface Frame { view: View; width: number; height: number; ratio: number }

interface Piece {
  level: number;
  x: bigint;
  y: bigint;
  samples: Samples;
  image: HTMLCanvasElement | null;
  look: string;
  used: number;
}

interface Wanted { key: string; level: number; x: bigint; y: bigint; width: number; height: number; away: number }

/** Few at once: browsers open six connections, and edits must not wait behind tiles. */
const AT_ONCE = 3;
const MOST_PIECES = 160;
/** Stages that cost more than this a sample have wide halos: one large piece is cheaper than many tiles. */
const HEAVY = 300;
/** Large pieces begin at multiples of this many samples, so that small moves need no other. */
const SNAP = 128n;

export class Field {
  private pieces = new Map<string, Piece>();
  private flying = new Map<string, AbortController>();
  private wanted: Wanted[] = [];
  /** Pieces that the server refused. */
  private refused = new Set<string>();
  private clock = 0;
  private closed = false;
  /** Whether the picture of this field covers the frame it was last asked for, however coarsely. */
  covers = false;
  /** Whether nothing is missing. */
  whole = false;
  level = 0;
  /** Pieces of the frame that are there, and all. */
  progress: [number, number] = [0, 0];
  failed: string | null = null;
  private sheets: boolean;

  constructor(public source: Source, private readonly changed: (first: boolean) => void) {
    this.sheets = !source.noise && source.cost > HEAVY;
  }

  close(): void {
    this.closed = true;
    for (const flight of this.flying.values()) flight.abort();
    this.flying.clear();
    this.wanted = [];
  }

  open(): void {
    this.closed = false;
  }

  /** The same samples, of a recipe with another name; what was refused may be asked for again. */
  renew(source: Source): void {
    this.refused.clear();
    this.source = source;
    this.failed = null;
  }

  private levels(): [number, number] {
    const { noise, spacing } = this.source;
    const most = Math.floor(Math.log2(1e9 / spacing));
    return noise ? [Math.ceil(Math.log2(1e-9 / spacing)), most] : [0, Math.min(most, 12)];
  }

  /** Asks for what this frame needs. */
  look(frame: Frame): void {
    this.plan(frame);
    this.pump();
  }

  /** The pieces that this frame needs: first one coarse piece of everything, then tiles from the middle outwards. */
  plan(frame: Frame): void {
    const [least, most] = this.levels();
    const { view, width, height, ratio } = frame;
    const level = levelFor(view.scale, ratio, least, most);
    this.level = level;
    const tiles = this.sheets ? this.sheet(frame, level) : this.tiles(frame, level);
    const missing = tiles.filter((tile) => !this.pieces.has(tile.key));
    this.whole = missing.length === 0;
    this.progress = [tiles.length - missing.length, tiles.length];
    // Stages at a coarser level are another picture than their tiles: one level is enough, unless they are slow.
    const coarse = Math.min(most, level + (this.source.noise || this.sheets ? 2 : 1));
    this.wanted = missing;
    if (missing.length > (this.sheets ? 0 : Math.max(1, tiles.length / 2)) && !this.covered(frame)) {
      const step = 2 ** coarse;
      const [w, h] = [Math.ceil((width * view.scale) / step) + 2, Math.ceil((height * view.scale) / step) + 2];
      const x = atLevel(view.x, coarse).i - BigInt(Math.ceil(w / 2));
      const y = atLevel(view.y, coarse).i - BigInt(Math.ceil(h / 2));
      const key = `patch/${coarse}/${x}/${y}/${w}/${h}`;
      if (!this.pieces.has(key)) this.wanted = [{ key, level: coarse, x, y, width: w + 1, height: h + 1, away: -1 }, ...missing];
    }
    const keep = new Set(this.wanted.map((w) => w.key));
    for (const [key, flight] of this.flying) {
      if (!keep.has(key)) {
        flight.abort();
        this.flying.delete(key);
      }
    }
    this.covers = this.whole || this.covered(frame);
  }

  /** One piece that covers the whole frame with a margin; null if an existing piece covers it. */
  private sheet(frame: Frame, level: number): Wanted[] {
    if (this.covered(frame, level, level)) return [];
    const step = 2 ** level;
    const span = (c: View["x"], pixels: number): [bigint, number] => {
      const half = BigInt(Math.ceil((pixels * frame.view.scale) / step / 2) + 8);
      const { i } = atLevel(c, level);
      const first = floorDiv(i - half, SNAP) * SNAP;
      return [first, Number(floorDiv(i + half + SNAP, SNAP) * SNAP - first)];
    };
    const [x, width] = span(frame.view.x, frame.width);
    const [y, height] = span(frame.view.y, frame.height);
    return [{ key: `sheet/${level}/${x}/${y}/${width}/${height}`, level, x, y, width, height, away: 0 }];
  }

  private tiles(frame: Frame, level: number): Wanted[] {
    const { view, width, height } = frame;
    const step = 2 ** level;
    const [cx, cy] = [atLevel(view.x, level), atLevel(view.y, level)];
    const reach = [(width / 2) * (view.scale / step) + 1, (height / 2) * (view.scale / step) + 1] as const;
    const size = BigInt(TILE);
    const first = (c: { i: bigint; f: number }, r: number) => floorDiv(c.i - BigInt(Math.ceil(r - c.f)), size);
    const last = (c: { i: bigint; f: number }, r: number) => floorDiv(c.i + BigInt(Math.ceil(r + c.f)), size);
    const list: Wanted[] = [];
    for (let ty = first(cy, reach[1]); ty <= last(cy, reach[1]); ty++) {
      for (let tx = first(cx, reach[0]); tx <= last(cx, reach[0]); tx++) {
        const [x, y] = [tx * size, ty * size];
        // A frame's edge is often a tile's edge: none is asked for of which not a pixel is seen.
        if (boxIn(frame, level, x, y, TILE, TILE) === null) continue;
        const away = Math.hypot(Number(x - cx.i) + TILE / 2, Number(y - cy.i) + TILE / 2);
        list.push({ key: `${level}/${tx}/${ty}`, level, x, y, width: TILE, height: TILE, away });
      }
    }
    return list.sort((a, b) => a.away - b.away);
  }

  /** Whether one piece lies under the whole frame and is not far too coarse. */
  private covered({ view, width, height }: Frame, finest = this.level - 1, coarsest = this.level + 3): boolean {
    for (const piece of this.pieces.values()) {
      if (piece.level > coarsest || piece.level < finest) continue;
      const left = offset(view.x, piece.x, piece.level, view.scale);
      const top = offset(view.y, piece.y, piece.level, view.scale);
      const size = 2 ** piece.level / view.scale;
      if (left > -width / 2 || top > -height / 2) continue;
      if (left + (piece.samples.width - 2) * size >= width / 2 && top + (piece.samples.height - 2) * size >= height / 2) return true;
    }
    return false;
  }

  private pump(): void {
    while (!this.closed && this.flying.size < AT_ONCE) {
      const next = this.wanted.find((w) => !this.flying.has(w.key) && !this.pieces.has(w.key) && !this.refused.has(w.key));
      if (!next) return;
      // Tiles wait for the coarse piece: the first picture comes as fast as it can.
      if (next.away >= 0 && [...this.flying.keys()].some((key) => key.startsWith("patch/"))) return;
      void this.fetch(next);
    }
  }

  private async fetch(w: Wanted): Promise<void> {
    const flight = new AbortController();
    this.flying.set(w.key, flight);
    const { source } = this;
    const noise = source.noise;
    try {
      const got = await samples({
        id: source.id, layer: source.layer, x: w.x - 1n, y: w.y - 1n, width: w.width + 2, height: w.height + 2,
        spacing: noise ? source.spacing * 2 ** w.level : source.spacing, level: noise ? 0 : w.level, z: source.z,
      }, flight.signal);
      if (flight.signal.aborted) return;
      const first = this.pieces.size === 0;
      this.pieces.set(w.key, { level: w.level, x: w.x, y: w.y, samples: got, image: null, look: "", used: ++this.clock });
      this.failed = null;
      this.trim();
      this.flying.delete(w.key);
      if (!this.closed) this.changed(first);
    } catch (error) {
      if (aborted(error)) return;
      this.flying.delete(w.key);
      // Too large at once: then tile by tile.
      if (this.sheets && w.away >= 0 && error instanceof Refused && error.status === 413) this.sheets = false;
      else this.failed = faultOf(error).message;
      // The server refuses a request of this kind each time: this piece is not requested again.
      if (error instanceof Refused && error.status >= 400 && error.status < 500 && error.status !== 408) this.refused.add(w.key);
      // A refusal applies to the rest of this frame, which is not requested.
      this.wanted = [];
      if (!this.closed) this.changed(false);
    }
    this.pump();
  }

  private trim(): void {
    if (this.pieces.size <= MOST_PIECES) return;
    const oldest = [...this.pieces.entries()].sort((a, b) => a[1].used - b[1].used);
    for (const [key] of oldest.slice(0, this.pieces.size - MOST_PIECES)) this.pieces.delete(key);
  }

  private stepOf(level: number): number {
    return this.source.spacing * 2 ** level;
  }

  /** Paints the available pieces, coarse first, and returns whether some could not be shaded in the given time. */
  paint(context: CanvasRenderingContext2D, frame: Frame, style: Style, scale: Scale, until: number): boolean {
    style = resolved(style, this.source.mask);
    const look = lookOf(style, scale, this.source.channels);
    const order = (p: Piece) => (p.level === this.level ? -1e6 : p.level < this.level ? -1e5 - p.level : p.level);
    const list = [...this.pieces.values()].sort((a, b) => order(b) - order(a));
    let late = false;
    const seen: { piece: Piece; box: Box }[] = [];
    for (const piece of list) {
      if (piece.level < this.level - 3 || piece.level > this.level + 8) continue;
      const { level, x, y, samples: { width, height } } = piece;
      const box = boxIn(frame, level, x, y, width - 2, height - 2);
      if (box) seen.push({ piece, box });
    }
    // Once every tile is there, what lies under them need not be shaded nor drawn.
    const drawn = this.whole ? seen.filter(({ piece }) => piece.level === this.level) : seen;
    for (const { piece, box } of drawn) {
      piece.used = ++this.clock;
      if (piece.look !== look) {
        if (performance.now() < until || piece.image === null) this.render(piece, style, scale, look);
        else late = true;
      }
      if (!piece.image) continue;
      context.imageSmoothingEnabled = piece.level > this.level || box[2] < piece.samples.width - 2;
      context.drawImage(piece.image, ...box);
    }
    return late;
  }

  private render(piece: Piece, style: Style, scale: Scale, look: string): void {
    const image = shade(piece.samples, this.stepOf(piece.level), style, scale);
    piece.image ??= document.createElement("canvas");
    piece.image.width = image.width;
    piece.image.height = image.height;
    piece.image.getContext("2d")!.putImageData(image, 0, 0);
    piece.look = look;
  }

  /** The extent of what is seen, from tiles where they are there, else from the coarse piece. */
  extent(frame: Frame): Extent | null {
    const found: { e: Extent; level: number }[] = [];
    for (const piece of this.pieces.values()) {
      if (piece.level < this.level) continue;
      const size = 2 ** piece.level / frame.view.scale;
      const left = offset(frame.view.x, piece.x, piece.level, frame.view.scale);
      const top = offset(frame.view.y, piece.y, piece.level, frame.view.scale);
      if (left > frame.width / 2 || top > frame.height / 2) continue;
      if (left + piece.samples.width * size < -frame.width / 2 || top + piece.samples.height * size < -frame.height / 2) continue;
      const e = extent(piece.samples, this.stepOf(piece.level));
      if (e) found.push({ e, level: piece.level });
    }
    if (found.length === 0) return null;
    const finest = Math.min(...found.map((f) => f.level));
    const of = found.filter((f) => f.level === finest).map((f) => f.e);
    return {
      lo: Math.min(...of.map((e) => e.lo)),
      hi: Math.max(...of.map((e) => e.hi)),
      slope: of.reduce((sum, e) => sum + e.slope, 0) / of.length,
    };
  }

  /** The finest sample under a place of the frame, and the slope there. */
  at(frame: Frame, px: number, py: number): { values: number[]; slope: number | null } | null {
    let best: { piece: Piece; i: number; j: number } | null = null;
    for (const piece of this.pieces.values()) {
      if (best && best.piece.level <= piece.level) continue;
      const size = 2 ** piece.level / frame.view.scale;
      const i = Math.round((px - frame.width / 2 - offset(frame.view.x, piece.x, piece.level, frame.view.scale)) / size);
      const j = Math.round((py - frame.height / 2 - offset(frame.view.y, piece.y, piece.level, frame.view.scale)) / size);
      if (i >= 0 && j >= 0 && i < piece.samples.width - 2 && j < piece.samples.height - 2) best = { piece, i: i + 1, j: j + 1 };
    }
    if (!best) return null;
    const { width, channels, values: v } = best.piece.samples;
    const k = best.j * width + best.i;
    const values = [...v.subarray(k * channels, (k + 1) * channels)];
    if (channels !== 1) return { values, slope: null };
    const step = 2 * this.stepOf(best.piece.level);
    return { values, slope: Math.hypot(v[k + 1]! - v[k - 1]!, v[k + width]! - v[k - width]!) / step };
  }

  get pieceCount(): number {
    return this.pieces.size;
  }

  get busy(): boolean {
    return this.flying.size > 0;
  }
}

/** Left, top, width, height in the canvas's own pixels. */
type Box = [number, number, number, number];

/** Position of samples on the canvas; null if none is visible. */
function boxIn({ view, width, height, ratio }: Frame, level: number, x: bigint, y: bigint, columns: number, rows: number): Box | null {
  const size = 2 ** level / view.scale;
  const edge = (centre: View["x"], from: bigint, half: number) => Math.round((offset(centre, from, level, view.scale) - size / 2 + half) * ratio);
  const [x0, y0] = [edge(view.x, x, width / 2), edge(view.y, y, height / 2)];
  const [x1, y1] = [edge(view.x, x + BigInt(columns), width / 2), edge(view.y, y + BigInt(rows), height / 2)];
  return x1 <= 0 || y1 <= 0 || x0 >= width * ratio || y0 >= height * ratio ? null : [x0, y0, x1 - x0, y1 - y0];
}

function floorDiv(a: bigint, b: bigint): bigint {
  const q = a / b;
  return a % b < 0n ? q - 1n : q;
}

/** Identity of a piece's colours: if it changes, the piece is shaded again. */
function lookOf(style: Style, scale: Scale, channels: number): string {
  if (channels !== 1) return "as it is";
  const { shaded, ramp, lift, clipped, steep, contours } = style;
  return [shaded, ramp, lift, clipped, steep, contours, scale.lo, scale.hi, scale.lift, contours === null ? 0 : scale.interval].join();
}
