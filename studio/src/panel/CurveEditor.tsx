// Curves through points: of splines (with slopes), of distributions, of spectra. Points are dragged; a double click adds one.

import { useMemo, useRef, useState, type JSX, type KeyboardEvent, type PointerEvent } from "react";
import type { Value } from "../protocol";
import { endStep, settled } from "../state/actions";
import { number } from "../map/overlay";
import { NumberBox } from "./fields";

export interface CurvePoint { x: number; y: number; in: number; out: number }
export interface CurveForm { x: string; y: string; slopes: boolean; unit?: [number, number] }

interface Props { points: CurvePoint[]; form: CurveForm; label: string; set: (points: CurvePoint[], merge: boolean) => void }

const [W, H, PAD] = [300, 150, 14];

export function CurveEditor({ points: given, form, label, set }: Props): JSX.Element {
  const [held, setHeld] = useState<{ points: CurvePoint[]; box: Box } | null>(null);
  const [chosen, setChosen] = useState(0);
  const svg = useRef<SVGSVGElement>(null);
  const points = held?.points ?? given;
  const own = useMemo(() => boxOf(given, form), [given, form]);
  const box = held?.box ?? own;
  const sx = (x: number) => PAD + ((x - box.x0) / (box.x1 - box.x0)) * (W - 2 * PAD);
  const sy = (y: number) => H - PAD - ((y - box.y0) / (box.y1 - box.y0)) * (H - 2 * PAD);
  const place = (event: { clientX: number; clientY: number }) => {
    const r = svg.current!.getBoundingClientRect();
    const px = ((event.clientX - r.left) / r.width) * W;
    const py = ((event.clientY - r.top) / r.height) * H;
    return {
      x: box.x0 + ((px - PAD) / (W - 2 * PAD)) * (box.x1 - box.x0),
      y: box.y0 + ((H - PAD - py) / (H - 2 * PAD)) * (box.y1 - box.y0),
    };
  };
  const grain = (span: number) => 10 ** Math.floor(Math.log10(span / 200));
  const round = (v: number, span: number) => Number((Math.round(v / grain(span)) * grain(span)).toPrecision(12));
  const put = (list: CurvePoint[], merge: boolean) => {
    if (merge) setHeld({ points: list, box });
    set(list, merge);
  };
  const moved = (i: number, to: { x: number; y: number }, merge: boolean) => {
    const gap = (box.x1 - box.x0) / 500;
    const left = i > 0 ? points[i - 1]!.x + gap : form.unit ? form.unit[0] : -Infinity;
    const right = i < points.length - 1 ? points[i + 1]!.x - gap : form.unit ? form.unit[1] : Infinity;
    const x = Math.min(right, Math.max(left, round(to.x, box.x1 - box.x0)));
    put(points.map((p, k) => (k === i ? { ...p, x, y: round(to.y, box.y1 - box.y0) } : p)), merge);
  };
  const drag = (event: PointerEvent<SVGElement>, i: number, what: "point" | "in" | "out") => {
    if (event.type === "pointerdown") {
      event.currentTarget.setPointerCapture(event.pointerId);
      setChosen(i);
      return;
    }
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const to = place(event);
    if (what === "point") moved(i, to, true);
    else {
      const p = points[i]!;
      const dx = what === "out" ? Math.max(1e-9, to.x - p.x) : Math.min(-1e-9, to.x - p.x);
      const slope = Number(((to.y - p.y) / dx).toPrecision(3));
      put(points.map((old, k) => (k === i ? { ...old, [what]: slope } : old)), true);
    }
  };
  const drop = () => {
    endStep();
    void settled().then(() => setHeld(null));
  };
  const addAt = (event: { clientX: number; clientY: number }) => {
    const to = place(event);
    const i = points.findIndex((p) => p.x > to.x);
    const at = i < 0 ? points.length : i;
    const [a, b] = [points[at - 1], points[at]];
    const slope = a && b ? Number(((b.y - a.y) / (b.x - a.x)).toPrecision(3)) : 0;
    const fresh = { x: round(to.x, box.x1 - box.x0), y: round(to.y, box.y1 - box.y0), in: slope, out: slope };
    setChosen(at);
    set([...points.slice(0, at), fresh, ...points.slice(at)], false);
  };
  const remove = (i: number) => {
    if (points.length <= 2) return;
    setChosen(Math.max(0, i - 1));
    set(points.filter((_, k) => k !== i), false);
  };
  const key = (event: KeyboardEvent, i: number) => {
    const p = points[i]!;
    const [dx, dy] = [(box.x1 - box.x0) / 100, (box.y1 - box.y0) / 100];
    const go: Record<string, () => void> = {
      ArrowLeft: () => moved(i, { x: p.x - dx, y: p.y }, true),
      ArrowRight: () => moved(i, { x: p.x + dx, y: p.y }, true),
      ArrowUp: () => moved(i, { x: p.x, y: p.y + dy }, true),
      ArrowDown: () => moved(i, { x: p.x, y: p.y - dy }, true),
      Delete: () => remove(i),
      Backspace: () => remove(i),
    };
    if (!go[event.key]) return;
    event.preventDefault();
    event.stopPropagation();
    go[event.key]!();
  };
  const reach = (box.x1 - box.x0) / 9;
  const sel = points[Math.min(chosen, points.length - 1)];
  const at = Math.min(chosen, points.length - 1);
  const edit = (change: Partial<CurvePoint>) => set(points.map((p, k) => (k === at ? { ...p, ...change } : p)), false);
  return (
    <div className="curve">
      <svg className="curveplot" ref={svg} viewBox={`0 0 ${W} ${H}`} role="group" aria-label={`${label}: a double click adds a point, Delete removes one`} onDoubleClick={addAt}>
        <rect x={PAD} y={PAD} width={W - 2 * PAD} height={H - 2 * PAD} className="plot" />
        {box.y0 < 0 && box.y1 > 0 && <line x1={PAD} x2={W - PAD} y1={sy(0)} y2={sy(0)} className="axis" />}
        {box.x0 < 0 && box.x1 > 0 && <line y1={PAD} y2={H - PAD} x1={sx(0)} x2={sx(0)} className="axis" />}
        <path className="line" d={pathOf(points, form, box, sx, sy)} />
        {form.slopes && points.map((p, i) => i === at && (
          <g key={`s${i}`} className="slopes">
            {i > 0 && <Slope p={p} side={-1} slope={p.in} reach={reach} sx={sx} sy={sy} drag={(e) => drag(e, i, "in")} drop={drop} />}
            {i < points.length - 1 && <Slope p={p} side={1} slope={p.out} reach={reach} sx={sx} sy={sy} drag={(e) => drag(e, i, "out")} drop={drop} />}
          </g>
        ))}
        {points.map((p, i) => (
          <circle
            key={i} cx={sx(p.x)} cy={sy(p.y)} r={5} className={i === at ? "point on" : "point"} tabIndex={0} role="button"
            aria-label={`Point ${i + 1}: ${form.x} ${number(p.x)}, ${form.y} ${number(p.y)}`} onFocus={() => setChosen(i)}
            onPointerDown={(e) => drag(e, i, "point")} onPointerMove={(e) => drag(e, i, "point")} onPointerUp={drop}
            onKeyDown={(e) => key(e, i)} onKeyUp={drop}
          />
        ))}
        <text x={PAD} y={H - 3}>{number(box.x0, 3)}</text>
        <text x={W - PAD} y={H - 3} textAnchor="end">{number(box.x1, 3)}</text>
        <text x={PAD + 3} y={PAD + 9}>{number(box.y1, 3)}</text>
        <text x={PAD + 3} y={H - PAD - 4}>{number(box.y0, 3)}</text>
      </svg>
      {sel && (
        <div className="pointfields">
          <label><span>{form.x}</span><NumberBox value={sel.x} label={`${form.x} of point ${at + 1}`} set={(x) => edit({ x })} /></label>
          <label><span>{form.y}</span><NumberBox value={sel.y} label={`${form.y} of point ${at + 1}`} set={(y) => edit({ y })} /></label>
          {form.slopes && <label><span>in</span><NumberBox value={sel.in} label={`slope into point ${at + 1}`} set={(v) => edit({ in: v })} /></label>}
          {form.slopes && <label><span>out</span><NumberBox value={sel.out} label={`slope out of point ${at + 1}`} set={(v) => edit({ out: v })} /></label>}
        </div>
      )}
    </div>
  );
}

