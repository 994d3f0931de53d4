// Rules of places: written or opened here, drawn on the map by kind, and saved in the forms that other programs read.

import { useEffect, useRef, useState, type JSX } from "react";
import { download } from "../look/download";
import { colourOf } from "../map/kinds";
import { thePainter } from "../map/shared";
import { placesApart } from "../map/sheets";
import { faultOf, placeFile, type PlaceForm } from "../server";
import { recall, remember } from "../state/document";
import { get, tell, update, useStore, type State } from "../state/store";

const FORMS: [PlaceForm, string, string][] = [
  ["csv", "CSV", "csv"], ["geojson", "GeoJSON", "geojson"], ["unreal", "Unreal", "csv"], ["unity", "Unity", "json"], ["godot", "Godot", "json"],
];

function setRules(change: Partial<State["placeRules"]>): void {
  update((s) => ({ placeRules: { ...s.placeRules, ...change } }));
}

export function PlaceRules(): JSX.Element {
  const file = useStore((s) => s.file.name);
  const { text, on, found, problem, of } = useStore((s) => s.placeRules);
  const good = useStore((s) => s.good);
  const opened = useRef<HTMLInputElement>(null);
  const [form, setForm] = useState<PlaceForm>("csv");
  const [saving, setSaving] = useState(false);
  useEffect(() => {
    if (of !== (file ?? "")) setRules({ of: file ?? "", text: recall(key(file)) ?? "", found: null, problem: null });
  }, [file, of]);
  const write = (next: string) => {
    remember(key(file), next);
    setRules({ text: next, on: true });
  };
  const save = () => {
    const ending = FORMS.find(([name]) => name === form)![2];
    if (!good) return;
    setSaving(true);
    placeFile(good.id, text, form)
      .then((bytes) => download(`places.${ending}`, bytes), (error: unknown) => tell(faultOf(error).message, true))
      .finally(() => setSaving(false));
  };
  const counts = found?.kinds.map((_, kind) => found.places.filter(([of]) => of === kind).length) ?? [];
  return (
    <div className="placerules">
      <div className="placerow">
        <button type="button" onClick={() => opened.current!.click()}>Open rules</button>
        <input
          ref={opened} type="file" accept=".toml,text/plain" hidden aria-label="File of rules"
          onChange={(event) => {
            void event.target.files?.[0]?.text().then(write);
            event.target.value = "";
          }}
        />
        <button type="button" disabled={text === ""} onClick={() => download("places.toml", new Blob([text], { type: "text/plain" }))}>Save rules</button>
        <label className="inline"><input type="checkbox" checked={on} onChange={(event) => setRules({ on: event.target.checked })} /> On the map</label>
      </div>
      <textarea
        aria-label="Rules of places" spellCheck={false} value={text} rows={10} onChange={(event) => write(event.target.value)}
        placeholder="A table for each kind of places, the most important first."
      />
      {text.trim() === "" && <div className="placerow"><button type="button" disabled={!good} onClick={() => write(example())}>Begin with an example</button></div>}
      {problem && <p className="fault" role="alert">{problem}</p>}
      {found && (
        <ul className="kinds" aria-label="Kinds in the picture">
          {found.kinds.map((name, kind) => (
            <li key={name}><i style={{ background: colourOf(kind) }} /><span>{name}</span><span className="dim">{counts[kind]!.toLocaleString("en")}</span></li>
          ))}
        </ul>
      )}
      <div className="placerow">
        <label className="inline">
          <span>Places as</span>
          <select aria-label="Form of the places" value={form} onChange={(event) => setForm(event.target.value as PlaceForm)}>
            {FORMS.map(([name, label]) => <option key={name} value={name}>{label}</option>)}
          </select>
        </label>
        <button type="button" className="main" disabled={!good || text.trim() === "" || saving} title="All places of the recipe's tiles" onClick={save}>
          {saving ? "Finding…" : "Save places"}
        </button>
      </div>
    </div>
  );
}

function key(file: string | null): string {
  return `orogen-place-rules:${file ?? ""}`;
}

/** Two kinds that suit the picture: trees in the upper half of the output, and stones. */
function example(): string {
  const { good } = get();
  const apart = placesApart(thePainter());
  const output = good?.recipe.output ?? "height";
  const [lo, hi] = good?.layers.find(({ layer }) => layer === output)?.range ?? [0, 1];
  const round = (value: number) => Number(value.toPrecision(2));
  const number = (value: number) => (Number.isInteger(value) ? value.toFixed(1) : String(value));
  const limits = [(lo + hi) / 2, hi, (hi - lo) / 10].map((value) => number(round(value))).join(", ");
  return `[tree]
distance = ${number(apart)}
radius = ${number(round(apart / 3))}
scale = [0.8, 1.3]
limits = { ${JSON.stringify(output)} = [${limits}] }

[stone]
distance = ${number(round(apart / 2))}
radius = ${number(round(apart / 8))}
`;
}
