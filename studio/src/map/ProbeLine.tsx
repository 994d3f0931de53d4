// Values under the pointer: from the samples at once, then exact and per octave when the pointer rests.

import { useEffect, useState, type JSX } from "react";
import type { Probe } from "../protocol";
import { probe as askProbe } from "../server";
import { number, position } from "./overlay";
import type { Painter } from "./painter";
import { srgb } from "./ramp";
import { onPicture } from "./shared";
import { heightLayer } from "../state/recipe";
import { get } from "../state/store";
import { approximate, moved } from "./view";

export function ProbeLine({ painter, hover }: { painter: Painter | null; hover: { x: number; y: number } | null }): JSX.Element {
  const [exact, setExact] = useState<Probe | null>(null);
  /** The height under a colour or a normal. */
  const [height, setHeight] = useState<{ layer: string; value: number } | null>(null);
  const [, redraw] = useState(0);
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout>;
    const stop = onPicture(() => {
      clearTimeout(timer);
      timer = setTimeout(() => redraw((n) => n + 1), 60);
    });
    return () => {
      stop();
      clearTimeout(timer);
    };
  }, []);
  const source = painter?.shown?.source;
  useEffect(() => {
    setExact(null);
    setHeight(null);
    if (!painter || !hover || !source) return;
    const flight = new AbortController();
    const timer = setTimeout(() => {
      const { view, width, height } = painter;
      const x = approximate(moved(view.x, (hover.x - width / 2) * view.scale)) * source.spacing;
      const y = approximate(moved(view.y, (hover.y - height / 2) * view.scale)) * source.spacing;
      const at: [number, number, number] = [x, y, source.z];
      askProbe(source.id, source.layer, at, flight.signal).then(setExact, () => {});
      const { good } = get();
      const heights = good && source.channels > 1 ? heightLayer(good, source.layer) : undefined;
      if (heights) askProbe(source.id, heights, at, flight.signal).then(({ value }) => setHeight({ layer: heights, value: value[0]! }), () => {});
    }, 180);
    return () => {
      clearTimeout(timer);
      flight.abort();
    };
  }, [painter, hover, source]);

  if (!painter || !source) return <div className="probe" />;
  const { view, width, height: rows } = painter;
  const at = hover ?? { x: width / 2, y: rows / 2 };
  const perPixel = view.scale * source.spacing;
  const x = moved(view.x, (at.x - width / 2) * view.scale);
  const y = moved(view.y, (at.y - rows / 2) * view.scale);
  const sampled = painter.shown?.at(painter.frame, at.x, at.y);
  const value = exact?.value ?? sampled?.values;
  const slope = exact?.gradient ? Math.hypot(exact.gradient[0], exact.gradient[1]) : sampled?.slope;
  return (
    <div className="probe" aria-label="Under the pointer">
      <span className="where" title={hover ? "Position under the pointer" : "Middle of the picture"}>
        {position(x, source.spacing, perPixel)}, {position(y, source.spacing, perPixel)}
      </span>
      {value && (
        <span className="value" title={`${exact ? "Exact value" : "Value of the nearest sample"}: ${value.map((v) => number(v)).join(", ")}`}>
          {value.length === 4 ? <><i className="swatch" style={{ background: hex(value) }} />{hex(value)}</> : value.map((v) => number(v, value.length > 1 ? 3 : 5)).join("  ")}
        </span>
      )}
      {height && <span className="value" title={`Value of ${height.layer}`}>{height.layer} {number(height.value)}</span>}
      {slope !== null && slope !== undefined && <span title="Steepness: rise over run">slope {number(slope, 3)}</span>}
      {exact?.gradient && (
        <span className="wide" title="Gradient along x and y">∇ {number(exact.gradient[0], 3)}, {number(exact.gradient[1], 3)}</span>
      )}
      {exact && exact.octaves.length > 1 && <Octaves list={exact.octaves} />}
      {!painter.settled && !painter.error && <span className="busy">{painter.working}</span>}
      <span className="far" title="World units for each pixel">{number(perPixel, 3)} / px</span>
    </div>
  );
}

/** A colour in linear light as hexadecimal sRGB. */
function hex(value: number[]): string {
  return `#${value.slice(0, 3).map((v) => srgb(v).toString(16).padStart(2, "0")).join("")}`;
}

const HALF = 9;

/** The contribution of each octave at this position: a bar up or down, the coarsest on the left. */
function Octaves({ list }: { list: Probe["octaves"] }): JSX.Element {
  const most = Math.max(...list.map((o) => Math.abs(o.value))) || 1;
  const told = list.map((o) => `${o.name}: ${number(o.value, 3)}`);
  return (
    <span className="octaves" title={`Contribution of each octave\n${told.join("\n")}`}>
      <svg width={list.length * 5} height={2 * HALF + 1} role="img" aria-label={`Contribution of each octave. ${told.join("; ")}`}>
        <line x1={0} x2={list.length * 5} y1={HALF + 0.5} y2={HALF + 0.5} />
        {list.map((o, i) => {
          const height = Math.max(0.75, (Math.abs(o.value) / most) * HALF);
          const top = HALF + 0.5 - (o.value > 0 ? height : 0);
          return <rect key={o.name} x={i * 5} y={top} width={4} height={height} className={o.value < 0 ? "below" : ""} />;
        })}
      </svg>
    </span>
  );
}