interface SlopeProps {
  p: CurvePoint; side: 1 | -1; slope: number; reach: number; sx: (x: number) => number; sy: (y: number) => number;
  drag: (event: PointerEvent<SVGElement>) => void; drop: () => void;
}

/** A handle at a fixed length on the screen, so that steep slopes stay within the plot. */
function Slope({ p, side, slope, reach, sx, sy, drag, drop }: SlopeProps): JSX.Element {
  const dx = sx(p.x + side * reach) - sx(p.x);
  const dy = sy(p.y + side * reach * slope) - sy(p.y);
  const k = 30 / Math.hypot(dx, dy);
  const [x, y] = [sx(p.x) + dx * k, sy(p.y) + dy * k];
  return (
    <>
      <line x1={sx(p.x)} y1={sy(p.y)} x2={x} y2={y} />
      <rect x={x - 4} y={y - 4} width={8} height={8} onPointerDown={drag} onPointerMove={drag} onPointerUp={drop} />
    </>
  );
}

interface Box { x0: number; x1: number; y0: number; y1: number }

function boxOf(points: CurvePoint[], form: CurveForm): Box {
  const xs = points.map((p) => p.x);
  const ys = points.map((p) => p.y);
  const wide = (lo: number, hi: number): [number, number] => {
    const pad = (hi - lo || 1) * 0.12;
    return [lo - pad, hi + pad];
  };
  const [x0, x1] = form.unit ?? wide(Math.min(...xs, 0.1 * Math.min(...xs)), Math.max(...xs));
  const [y0, y1] = wide(Math.min(...ys), Math.max(...ys));
  return { x0, x1, y0, y1 };
}

