// The controls of parameters: one for each type of the table.

import { useEffect, useRef, useState, type CSSProperties, type JSX } from "react";
import type { Param, Value } from "../protocol";
import { Icon } from "../look/icons";
import { endStep, settled } from "../state/actions";
import { tell } from "../state/store";
import { calculated } from "./arithmetic";
import { seedOf, stepped, written } from "./seed";
import { fromSlider, spanOf, STEPS, toSlider, type Span } from "./span";

export interface FieldProps<T> {
  param: Param;
  value: T;
  /** `merge` marks one of many values of a drag. */
  set: (value: Value, merge: boolean) => void;
  label: string;
}

export function show(value: number): string {
  if (value !== 0 && (Math.abs(value) >= 1e9 || Math.abs(value) < 1e-5)) return value.toExponential().replace("e+", "e");
  return String(Number(value.toPrecision(10)));
}

interface BoxProps { value: number; set: (value: number) => void; label: string; whole?: boolean; bounds?: [number, number]; id?: string }

/** Why a typed number is not allowed; null if it is. */
function refusal(label: string, text: string, number: number | null, { whole, bounds }: Pick<BoxProps, "whole" | "bounds">): string | null {
  const [least, most] = bounds ?? [-Infinity, Infinity];
  const within = bounds ? ` from ${show(least)} to ${show(most)}` : "";
  if (number !== null && (!whole || Number.isInteger(number)) && number >= least && number <= most) return null;
  return `${label}: ${text.trim() || "nothing"} is not allowed; allowed: ${whole ? "whole numbers" : "numbers"}${within}.`;
}

/**
 * A number field: Enter or leaving takes the number or calculation in it, arrow keys step in its last digit, Escape restores it. Text
 * that is not allowed stays in the field after Enter, with the reason; leaving restores the number.
 */
export function NumberBox({ value, set, label, whole, bounds, id }: BoxProps): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const parsed = text === null ? value : calculated(text);
  const why = text === null ? null : refusal(label, text, parsed, { whole, bounds });
  const held = (n: number) => Math.min(bounds?.[1] ?? Infinity, Math.max(bounds?.[0] ?? -Infinity, whole ? Math.round(n) : n));
  const take = (leaves: boolean) => {
    if (why !== null) tell(why, true);
    else if (parsed !== null && parsed !== value) set(parsed);
    if (why === null || leaves) setText(null);
  };
  return (
    <input
      id={id} className="number" inputMode="decimal" aria-label={label} aria-invalid={why !== null} title={why ?? undefined} value={text ?? show(value)}
      onChange={(event) => setText(event.target.value)} onBlur={() => take(true)} onFocus={(event) => event.target.select()}
      onKeyDown={(event) => {
        if (event.key === "Enter") take(false);
        else if (event.key === "Escape") setText(null);
        else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && parsed !== null) {
          event.preventDefault();
          const step = whole ? 1 : 10 ** Math.floor(Math.log10(Math.abs(parsed) || 1) - 1);
          const next = held(parsed + (event.key === "ArrowUp" ? step : -step) * (event.shiftKey ? 10 : 1));
          setText(null);
          set(Number(next.toPrecision(10)));
        }
      }}
    />
  );
}

export function NumberControl({ param, value, set, label }: FieldProps<number>): JSX.Element {
  const [held, setHeld] = useState<{ value: number; span: Span } | null>(null);
  const span = held?.span ?? spanOf(param, value);
  const shown = held?.value ?? value;
  const release = () => {
    endStep();
    // A value being dragged stays until the text contains it.
    void settled().then(() => setHeld(null));
  };
  const at = toSlider(span, shown);
  return (
    <div className="numberrow">
      <input
        type="range" min={0} max={STEPS} step={1} value={at} aria-label={label} aria-valuetext={show(shown)}
        style={{ "--at": `${(100 * at) / STEPS}%` } as CSSProperties}
        onChange={(event) => {
          const next = fromSlider(span, Number(event.target.value));
          setHeld({ value: next, span });
          set(next, true);
        }}
        onPointerUp={release} onKeyUp={release} onBlur={() => held && release()}
      />
      <NumberBox value={shown} set={(v) => set(v, false)} label={`${label}, number`} whole={span.whole} bounds={span.bounds} />
    </div>
  );
}

