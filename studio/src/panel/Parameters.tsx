// The parameters of what is selected, made from the table of kinds.

import { useState, type JSX } from "react";
import type { Param, Row, Value } from "../protocol";
import { Icon } from "../look/icons";
import { change } from "../state/actions";
import { kindOf, layersOf, rowOf, same } from "../state/recipe";
import { update, useStore, type Item } from "../state/store";
import { remove, setOutput } from "../graph/edits";
import { BakeRows } from "./BakeRows";
import { CurveEditor, fromRows, toRows, type CurveForm } from "./CurveEditor";
import { ChoiceControl, FlagControl, ListControl, NumberControl, SeedControl, VectorControl, WordControl } from "./fields";
import { GradientEditor, type Stop } from "./GradientEditor";
import { InputControl } from "./InputControl";
import { number } from "../map/overlay";
import { pickedAs } from "../map/picking";

const FORMS: Record<string, CurveForm> = {
  control_points: { x: "at", y: "value", slopes: true },
  quantile_points: { x: "probability", y: "value", slopes: false, unit: [0, 1] },
  radial_points: { x: "frequency", y: "amplitude", slopes: false, unit: [0, 1] },
};

export function Parameters(): JSX.Element {
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const item = useStore((s) => s.selection[s.selection.length - 1]);
  const many = useStore((s) => s.selection.length);
  const fault = useStore((s) => s.fault);
  const [help, setHelp] = useState<string | null>(null);
  const row = item && rowOf(good?.recipe, item);
  const kind = about && item && row && kindOf(about, item, row);
  if (!about || !good) return <p className="empty">Nothing to set yet.</p>;
  if (!item || !row || !kind) return <BakeRows />;
  const layer = layersOf(good, item)[0];
  const bad = fault?.name === item.name ? fault : null;
  return (
    <div className="parameters" key={`${item.table}.${item.name}`}>
      <header>
        <h2>{item.name}</h2>
        <span className={`tag ${item.table}`}>{kind.kind}</span>
        {many > 1 && <span className="dim">and {many - 1} more</span>}
        <span className="gap" />
        {good.recipe.output === layer?.layer
          ? <span className="dim">output</span>
          : layer?.channels !== 0 && <button type="button" className="tool" onClick={() => setOutput(item)} title="Make this the recipe's output (O)">Output</button>}
        <button type="button" className="tool" onClick={() => update({ renaming: item, left: "graph" })} title="Rename (F2)">Rename</button>
        <button type="button" className="tool" onClick={() => remove([item])} title="Delete" aria-label={`Delete ${item.name}`}><Icon name="trash" /></button>
      </header>
      <p className="doc" title={kind.doc}>{brief(help ?? kind.doc)}</p>
      {bad && <p className="fault" role="alert">{bad.message}</p>}
      <div className="fields">
        {kind.params.map((param) => <Field key={param.name} item={item} row={row} param={param} help={setHelp} bad={bad?.param === param.name} />)}
      </div>
      {kind.params.length === 0 && <p className="dim">It has no parameters.</p>}
      {layer?.range && <p className="dim facts">proven within {number(layer.range[0])} … {number(layer.range[1])}{layer.cost === null ? "" : ` · ${number(layer.cost, 3)} evaluations a sample`}</p>}
    </div>
  );
}

function brief(doc: string): string {
  return doc.trim().split(/\n\s*\n/)[0]!.replaceAll("`", "").replace(/\s+/g, " ");
}

interface FieldProps { item: Item; row: Row; param: Param; help: (doc: string | null) => void; bad: boolean }

function Field({ item, row, param, help, bad }: FieldProps): JSX.Element {
  const value = row[param.name] ?? null;
  const label = param.name.replaceAll("_", " ");
  const set = (next: Value, merge: boolean) =>
    void change([{ op: "set", ...item, param: param.name, value: next }], `${item.name}.${param.name}`, merge ? `${item.table}.${item.name}.${param.name}` : null);
  const unset = value === null && param.type !== "input";
  const changed = JSON.stringify(value) !== JSON.stringify(param.default) && param.type !== "input";
  const type = typeof param.type === "string" ? param.type : "choice";
  const wide = ["control_points", "quantile_points", "radial_points", "colour_stops", "numbers", "vectors", "vector"].includes(type) && !unset;
  return (
    <div
      className={`field${wide ? " wide" : ""}${bad ? " bad" : ""}`} onPointerEnter={() => help(param.doc)} onPointerLeave={() => help(null)}
      onFocus={() => help(param.doc)} onBlur={() => help(null)}
    >
      <div className="label" title={param.unit ? `${param.doc.trim()}\nUnit: ${param.unit}` : param.doc}>
        <span>{label}</span>
        {structural(param) && <i title="Changing it compiles another kernel" aria-label="compiles another kernel">◆</i>}
        {changed && (
          <button type="button" title={param.optional ? "Not given" : "Default"} aria-label={`Reset ${label}`} onClick={() => set(null, false)}>
            <Icon name="reset" />
          </button>
        )}
      </div>
      {unset
        ? <button type="button" className="unset" onClick={() => set(startValue(param), false)} title="Set a value">not set</button>
        : <Control item={item} param={param} value={value} set={set} label={`${item.name} ${label}`} />}
    </div>
  );
}

