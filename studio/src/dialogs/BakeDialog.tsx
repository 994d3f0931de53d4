// The bake dialog: folder, destination and format, then progress, then the root hash of the result.

import { useState, type JSX } from "react";
import { copy } from "../look/download";
import { NumberBox } from "../panel/fields";
import type { BakeWanted, Good } from "../protocol";
import { aborted, faultOf, startBake, stopBake } from "../server";
import { withValues } from "../state/recipe";
import { get, tell, update, useStore } from "../state/store";
import { transport } from "../transport";
import { BakeLayers, chosenOf, namesOf, type Chosen } from "./BakeLayers";
import { BakePlan, usePlan } from "./BakePlan";
import { Dialog } from "./Dialog";

/** The layers that the recipe writes, the output first. */
function usualLayers(good: Good): string[] {
  return [...new Set([good.recipe.output, ...(good.recipe.bake.layers ?? [])])];
}

/** Layers that can be heights: the output if it has one channel, else the first other layer that has. */
function usualHeights(good: Good): string | undefined {
  const numbers = (name: string) => good.layers.some((l) => l.layer === name && l.channels === 1);
  return [good.recipe.output, ...(good.recipe.bake.layers ?? [])].find(numbers);
}

export function BakeDialog(): JSX.Element {
  const about = useStore((s) => s.about);
  const bake = useStore((s) => s.bake);
  const good = useStore((s) => s.good);
  const text = useStore((s) => s.text);
  const fault = useStore((s) => s.fault);
  const own = good?.recipe.bake.for;
  const [folder, setFolder] = useState(() => get().file.name?.split("/").pop()?.replace(/\.\w+$/, "") ?? "bake");
  const [target, setTarget] = useState(own ?? "");
  const [heights, setHeights] = useState<string>();
  /** The layers to write, where they were chosen. */
  const [layers, setLayers] = useState<Chosen | null>(null);
  const [tile, setTile] = useState<number>();
  const [format, setFormat] = useState<string>();
  const [range, setRange] = useState("");
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const running = bake !== null && "done" in bake;
  const destination = about?.destinations.find((d) => d.name === target);
  const first = heights ?? (good ? usualHeights(good) : undefined);
  const usual = good ? usualLayers(good) : [];
  const chosen = layers ?? chosenOf(usual);
  // The layers that the recipe writes come first.
  const withRank = withValues(good?.layers ?? []).map((l) => ({ l, rank: usual.indexOf(l.layer) < 0 ? usual.length : usual.indexOf(l.layer) }));
  const listed = withRank.sort((a, b) => a.rank - b.rank).map(({ l }) => l);
  // Without a destination any layer may come first, and the recipe's does.
  const names = namesOf(chosen, destination ? first : undefined);
  const wanted: BakeWanted = {
    folder, tile, format, for: target || undefined, range: range.trim() || undefined,
    layers: names.length > 0 && names.join() !== usual.join() ? names.join() : undefined,
  };
  const { plan, refusal } = usePlan(text, wanted);
  const formats = destination?.formats ?? about?.formats ?? [];
  const { served, bakeInto, writesFolders } = transport();
  const start = async (where: "zip" | "folder") => {
    setProblem(null);
    setStarting(true);
    update({ bake: null });
    try {
      await bakeInto?.(where);
      await startBake(get().text, wanted);
    } catch (error) {
      // No folder was chosen.
      if (!aborted(error)) setProblem(faultOf(error).message);
    }
    setStarting(false);
  };
  const stop = () => void stopBake().then(() => update({ bake: null }), (error: unknown) => tell(faultOf(error).message, true));
  const choose = (name: string) => {
    setTarget(name);
    // Each takes formats of its own.
    setFormat(undefined);
  };
  const barred = names.length === 0 ? "No layer is chosen; allowed: one or more." : fault ? "The text has a mistake; mend it first." : refusal;
  return (
    <Dialog title="Bake">
      <div className="form">
        <label><span>Folder</span><input value={folder} disabled={running} onChange={(event) => setFolder(event.target.value)} spellCheck={false} /></label>
        <label>
          <span>For</span>
          <select aria-label="For" value={target} disabled={running} onChange={(event) => choose(event.target.value)}>
            {!own && <option value="">no program in particular</option>}
            {about?.destinations.map((d) => <option key={d.name} value={d.name}>{d.name}</option>)}
          </select>
        </label>
        {destination && <p className="dim about">{destination.doc}</p>}
        {destination && good && (
          <label>
            <span>Heights</span>
            <select aria-label="Heights" value={first ?? ""} disabled={running} onChange={(event) => setHeights(event.target.value)}>
              {!first && <option value="">{good.recipe.output}</option>}
              {withValues(good.layers).filter((l) => l.channels === 1).map((l) => <option key={l.layer}>{l.layer}</option>)}
            </select>
          </label>
        )}
        {good && (
          <BakeLayers layers={listed} first={destination ? first : undefined} chosen={chosen} disabled={running} set={setLayers} />
        )}
        <label><span>Tile</span><NumberBox whole bounds={[1, 16384]} value={tile ?? good?.recipe.bake.tile ?? 512} label="Tile" set={setTile} /></label>
        <label>
          <span>Format</span>
          <select aria-label="Format" value={format ?? plan?.files[0]?.format ?? formats[0] ?? ""} disabled={running} onChange={(event) => setFormat(event.target.value)}>
            {formats.map((f) => <option key={f}>{f}</option>)}
          </select>
        </label>
        <label>
          <span>Range</span>
          <input value={range} list="ranges" placeholder="proven, else measured" disabled={running} onChange={(event) => setRange(event.target.value)} title="proven, measured, or LO,HI" />
          <datalist id="ranges"><option>proven</option><option>measured</option></datalist>
        </label>
      </div>
      {plan && !barred && <BakePlan plan={plan} out={about?.out ?? null} />}
      {bake && "done" in bake && (
        <p role="status" className="progress">
          <progress {...(bake.total ? { value: bake.done, max: bake.total } : {})} aria-label="Tiles baked" />{" "}
          {bake.step ?? "starting"}{bake.total ? `: ${bake.done} of ${bake.total}` : ""}
        </p>
      )}
      {bake && "root" in bake && (
        <div role="status" className="done">
          <p>{bake.files} files in <code>{bake.folder}</code></p>
          <p className="root"><span>root</span><code>{bake.root}</code><button type="button" onClick={() => void copy(bake.root, "The root")}>Copy</button></p>
        </div>
      )}
      {bake && "error" in bake && <p className="fault" role="alert">{bake.error.message}</p>}
      {(barred ?? problem) && <p className="fault" role="alert">{barred ?? problem}</p>}
      <footer>
        {running
          ? <button type="button" onClick={stop}>Stop</button>
          : served
            ? <button type="button" className="main" disabled={starting || barred !== null} onClick={() => void start("folder")}>Bake</button>
            : (
              <>
                {writesFolders && <button type="button" disabled={starting || barred !== null} onClick={() => void start("folder")}>Bake to a folder…</button>}
                <button type="button" className="main" disabled={starting || barred !== null} onClick={() => void start("zip")}>Bake to a zip file</button>
              </>
            )}
      </footer>
    </Dialog>
  );
}