/** As the engine draws it: a quadratic Bézier from point to point, its anchor the mean of both tangents in the middle. */
function pathOf(points: CurvePoint[], form: CurveForm, box: Box, sx: (x: number) => number, sy: (y: number) => number): string {
  const first = points[0];
  const last = points[points.length - 1];
  if (!first || !last) return "";
  let d = `M${sx(box.x0)} ${sy(first.y)}L${sx(first.x)} ${sy(first.y)}`;
  for (let i = 1; i < points.length; i++) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const h = b.x - a.x;
    const anchor = (a.y + (a.out * h) / 2 + b.y - (b.in * h) / 2) / 2;
    d += form.slopes ? `Q${sx((a.x + b.x) / 2)} ${sy(anchor)} ${sx(b.x)} ${sy(b.y)}` : `L${sx(b.x)} ${sy(b.y)}`;
  }
  return `${d}L${sx(box.x1)} ${sy(last.y)}`;
}

type PointRow = { [key: string]: Value };

export function fromRows(rows: PointRow[], form: CurveForm): CurvePoint[] {
  const n = (v: Value | undefined) => (typeof v === "number" ? v : 0);
  return rows.map((row) => ({ x: n(row[form.x]), y: n(row[form.y]), in: n(row.slope_in), out: n(row.slope_out) }));
}

export function toRows(points: CurvePoint[], form: CurveForm): PointRow[] {
  return points.map((p) => {
    const row: PointRow = { [form.x]: p.x, [form.y]: p.y };
    if (form.slopes && p.in !== 0) row.slope_in = p.in;
    if (form.slopes && p.out !== 0) row.slope_out = p.out;
    return row;
  });
}
