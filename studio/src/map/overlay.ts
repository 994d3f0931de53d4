// Lines and marks over the picture: tile borders, water, places, the scale.

import type { Frame } from "./field";
import { colourOf } from "./kinds";
import type { Rivers } from "../server";
import type { Place } from "./picking";
import { approximate, type Coordinate } from "./view";

export interface Marks {
  tile: number | null;
  spacing: number;
  places: [number, number][];
  /** Places of several kinds: the index of the kind, x and y. */
  kinds: [number, number, number][];
  /** Rivers and lakes of a world whose longer side has so many samples. */
  rivers: { found: Rivers; longer: number } | null;
  /** Width and height of the world, in samples, of a layer that exists inside it only. */
  world: [number, number] | null;
  dark: boolean;
  /** Samples at which water breaks a rule. */
  broken: [number, number][];
  /** The place that the selected node or stage is around. */
  place: Place | null;
}

export function drawMarks(canvas: HTMLCanvasElement, frame: Frame, marks: Marks): void {
  const [w, h] = [Math.round(frame.width * frame.ratio), Math.round(frame.height * frame.ratio)];
  if (canvas.width !== w || canvas.height !== h) [canvas.width, canvas.height] = [w, h];
  const c = canvas.getContext("2d")!;
  c.setTransform(frame.ratio, 0, 0, frame.ratio, 0, 0);
  c.clearRect(0, 0, frame.width, frame.height);
  if (marks.world) outside(c, frame, marks.world, marks.dark);
  if (marks.tile) borders(c, frame, marks.tile);
  if (marks.rivers) water(c, frame, marks.rivers.found, marks.rivers.longer, marks.spacing);
  if (marks.places.length > 0) dots(c, frame, marks.spacing, marks.places, () => "#fff");
  if (marks.kinds.length > 0) dots(c, frame, marks.spacing, marks.kinds.map(([, x, y]) => [x, y]), (i) => colourOf(marks.kinds[i]![0]));
  if (marks.place) around(c, frame, marks.place, marks.spacing);
  if (marks.broken.length > 0) faults(c, frame, marks.broken);
  scaleBar(c, frame, marks.spacing);
}

/** Nothing is outside the world. */
function outside(c: CanvasRenderingContext2D, { view, width, height }: Frame, [columns, rows]: [number, number], dark: boolean): void {
  // The corner is half a sample before the first sample.
  const [x, y] = [(-0.5 - approximate(view.x)) / view.scale + width / 2, (-0.5 - approximate(view.y)) / view.scale + height / 2];
  c.beginPath();
  c.rect(0, 0, width, height);
  c.rect(x, y, columns / view.scale, rows / view.scale);
  c.fillStyle = dark ? "#171b21" : "#d9dee4";
  c.fill("evenodd");
}

function borders(c: CanvasRenderingContext2D, frame: Frame, tile: number): void {
  let size = tile;
  // Far out, only every second, fourth, ... border can be told apart.
  while (size / frame.view.scale < 24) size *= 2;
  c.lineWidth = 1;
  for (const [axis, length] of [["x", frame.width], ["y", frame.height]] as const) {
    const centre = frame.view[axis];
    const span = BigInt(size);
    const base = ((centre.i % span) + span) % span;
    const start = -(Number(base) + centre.f) / frame.view.scale + length / 2;
    const step = size / frame.view.scale;
    for (let at = start - Math.ceil(start / step) * step; at < length; at += step) {
      const p = Math.round(at) + 0.5;
      c.strokeStyle = "rgba(0,0,0,.45)";
      c.beginPath();
      if (axis === "x") c.moveTo(p + 1, 0), c.lineTo(p + 1, frame.height);
      else c.moveTo(0, p + 1), c.lineTo(frame.width, p + 1);
      c.stroke();
      c.strokeStyle = "rgba(255,255,255,.75)";
      c.beginPath();
      if (axis === "x") c.moveTo(p, 0), c.lineTo(p, frame.height);
      else c.moveTo(0, p), c.lineTo(frame.width, p);
      c.stroke();
    }
  }
}

/** Lakes, and rivers as wide as they are, or as lines that suit the size of the world in the picture. */
function water(c: CanvasRenderingContext2D, frame: Frame, { lines, lakes }: Rivers, longer: number, spacing: number): void {
  const { view, width, height } = frame;
  const perPixel = view.scale * spacing;
  const [left, top] = [approximate(view.x) * spacing - (width / 2) * perPixel, approximate(view.y) * spacing - (height / 2) * perPixel];
  const trace = (points: readonly (readonly number[])[]) => {
    points.forEach(([x, y], i) => {
      const [px, py] = [(x! - left) / perPixel, (y! - top) / perPixel];
      if (i === 0) c.moveTo(px, py);
      else c.lineTo(px, py);
    });
  };
  c.lineJoin = c.lineCap = "round";
  const size = Math.min(1, Math.max(0.4, longer / view.scale / 800));
  const widest = Math.max(...lines.map((line) => line.width), 1e-9);
  // A light edge first, so that water is seen on dark ground.
  for (const [style, edge] of [["rgba(255,255,255,.5)", 1.4], ["#1f6fa8", 0]] as const) {
    c.strokeStyle = style;
    for (const line of lines) {
      c.lineWidth = Math.max(line.width / perPixel, size * (0.8 + 2.4 * (line.width / widest))) + size * edge;
      c.beginPath();
      trace(line.points);
      c.stroke();
    }
  }
  c.fillStyle = "rgba(79,155,196,.85)";
  c.strokeStyle = "#1f6fa8";
  c.lineWidth = 1;
  c.beginPath();
  for (const ring of lakes) {
    trace(ring);
    c.closePath();
  }
  c.fill("evenodd");
  c.stroke();
}