interface ControlProps { item: Item; param: Param; value: Value; set: (value: Value, merge: boolean) => void; label: string }

function Control({ item, param, value, set, label }: ControlProps): JSX.Element {
  const common = { param, set, label };
  if (typeof param.type === "object") return <ChoiceControl {...common} value={String(value)} words={param.type.choice.words} />;
  switch (param.type) {
    case "whole":
    case "number":
      if (param.allowed === "seed") {
        const more = () => update({ dialog: { kind: "variations", of: { ...item, param: param.name } } });
        return <SeedControl {...common} value={value as number | string} more={more} />;
      }
      return <OnMap item={item} param={param} label={label}><NumberControl {...common} value={Number(value)} /></OnMap>;
    case "flag":
      return <FlagControl {...common} value={Boolean(value)} />;
    case "pair":
    case "vector":
      return <OnMap item={item} param={param} label={label}><VectorControl {...common} value={value as number[]} /></OnMap>;
    case "numbers":
    case "vectors":
      return <ListControl {...common} value={value as number[]} />;
    case "input":
      return <InputControl {...common} item={item} value={value as string | number | null} />;
    case "file":
    case "hash":
      return <WordControl {...common} value={String(value)} />;
    case "colour_stops":
      return <GradientEditor stops={value as unknown as Stop[]} label={label} set={(stops, merge) => set(stops as unknown as Value, merge)} />;
    default: {
      const form = FORMS[param.type]!;
      const rows = value as { [key: string]: Value }[];
      if (rows.length < 2) {
        return <button type="button" className="wide" onClick={() => set(toRows(FIRST, form), false)}>Use custom points</button>;
      }
      return <CurveEditor points={fromRows(rows, form)} form={form} label={label} set={(points, merge) => set(toRows(points, form), merge)} />;
    }
  }
}

/** A control, with a button where a click on the map can set the parameter. */
function OnMap({ item, param, label, children }: { item: Item; param: Param; label: string; children: JSX.Element }): JSX.Element {
  const row = useStore((s) => rowOf(s.good?.recipe, item));
  const waits = useStore((s) => s.picking !== null && same(s.picking, item) && s.picking.param === param.name);
  const as = pickedAs(param, row);
  if (as === null) return children;
  return (
    <div className="onmap">
      {children}
      <button
        type="button" className={waits ? "tool on" : "tool"} aria-pressed={waits} aria-label={`Set ${label} on the map`} title="Set it by a click on the map"
        onClick={() => update({ picking: waits ? null : { ...item, param: param.name, as }, relief: false })}
      >
        <Icon name="target" />
      </button>
    </div>
  );
}

/** Structural parameters, which determine the kernel. All other numbers are live. */
function structural({ allowed }: Param): boolean {
  return allowed === "structural" || (typeof allowed === "object" && "dimensions" in allowed);
}

const FIRST = [{ x: 0, y: 0, in: 0, out: 0 }, { x: 1, y: 1, in: 0, out: 0 }];

/** The initial value of an optional parameter when it is set. */
function startValue(param: Param): Value {
  if (typeof param.type === "object") return param.type.choice.words[0] ?? null;
  switch (param.type) {
    case "vector": return [0, 0, 0];
    case "pair": return [0, 1];
    case "numbers": return [1];
    case "vectors": return [[0, 0, 0]];
    case "flag": return true;
    case "file": return "heights.png";
    case "hash": return "0".repeat(64);
    default: return typeof param.allowed === "object" && "between" in param.allowed ? Math.max(0, param.allowed.between[0]) : 0;
  }
}
