// The recipe as text in other forms: shaders of the layer in the picture, and the recipe itself.

import { useEffect, useState, type JSX } from "react";
import { copy, download } from "../look/download";
import { layerToShow } from "../map/source";
import { code, faultOf, shader } from "../server";
import { withValues } from "../state/recipe";
import { get, useStore } from "../state/store";
import { Dialog } from "./Dialog";

const CODES: [string, string, string][] = [["toml", "TOML", "toml"], ["json", "JSON", "json"], ["rust", "Rust", "rs"], ["python", "Python", "py"]];

interface Found {
  /** The request, as a key. */
  key: string;
  text: string;
  problem: string | null;
}

const NOTHING: Found = { key: "", text: "", problem: null };

export function ExportDialog(): JSX.Element {
  const targets = useStore((s) => s.about?.targets ?? []);
  const good = useStore((s) => s.good);
  const first = useStore(layerToShow);
  const [layer, setLayer] = useState(first ?? "");
  const [form, setForm] = useState("toml");
  const [found, setFound] = useState(NOTHING);
  const isShader = targets.includes(form);
  const key = JSON.stringify([form, isShader && layer, good?.id]);
  // The text of another form would stay for a frame.
  const { text, problem } = found.key === key ? found : NOTHING;

  useEffect(() => {
    let gone = false;
    const asked = form === "toml" ? Promise.resolve(get().text) : !good ? Promise.reject(new Error("The recipe has a mistake."))
      : isShader ? shader(good.id, layer, form) : code(good.id, form);
    const take = (text: string, problem: string | null) => !gone && setFound({ key, text, problem });
    asked.then((text) => take(text, null), (error: unknown) => take("", faultOf(error).message));
    return () => {
      gone = true;
    };
  }, [key, form, layer, good, isShader]);

  const ending = CODES.find(([as]) => as === form)?.[2] ?? (form === "msl" ? "metal" : form);
  const stem = isShader ? layer.replace(".", "_") : (get().file.name?.replace(/\.toml$/, "").split("/").pop() ?? "recipe");
  return (
    <Dialog title="Export" wide>
      <div className="exportform">
        <div className="segments" role="radiogroup" aria-label="Form">
          {CODES.map(([as, label]) => (
            <button key={as} type="button" role="radio" aria-checked={form === as} className={form === as ? "on" : ""} onClick={() => setForm(as)}>{label}</button>
          ))}
          {targets.map((target) => (
            <button key={target} type="button" role="radio" aria-checked={form === target} className={form === target ? "on" : ""} onClick={() => setForm(target)}>
              {target.toUpperCase()}
            </button>
          ))}
        </div>
        {isShader && (
          <label className="inline">
            <span>of</span>
            <select value={layer} aria-label="Layer" onChange={(event) => setLayer(event.target.value)}>
              {withValues(good?.layers ?? []).filter((l) => l.noise).map((l) => <option key={l.layer}>{l.layer}</option>)}
              {!good?.layers.some((l) => l.layer === layer && l.noise) && <option>{layer}</option>}
            </select>
          </label>
        )}
      </div>
      {problem ? <p className="fault" role="alert">{problem}</p> : <pre className="code" tabIndex={0} aria-label={`The recipe as ${form}`}>{text}</pre>}
      <footer>
        <span className="dim">{text ? `${text.split("\n").length.toLocaleString("en")} lines, ${(text.length / 1024).toFixed(1)} KiB` : ""}</span>
        <span className="gap" />
        <button type="button" disabled={!text} onClick={() => void copy(text, form.toUpperCase())}>Copy</button>
        <button type="button" className="main" disabled={!text} onClick={() => download(`${stem}.${ending}`, new Blob([text], { type: "text/plain" }))}>Download</button>
      </footer>
    </Dialog>
  );
}
