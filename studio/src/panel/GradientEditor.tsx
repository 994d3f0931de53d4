// Colours by value: stops on a strip, dragged; a click on the strip adds one, Delete removes one.

import { useRef, useState, type JSX, type KeyboardEvent, type PointerEvent } from "react";
import { Icon } from "../look/icons";
import { number } from "../map/overlay";
import { endStep, settled } from "../state/actions";
import { NumberBox } from "./fields";

export interface Stop { at: number; colour: string }

export function GradientEditor({ stops: given, set, label }: { stops: Stop[]; set: (stops: Stop[], merge: boolean) => void; label: string }): JSX.Element {
  const [held, setHeld] = useState<{ stops: Stop[]; lo: number; hi: number } | null>(null);
  const [chosen, setChosen] = useState(0);
  const strip = useRef<HTMLDivElement>(null);
  const stops = held?.stops ?? given;
  if (stops.length === 0) {
    return (
      <button type="button" className="wide" onClick={() => set([{ at: 0, colour: "#27455c" }, { at: 1, colour: "#f2efe6" }], false)}>
        Use stops of my own
      </button>
    );
  }
  const at = Math.min(chosen, stops.length - 1);
  const ends = [stops[0]!.at, stops[stops.length - 1]!.at] as const;
  const lo = held?.lo ?? ends[0] - (ends[1] === ends[0] ? 1 : 0);
  const hi = held?.hi ?? ends[1] + (ends[1] === ends[0] ? 1 : 0);
  const percent = (v: number) => `${Math.min(100, Math.max(0, (100 * (v - lo)) / (hi - lo || 1)))}%`;
  const valueAt = (event: { clientX: number }) => {
    const r = strip.current!.getBoundingClientRect();
    const value = lo + ((event.clientX - r.left) / r.width) * (hi - lo);
    const grain = 10 ** Math.floor(Math.log10((hi - lo) / 200));
    return Number((Math.round(value / grain) * grain).toPrecision(10));
  };
  const move = (i: number, to: number, merge: boolean) => {
    const bounded = Math.min(stops[i + 1]?.at ?? Infinity, Math.max(stops[i - 1]?.at ?? -Infinity, to));
    const next = stops.map((s, k) => (k === i ? { ...s, at: bounded } : s));
    if (merge) setHeld({ stops: next, lo, hi });
    set(next, merge);
  };
  const drop = () => {
    endStep();
    void settled().then(() => setHeld(null));
  };
  const drag = (event: PointerEvent<HTMLElement>, i: number) => {
    event.stopPropagation();
    if (event.type === "pointerdown") {
      event.currentTarget.setPointerCapture(event.pointerId);
      setChosen(i);
    } else if (event.currentTarget.hasPointerCapture(event.pointerId)) move(i, valueAt(event), true);
  };
  const addAt = (event: { clientX: number }) => {
    const value = valueAt(event);
    const i = stops.findIndex((s) => s.at > value);
    const k = i < 0 ? stops.length : i;
    setChosen(k);
    set([...stops.slice(0, k), { at: value, colour: between(stops[k - 1], stops[k], value) }, ...stops.slice(k)], false);
  };
  const remove = (i: number) => {
    setChosen(Math.max(0, i - 1));
    if (stops.length > 1) set(stops.filter((_, k) => k !== i), false);
  };
  const key = (event: KeyboardEvent, i: number) => {
    const step = (hi - lo) / 100;
    if (event.key === "ArrowLeft") move(i, stops[i]!.at - step, true);
    else if (event.key === "ArrowRight") move(i, stops[i]!.at + step, true);
    else if (event.key === "Delete" || event.key === "Backspace") remove(i);
    else return;
    event.preventDefault();
  };
  const sel = stops[at]!;
  const gradient = stops.map((s) => `${s.colour} ${percent(s.at)}`).join(", ");
  return (
    <div className="gradient" role="group" aria-label={label}>
      <div className="strip" ref={strip} style={{ background: `linear-gradient(to right, ${gradient}, ${sel && stops[stops.length - 1]!.colour} 100%)` }} onDoubleClick={addAt}>
        {stops.map((s, i) => (
          <button
            key={i} type="button" className={i === at ? "stop on" : "stop"} style={{ left: percent(s.at), background: s.colour.slice(0, 7) }}
            aria-label={`Stop ${i + 1} at ${number(s.at)}, ${s.colour}`} onFocus={() => setChosen(i)}
            onPointerDown={(e) => drag(e, i)} onPointerMove={(e) => drag(e, i)} onPointerUp={drop} onKeyDown={(e) => key(e, i)} onKeyUp={drop}
          />
        ))}
      </div>
      <div className="pointfields">
        <label><span>at</span><NumberBox value={sel.at} label={`Value of stop ${at + 1}`} set={(v) => move(at, v, false)} /></label>
        <label>
          <span>colour</span>
          <input
            type="color" value={sel.colour.slice(0, 7)} aria-label={`Colour of stop ${at + 1}`}
            onChange={(event) => set(stops.map((s, k) => (k === at ? { ...s, colour: event.target.value + s.colour.slice(7) } : s)), true)}
            onBlur={endStep}
          />
        </label>
        <code>{sel.colour}</code>
        <button type="button" className="tool" title="Add a stop in the middle of the gap" aria-label="Add a stop" onClick={() => {
          const next = stops[at + 1] ?? stops[at - 1] ?? { at: sel.at + 1, colour: sel.colour };
          const value = (sel.at + next.at) / 2;
          const k = next.at >= sel.at ? at + 1 : at;
          setChosen(k);
          set([...stops.slice(0, k), { at: value, colour: between(sel, next, value) }, ...stops.slice(k)], false);
        }}>
          <Icon name="add" />
        </button>
        <button type="button" className="tool" title="Remove this stop" aria-label="Remove this stop" disabled={stops.length < 2} onClick={() => remove(at)}>
          <Icon name="trash" />
        </button>
      </div>
    </div>
  );
}

function between(a: Stop | undefined, b: Stop | undefined, at: number): string {
  if (!a || !b) return (a ?? b)?.colour ?? "#808080";
  const t = b.at === a.at ? 0.5 : (at - a.at) / (b.at - a.at);
  const part = (colour: string, i: number) => parseInt(colour.slice(1 + 2 * i, 3 + 2 * i), 16);
  return `#${[0, 1, 2].map((i) => Math.round(part(a.colour, i) * (1 - t) + part(b.colour, i) * t).toString(16).padStart(2, "0")).join("")}`;
}
