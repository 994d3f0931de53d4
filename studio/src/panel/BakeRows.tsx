// With nothing selected: how the recipe is baked, and what each node costs.

import type { JSX } from "react";
import { change } from "../state/actions";
import { withValues } from "../state/recipe";
import { useStore } from "../state/store";
import { NumberBox } from "./fields";

export function BakeRows(): JSX.Element {
  const bake = useStore((s) => s.good?.recipe.bake);
  const output = useStore((s) => s.good?.recipe.output);
  const good = useStore((s) => s.good);
  if (!bake || !good) return <p className="empty">Nothing to set yet.</p>;
  const set = (param: string, value: number | number[]) => void change([{ op: "bake", param, value }], `bake.${param}`);
  const shownOutputs = withValues(good.layers).map((l) => l.layer);
  return (
    <div className="parameters">
      <header><h2>Recipe</h2><span className="dim">select a node to see its parameters</span></header>
      <div className="fields">
        <div className="field">
          <div className="label"><span>output</span></div>
          <select
            aria-label="Output" value={shownOutputs.includes(output ?? "") ? output : ""}
            onChange={(event) => void change([{ op: "output", name: event.target.value }], "output")}
          >
            {!shownOutputs.includes(output ?? "") && <option value="">{output}</option>}
            {shownOutputs.map((name) => <option key={name}>{name}</option>)}
          </select>
        </div>
        <Row label="tile" title="Samples along each edge of a tile"><NumberBox whole bounds={[1, 16384]} value={bake.tile} label="Samples of a tile" set={(v) => set("tile", v)} /></Row>
        <Row label="tiles" title="Number of tiles along x and y">
          <div className="vector">
            {bake.tiles.map((n, i) => (
              <NumberBox key={i} whole bounds={[1, 16_777_216]} value={n} label={`Tiles along ${"xy"[i]}`} set={(v) => set("tiles", bake.tiles.map((old, k) => (k === i ? v : old)))} />
            ))}
          </div>
        </Row>
        <Row label="spacing" title="World units between samples"><NumberBox bounds={[1e-9, 1e9]} value={bake.spacing} label="World units between samples" set={(v) => set("spacing", v)} /></Row>
        <Row label="z" title="Height of the plane in the volume"><NumberBox value={bake.z} label="z of the plane" set={(v) => set("z", v)} /></Row>
      </div>
    </div>
  );
}

function Row({ label, title, children }: { label: string; title: string; children: JSX.Element }): JSX.Element {
  return (
    <div className="field">
      <div className="label" title={title}><span>{label}</span></div>
      {children}
    </div>
  );
}
