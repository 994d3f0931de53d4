// Small plots in SVG.

import type { JSX } from "react";
import type { Measured } from "../protocol";
import { number } from "../map/overlay";

const [W, H] = [260, 120];

export function Histogram({ measured }: { measured: Measured }): JSX.Element {
  const { counts, lo, hi } = measured.histogram;
  const [pl, ph] = measured.proven ?? [lo, hi];
  const x0 = Math.min(lo, pl);
  const x1 = Math.max(hi, ph);
  const sx = (v: number) => 4 + ((v - x0) / (x1 - x0 || 1)) * (W - 8);
  const most = Math.max(1, ...counts);
  const width = (sx(hi) - sx(lo)) / counts.length;
  const base = H - 16;
  return (
    <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label={`Histogram from ${number(lo)} to ${number(hi)}`}>
      <path
        className="bars"
        d={counts.map((c, i) => `M${sx(lo) + i * width} ${base}v${(-c / most) * (base - 8)}h${Math.max(width - 0.3, 0.4)}V${base}z`).join("")}
      />
      <line className="axis" x1={4} x2={W - 4} y1={base} y2={base} />
      {measured.proven && [pl, ph].map((v) => <line key={v} className="proven" x1={sx(v)} x2={sx(v)} y1={4} y2={base} />)}
      {measured.extent.map((v) => <line key={v} className="measured" x1={sx(v)} x2={sx(v)} y1={base - 10} y2={base + 3} />)}
      <text x={4} y={H - 3}>{number(x0, 3)}</text>
      <text x={W - 4} y={H - 3} textAnchor="end">{number(x1, 3)}</text>
    </svg>
  );
}

export function Spectrum({ measured }: { measured: Measured }): JSX.Element {
  const rings = measured.spectrum.rings.filter(([f, p]) => f > 0 && p > 0).map(([f, p]) => [Math.log10(f), Math.log10(p)] as const);
  if (rings.length < 2) return <p className="dim">No spectrum.</p>;
  const xs = rings.map((r) => r[0]);
  const ys = rings.map((r) => r[1]);
  const [x0, x1, y0, y1] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)];
  const sx = (v: number) => 4 + ((v - x0) / (x1 - x0 || 1)) * (W - 8);
  const sy = (v: number) => 6 + ((y1 - v) / (y1 - y0 || 1)) * (H - 24);
  const { exponent } = measured.spectrum;
  const middle = rings[Math.floor(rings.length / 3)]!;
  return (
    <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label={`Power spectrum, exponent ${exponent?.toFixed(2) ?? "unknown"}`}>
      {decades(x0, x1).map((d) => <line key={`x${d}`} className="grid" x1={sx(d)} x2={sx(d)} y1={6} y2={H - 18} />)}
      {decades(y0, y1).map((d) => <line key={`y${d}`} className="grid" y1={sy(d)} y2={sy(d)} x1={4} x2={W - 4} />)}
      <path className="line" d={rings.map(([x, y], i) => `${i ? "L" : "M"}${sx(x).toFixed(1)} ${sy(y).toFixed(1)}`).join("")} />
      {exponent !== null && (
        <line
          className="fit" x1={sx(x0)} x2={sx(x1)} y1={sy(middle[1] + exponent * (x0 - middle[0]))} y2={sy(middle[1] + exponent * (x1 - middle[0]))}
        />
      )}
      <text x={4} y={H - 4}>{number(10 ** x0, 2)}</text>
      <text x={W - 4} y={H - 4} textAnchor="end">{number(10 ** x1, 2)} per sample</text>
    </svg>
  );
}

function decades(lo: number, hi: number): number[] {
  const every = Math.max(1, Math.ceil((hi - lo) / 8));
  const list: number[] = [];
  for (let d = Math.ceil(lo); d <= hi; d += every) list.push(d);
  return list;
}

/** Power over 180 degrees, drawn on both sides; the circle is the mean. */
export function Directions({ sectors }: { sectors: number[] }): JSX.Element {
  const [cx, cy, unit] = [W / 2, H / 2, 34];
  const both = [...sectors, ...sectors];
  const points = both.map((power, i) => {
    const angle = (Math.PI * (i + 0.5)) / sectors.length;
    const r = Math.min(1.65, power) * unit;
    return `${(cx + r * Math.cos(angle)).toFixed(1)},${(cy - r * Math.sin(angle)).toFixed(1)}`;
  });
  return (
    <svg viewBox={`0 0 ${W} ${H}`} role="img" aria-label="Power by direction">
      <line className="grid" x1={cx - 56} x2={cx + 56} y1={cy} y2={cy} />
      <line className="grid" x1={cx} x2={cx} y1={cy - 56} y2={cy + 56} />
      <circle className="axis" cx={cx} cy={cy} r={unit} />
      <polygon className="area" points={points.join(" ")} />
    </svg>
  );
}
