// Baking: where to, in which format; how far it is; the root of what was written.

import { useState, type JSX } from "react";
import { copy } from "../look/download";
import { faultOf, startBake, stopBake } from "../server";
import { get, tell, update, useStore } from "../state/store";
import { Dialog } from "./Dialog";

export function BakeDialog(): JSX.Element {
  const about = useStore((s) => s.about);
  const bake = useStore((s) => s.bake);
  const recipe = useStore((s) => s.good?.recipe.bake);
  const fault = useStore((s) => s.fault);
  const [folder, setFolder] = useState(() => get().file.name?.split("/").pop()?.replace(/\.\w+$/, "") ?? "bake");
  const [format, setFormat] = useState(about?.formats[0] ?? "png16");
  const [range, setRange] = useState("proven");
  const [problem, setProblem] = useState<string | null>(null);
  const [starting, setStarting] = useState(false);
  const running = bake !== null && "done" in bake;
  const start = async () => {
    setProblem(null);
    setStarting(true);
    update({ bake: null });
    try {
      await startBake(get().text, folder, format, range);
    } catch (error) {
      setProblem(faultOf(error).message);
    }
    setStarting(false);
  };
  const stop = () => void stopBake().then(() => update({ bake: null }), (error: unknown) => tell(faultOf(error).message, true));
  return (
    <Dialog title="Bake">
      {recipe && <p className="dim">{recipe.tiles[0]} × {recipe.tiles[1]} tiles of {recipe.tile}² samples, {recipe.spacing} apart{about?.out ? <>, into a folder in <code>{about.out}</code></> : ""}.</p>}
      <div className="form">
        <label><span>Folder</span><input value={folder} disabled={running} onChange={(event) => setFolder(event.target.value)} spellCheck={false} /></label>
        <label>
          <span>Format</span>
          <select value={format} disabled={running} onChange={(event) => setFormat(event.target.value)}>
            {about?.formats.map((f) => <option key={f}>{f}</option>)}
          </select>
        </label>
        <label>
          <span>Range</span>
          <input value={range} list="ranges" disabled={running} onChange={(event) => setRange(event.target.value)} title="proven, measured, or LO,HI" />
          <datalist id="ranges"><option>proven</option><option>measured</option></datalist>
        </label>
      </div>
      {bake && "done" in bake && (
        <p role="status" className="progress">
          <progress value={bake.done} max={bake.total || 1} aria-label="Tiles baked" /> {bake.done} of {bake.total} tiles
        </p>
      )}
      {bake && "root" in bake && (
        <div role="status" className="done">
          <p>{bake.files} files in <code>{bake.folder}</code></p>
          <p className="root"><span>root</span><code>{bake.root}</code><button type="button" onClick={() => void copy(bake.root, "The root")}>Copy</button></p>
        </div>
      )}
      {bake && "error" in bake && <p className="fault" role="alert">{bake.error.message}</p>}
      {problem && <p className="fault" role="alert">{problem}</p>}
      {fault && <p className="fault">The text has a mistake; mend it first.</p>}
      <footer>
        {running
          ? <button type="button" onClick={stop}>Stop</button>
          : <button type="button" className="main" disabled={starting || fault !== null} onClick={() => void start()}>Bake</button>}
      </footer>
    </Dialog>
  );
}