export function FlagControl({ value, set, label }: FieldProps<boolean>): JSX.Element {
  return (
    <label className="switch">
      <input type="checkbox" role="switch" checked={value} aria-label={label} onChange={(event) => set(event.target.checked, false)} />
      <span aria-hidden="true" />
    </label>
  );
}

export function ChoiceControl({ value, set, label, words }: FieldProps<string> & { words: string[] }): JSX.Element {
  return (
    <select aria-label={label} value={value} onChange={(event) => set(event.target.value, false)}>
      {words.map((word) => <option key={word} value={word}>{word.replaceAll("_", " ")}</option>)}
    </select>
  );
}

/** A name or a hash: the whole of it, once it is typed. */
export function WordControl({ value, set, label }: FieldProps<string>): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const done = () => {
    if (text !== null && text.trim() && text !== value) set(text.trim(), false);
    setText(null);
  };
  return (
    <input
      type="text" aria-label={label} value={text ?? value} spellCheck={false} onChange={(event) => setText(event.target.value)} onBlur={done}
      onKeyDown={(event) => event.key === "Enter" && done()}
    />
  );
}

/** A seed, as recipes have it: beyond 2^53 − 1 it is text. */
export function SeedControl({ param, value, set, label, more }: FieldProps<number | string> & { more?: () => void }): JSX.Element {
  const [text, setText] = useState<string | null>(null);
  const parsed = seedOf(text ?? String(value));
  const take = () => {
    if (parsed !== null && written(parsed) !== value) set(written(parsed), false);
    setText(null);
  };
  return (
    <div className="numberrow seed">
      <input
        className="number" inputMode="numeric" aria-label={label} aria-invalid={parsed === null} value={text ?? String(value)}
        onChange={(event) => setText(event.target.value)} onBlur={take} onFocus={(event) => event.target.select()}
        onKeyDown={(event) => {
          if (event.key === "Enter") take();
          else if (event.key === "Escape") setText(null);
          else if ((event.key === "ArrowUp" || event.key === "ArrowDown") && parsed !== null) {
            event.preventDefault();
            setText(null);
            set(written(stepped(parsed, (event.key === "ArrowUp" ? 1n : -1n) * (event.shiftKey ? 10n : 1n))), false);
          }
        }}
      />
      <button type="button" className="tool" title="Another seed" aria-label={`Another ${param.name}`} onClick={() => set(Math.floor(Math.random() * 10_000), false)}>
        <Icon name="dice" />
      </button>
      {more && <button type="button" className="tool" title="Nine seeds next to each other" aria-label={`Pictures of ${param.name}`} onClick={more}><Icon name="more" /></button>}
    </div>
  );
}

const AXES = ["x", "y", "z"];

export function VectorControl({ param, value, set, label }: FieldProps<number[]>): JSX.Element {
  const names = param.type === "pair" ? ["1st", "2nd"] : AXES;
  return (
    <div className="vector">
      {value.map((n, i) => (
        <label key={i}>
          <span aria-hidden="true">{param.type === "pair" ? "" : names[i]}</span>
          <NumberBox value={n} label={`${label} ${names[i] ?? i}`} set={(v) => set(value.map((old, k) => (k === i ? v : old)), false)} />
        </label>
      ))}
    </div>
  );
}

/** Numbers, or vectors, separated by commas; one vector a line. */
export function ListControl({ param, value, set, label }: FieldProps<number[] | number[][]>): JSX.Element {
  const vectors = param.type === "vectors";
  const written = vectors ? (value as number[][]).map((v) => v.join(", ")).join("\n") : (value as number[]).join(", ");
  const [text, setText] = useState<string | null>(null);
  const numbers = (line: string) => line.split(/[\s,;]+/).filter(Boolean).map(Number);
  const parsed = vectors ? (text ?? written).split("\n").filter((l) => l.trim()).map(numbers) : numbers(text ?? written);
  const good = vectors ? (parsed as number[][]).every((v) => v.length === 3 && v.every(Number.isFinite)) : (parsed as number[]).every(Number.isFinite);
  const area = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    if (area.current) area.current.rows = Math.min(6, Math.max(1, (text ?? written).split("\n").length, Math.ceil((text ?? written).length / 44)));
  }, [text, written]);
  return (
    <textarea
      ref={area} rows={1} aria-label={label} aria-invalid={!good} value={text ?? written} spellCheck={false}
      onChange={(event) => setText(event.target.value)}
      onBlur={() => {
        if (text !== null && good && text !== written) set(parsed as Value, false);
        setText(null);
      }}
    />
  );
}