/** Dots with a dark rim, smaller where they are dense. */
function dots(c: CanvasRenderingContext2D, frame: Frame, spacing: number, list: [number, number][], colour: (i: number) => string): void {
  const { view, width, height } = frame;
  const [cx, cy] = [approximate(view.x) * spacing, approximate(view.y) * spacing];
  const perPixel = view.scale * spacing;
  c.strokeStyle = "rgba(0,0,0,.7)";
  const radius = Math.min(2.6, Math.max(1.2, 0.24 * Math.sqrt((width * height) / list.length)));
  c.lineWidth = radius > 2 ? 1 : 0.6;
  for (const [i, [x, y]] of list.entries()) {
    const [px, py] = [(x - cx) / perPixel + width / 2, (y - cy) / perPixel + height / 2];
    if (px < -4 || py < -4 || px > width + 4 || py > height + 4) continue;
    c.fillStyle = colour(i);
    c.beginPath();
    c.arc(px, py, radius, 0, 7);
    c.fill();
    c.stroke();
  }
}

/** A cross at a place, and a circle around it. */
function around(c: CanvasRenderingContext2D, { view, width, height }: Frame, place: Place, spacing: number): void {
  const perPixel = view.scale * spacing;
  const x = (place.x - approximate(view.x) * spacing) / perPixel + width / 2;
  const y = (place.y - approximate(view.y) * spacing) / perPixel + height / 2;
  for (const [style, wide] of [["rgba(0,0,0,.6)", 4], ["#fff", 1.5]] as const) {
    c.strokeStyle = style;
    c.lineWidth = wide;
    c.beginPath();
    c.moveTo(x - 9, y);
    c.lineTo(x + 9, y);
    c.moveTo(x, y - 9);
    c.lineTo(x, y + 9);
    if (place.radius !== null && place.radius / perPixel < 1e5) {
      c.moveTo(x + place.radius / perPixel, y);
      c.arc(x, y, place.radius / perPixel, 0, 2 * Math.PI);
    }
    c.stroke();
  }
}

/** A red ring around each sample, large enough to be seen from afar. */
function faults(c: CanvasRenderingContext2D, { view, width, height }: Frame, samples: [number, number][]): void {
  for (const [x, y] of samples) {
    const [px, py] = [(x - approximate(view.x)) / view.scale + width / 2, (y - approximate(view.y)) / view.scale + height / 2];
    for (const [style, wide] of [["#fff", 6], ["#d21f1f", 3]] as const) {
      c.strokeStyle = style;
      c.lineWidth = wide;
      c.beginPath();
      c.arc(px, py, Math.max(12, 1.5 / view.scale), 0, 7);
      c.stroke();
    }
  }
}

/** A round length, about a fifth of the picture. */
function scaleBar(c: CanvasRenderingContext2D, frame: Frame, spacing: number): void {
  const perPixel = frame.view.scale * spacing;
  const most = perPixel * Math.min(140, frame.width / 4);
  const rough = 10 ** Math.floor(Math.log10(most));
  const length = [5, 2, 1].map((n) => n * rough).find((n) => n <= most) ?? rough;
  const pixels = length / perPixel;
  const [x, y] = [12, frame.height - 12];
  c.lineJoin = "miter";
  for (const [style, wide] of [["rgba(0,0,0,.6)", 4], ["#fff", 1.5]] as const) {
    c.strokeStyle = style;
    c.lineWidth = wide;
    c.beginPath();
    c.moveTo(x, y - 5);
    c.lineTo(x, y);
    c.lineTo(x + pixels, y);
    c.lineTo(x + pixels, y - 5);
    c.stroke();
  }
  c.font = "11px system-ui, sans-serif";
  c.lineWidth = 3;
  c.strokeStyle = "rgba(0,0,0,.6)";
  c.strokeText(number(length), x + 6, y - 6);
  c.fillStyle = "#fff";
  c.fillText(number(length), x + 6, y - 6);
}

/** A number for reading: no more digits than say something. */
export function number(value: number, digits = 5): string {
  if (!Number.isFinite(value)) return String(value);
  if (value === 0) return "0";
  const size = Math.abs(value);
  if (size >= 1e9 || size < 1e-4) return value.toExponential(2).replace("e+", "e");
  return Number(value.toPrecision(Math.max(digits, size >= 1e5 ? Math.ceil(Math.log10(size)) : 0))).toLocaleString("en", {
    maximumFractionDigits: 12,
  });
}

/** A world position with as many decimals as the zoom can tell apart, exact however far out where samples are 1 apart. */
export function position(c: Coordinate, spacing: number, perPixel: number): string {
  const decimals = Math.min(9, Math.max(0, Math.ceil(-Math.log10(perPixel)) + 1));
  if (spacing !== 1) return minus((approximate(c) * spacing).toLocaleString("en", { maximumFractionDigits: decimals }));
  // Sign and magnitude, so that the fraction reads the same way on both sides of 0.
  const negative = c.i < 0n;
  const fraction = (negative && c.f > 0 ? 1 - c.f : c.f).toFixed(decimals);
  const whole = (negative ? -c.i - (c.f > 0 ? 1n : 0n) : c.i) + BigInt(Math.floor(Number(fraction)));
  return `${negative ? "−" : ""}${whole.toLocaleString("en")}${decimals > 0 ? fraction.slice(1) : ""}`;
}

function minus(text: string): string {
  return text.replace("-", "−");
}
