// The small panels of the picture's bar: range of values, and what lies over the picture.

import { useState, type JSX, type ReactNode } from "react";
import { calculated } from "../panel/arithmetic";
import { get, tell, update, useStore } from "../state/store";
import { number } from "./overlay";
import type { Painter } from "./painter";
import { rampCss } from "./ramp";
import { drainageToShow } from "./source";
import { resolved, type RangeMode, type Style } from "../state/style";

export function setStyle(change: Partial<Style>): void {
  update((s) => ({ style: { ...s.style, ...change } }));
}

export function RangeSheet({ painter, proven, noise }: { painter: Painter | null; proven: [number, number] | null; noise: boolean }): JSX.Element {
  const style = useStore((s) => s.style);
  const z = useStore((s) => s.z ?? s.good?.recipe.bake.z ?? 0);
  const wave = useStore((s) => (s.good ? s.good.recipe.bake.tile * s.good.recipe.bake.spacing : 512));
  const scale = painter?.shownScale ?? { lo: 0, hi: 1 };
  const [lo, hi] = style.range === "fixed" ? style.fixed : style.range === "proven" && proven ? proven : [scale.lo, scale.hi];
  const modes: [RangeMode, string][] = [["auto", "Seen"], ["proven", "Proven"], ["fixed", "Fixed"]];
  const choose = (range: RangeMode) => setStyle({ range, fixed: range === "fixed" ? [scale.lo, scale.hi] : style.fixed });
  return (
    <>
      <div className="segments" role="radiogroup" aria-label="Range of values">
        {modes.map(([mode, label]) => (
          <button
            key={mode} type="button" role="radio" aria-checked={style.range === mode} disabled={mode === "proven" && !proven}
            className={style.range === mode ? "on" : ""} onClick={() => choose(mode)}
          >
            {label}
          </button>
        ))}
      </div>
      <div className="legend" style={{ background: rampCss(resolved(style, painter?.shown?.source.mask ?? false).ramp) }} />
      <div className="legendends"><span>{number(lo)}</span><span>{number(hi)}</span></div>
      {style.range === "auto" && (
        <button type="button" className="wide" onClick={() => painter?.rescale(true)}>Measure again</button>
      )}
      {style.range === "fixed" && (
        <div className="row2">
          <NumberField label="From" value={style.fixed[0]} set={(v) => setStyle({ fixed: [v, style.fixed[1]] })} />
          <NumberField label="To" value={style.fixed[1]} set={(v) => setStyle({ fixed: [style.fixed[0], v] })} />
        </div>
      )}
      <label className="line">
        <span>Height × {number(style.lift, 2)}</span>
        <input
          type="range" min={-3} max={3} step={0.05} value={Math.log2(style.lift)} aria-label="Height of the relief"
          onChange={(event) => setStyle({ lift: 2 ** Number(event.target.value) })}
        />
      </label>
      <label className="line">
        <span title="The height above the plane at which the noise is cut">Slice z {number(z)}</span>
        <input
          type="range" min={-wave} max={wave} step={wave / 256} value={Math.max(-wave, Math.min(wave, z))} disabled={!noise}
          aria-label="Slice through the volume" onChange={(event) => update({ z: Number(event.target.value) })}
        />
      </label>
      {z !== (get().good?.recipe.bake.z ?? 0) && (
        <button type="button" className="wide" onClick={() => update({ z: null })}>Back to the recipe's z</button>
      )}
    </>
  );
}

export function Overlays({ painter }: { painter: Painter | null }): JSX.Element {
  const style = useStore((s) => s.style);
  const auto = painter?.shownScale.interval ?? 1;
  const traced = useStore(drainageToShow);
  return (
    <>
      <Check label={traced === null ? "Tile borders, with a check for seams" : "Tile borders, with a check for seams and of water"} on={style.borders} set={(on) => setStyle({ borders: on })} />
      <Check label="Values outside the range" on={style.clipped} set={(on) => setStyle({ clipped: on })} />
      <Check label="Steeper than" on={style.steep !== null} set={(on) => setStyle({ steep: on ? 1 : null })}>
        {style.steep !== null && <NumberField label="Slope" value={style.steep} set={(v) => setStyle({ steep: Math.max(0, v) })} />}
      </Check>
      <Check label="Contours every" on={style.contours !== null} set={(on) => setStyle({ contours: on ? auto : null })}>
        {style.contours !== null && <NumberField label="Interval" value={style.contours} set={(v) => setStyle({ contours: Math.max(0, v) })} />}
      </Check>
      <Check label="Places at a distance of" on={style.places !== null} set={(on) => setStyle({ places: on ? placesApart(painter) : null })}>
        {style.places !== null && <NumberField label="Distance" value={style.places} set={(v) => setStyle({ places: v > 0 ? v : 1 })} />}
      </Check>
      <Check label={traced === null ? "Rivers and lakes, of a recipe with drainage" : "Rivers and lakes"} on={style.rivers} set={(on) => setStyle({ rivers: on })} />
    </>
  );
}

/** A round distance that puts some hundred places into the picture. */
export function placesApart(painter: Painter | null): number {
  const wide = (painter?.view.scale ?? 1) * (painter?.width ?? 600) * (get().good?.recipe.bake.spacing ?? 1);
  return Number((wide / 20).toPrecision(1));
}

function Check({ label, on, set, children }: { label: string; on: boolean; set: (on: boolean) => void; children?: ReactNode }): JSX.Element {
  return (
    <div className="check">
      <label><input type="checkbox" checked={on} onChange={(event) => set(event.target.checked)} /> {label}</label>
      {children}
    </div>
  );
}

/** A number that is taken when it is one; Enter or leaving the field. */
export function NumberField({ label, value, set }: { label: string; value: number; set: (value: number) => void }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const take = () => {
    const number = text === null ? null : calculated(text);
    if (number !== null) set(number);
    else if (text !== null) tell(`${label}: ${text.trim() || "nothing"} is not a number.`, true);
    setText(null);
  };
  return (
    <input
      className="number" aria-label={label} inputMode="decimal" value={text ?? String(Number(value.toPrecision(6)))}
      onChange={(event) => setText(event.target.value)} onBlur={take}
      onKeyDown={(event) => event.key === "Enter" && take()}
    />
  );
}
