// The relief in three dimensions: requests rings of samples around the view's middle, or the surface of a volume there, and
// passes them to the scene.

import { useEffect, useRef, useState, type CSSProperties, type JSX, type KeyboardEvent } from "react";
import { scaleOf, extent } from "../map/shade";
import { thePainter } from "../map/shared";
import { heightSource, layerToShow, sourceFor, worldOf } from "../map/source";
import { NumberBox, show } from "../panel/fields";
import { aborted, faultOf } from "../server";
import { findLayer, hasLight, heightLayer, isMask, seaOf, withValues } from "../state/recipe";
import { useStore } from "../state/store";
import { resolved } from "../state/style";
import { gridsOf } from "./grids";
import { askRing, EDGE, LONE_EDGE, RINGS, type Ring } from "./rings";
import type { ReliefScene } from "./scene";
import { askSolid, CELLS, type Solid } from "./volume";

type SceneModule = typeof import("./scene");

export function Relief(): JSX.Element {
  const canvas = useRef<HTMLCanvasElement>(null);
  const box = useRef<HTMLDivElement>(null);
  const scene = useRef<ReliefScene | null>(null);
  const [ready, setReady] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const [{ rings, lit }, setShown] = useState<{ rings: Ring[]; lit: boolean }>({ rings: [], lit: false });
  const [lift, setLift] = useState(1);
  const [moves, setMoves] = useState(0);
  const [asVolume, setAsVolume] = useState(false);
  const [level, setLevel] = useState<number | null>(null);
  /** The layer of heights, if it was chosen. */
  const [heightsOf, setHeightsOf] = useState<string | null>(null);
  /** The level of the sea, or none; undefined until it was chosen. */
  const [seaAt, setSeaAt] = useState<number | null>();
  const [shadows, setShadows] = useState(true);
  const [solid, setSolid] = useState<Solid | null>(null);
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const layer = useStore(layerToShow);
  const style = useStore((s) => s.style);
  const theme = useStore((s) => s.theme);
  const z = useStore((s) => s.z);
  const found = good && layer ? findLayer(good, layer) : undefined;
  const of = good && heightsOf !== null && findLayer(good, heightsOf) ? heightsOf : null;
  const usual = good && layer ? heightLayer(good, layer) : undefined;
  // The colours of a finished map have their water already; it lies flat.
  const sea = seaAt === undefined ? (good && found && found.channels > 1 ? seaOf(good) : null) : seaAt;
  // Stages have no third dimension.
  const volume = asVolume && found?.noise === true;
  const [low, high] = found?.range ?? [-1, 1];
  const at = Math.min(high, Math.max(low, level ?? (low + high) / 2));

  useEffect(() => {
    let gone = false;
    let watcher: ResizeObserver | null = null;
    const path = "/assets/relief.js";
    (import(path) as Promise<SceneModule>).then(
      ({ makeScene }) => {
        if (gone) return;
        try {
          const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
          scene.current = makeScene(canvas.current!, still, () => canvas.current?.setAttribute("data-drawn", "true"));
        } catch {
          setProblem("This browser has no WebGL, which the relief needs. The map shows the same heights.");
          return;
        }
        watcher = new ResizeObserver(() => {
          const { width, height } = box.current!.getBoundingClientRect();
          scene.current?.resize(Math.floor(width), Math.floor(height));
        });
        watcher.observe(box.current!);
        setReady(true);
      },
      () => setProblem("The relief could not be loaded from the server."),
    );
    return () => {
      gone = true;
      watcher?.disconnect();
      scene.current?.close();
      scene.current = null;
    };
  }, []);

  useEffect(() => {
    if (ready) scene.current?.sky(getComputedStyle(document.documentElement).getPropertyValue("--sky").trim());
  }, [ready, theme]);

  useEffect(() => {
    if (ready) scene.current?.shadows(shadows);
  }, [ready, shadows]);

  useEffect(() => {
    const painter = thePainter();
    if (!ready || !painter || !about || !good || !layer || volume) return;
    const heights = of ? sourceFor(about, good, of, z) : heightSource(about, good, layer, z);
    const tints = sourceFor(about, good, layer, z);
    if (!heights) {
      setProblem("This layer is made from no heights, so it has no relief.");
      return;
    }
    setProblem(null);
    const flight = new AbortController();
    const lit = hasLight(about, good, layer);
    // The inner ring has about the map's width within three rings.
    const wide = painter.width * painter.view.scale;
    const noise = heights.noise && (!tints || tints.noise);
    const edge = noise ? EDGE : LONE_EDGE;
    const level = noise ? Math.round(Math.log2(wide / (EDGE * 4))) : Math.max(0, Math.ceil(Math.log2(wide / LONE_EDGE) - 0.4));
    const got: Ring[] = [];
    const levels = Array.from({ length: noise ? RINGS : 1 }, (_, k) => level + k);
    // Keys that are held down ask for the last place only.
    const later = setTimeout(() => void (async () => {
      try {
        for (const at of levels) {
          got.push(await askRing(heights, tints, painter.view, at, edge, flight.signal));
          if (flight.signal.aborted) return;
          setShown({ rings: [...got], lit });
        }
      } catch (error) {
        if (!aborted(error)) setProblem(faultOf(error).message);
      }
    })(), moves > 0 ? 60 : 0);
    return () => {
      clearTimeout(later);
      flight.abort();
    };
  }, [ready, about, good, layer, of, z, moves, volume]);

  useEffect(() => {
    const painter = thePainter();
    const source = about && good && layer ? sourceFor(about, good, layer, z) : null;
    if (!ready || !painter || !source || !volume) return;
    setProblem(null);
    const flight = new AbortController();
    // A level that is dragged asks for the last one only.
    const later = setTimeout(() => void (async () => {
      try {
        for (const cells of CELLS) {
          const found = await askSolid(source, painter.view, painter.width * painter.view.scale, cells, at, flight.signal);
          if (flight.signal.aborted) return;
          setSolid(found);
        }
      } catch (error) {
        if (!aborted(error)) setProblem(faultOf(error).message);
      }
    })(), 60);
    return () => {
      clearTimeout(later);
      flight.abort();
    };
  }, [ready, about, good, layer, z, moves, volume, at]);

  useEffect(() => {
    // The cube is seen whole.
    if (solid && volume) scene.current?.show([solid.grid], 1.8 * solid.size, 0, 1, false);
  }, [solid, volume]);

  useEffect(() => {
    const painter = thePainter();
    const spacing = good?.recipe.bake.spacing ?? 1;
    const first = rings[0];
    if (!scene.current || !painter || !first || volume) return;
    const seen = extent((rings[1] ?? first).heights, spacing * 2 ** (rings[1] ?? first).level);
    if (!seen) return;
    const own = scaleOf(seen);
    const shown = painter.shown?.source.channels === 1 && first.tints === null ? painter.shownScale : own;
    const size = (first.edge === LONE_EDGE ? LONE_EDGE * 0.7 : EDGE * 4) * spacing * 2 ** first.level;
    const world = good && painter.shown ? worldOf(good, painter.shown.source.noise) : null;
    const look = resolved(style, about !== null && good !== null && layer !== null && isMask(about, good, layer));
    // Mountains as high as they would be, but where that is flat or a needle: then a sixth of the width.
    const span = Math.max(1e-12, seen.hi - seen.lo);
    const natural = span / size;
    const factor = natural > 0.08 && natural < 0.3 ? 1 : (0.14 * size) / span;
    scene.current.show(gridsOf(rings, painter.view, spacing, look, shown, world, sea), size, (seen.lo + seen.hi) / 2, factor * style.lift * lift, lit);
  }, [rings, lit, style, lift, good, volume, sea]);

  /** The land moves under the camera, by an eighth of what is seen. */
  const onKey = (event: KeyboardEvent) => {
    const painter = thePainter();
    const by = ({ ArrowLeft: [1, 0], ArrowRight: [-1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] } as Record<string, [number, number]>)[event.key];
    if (!painter || !by || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    painter.pan((by[0] * painter.width) / 8, (by[1] * painter.width) / 8);
    setMoves((n) => n + 1);
  };

  return (
    <div className="relief" ref={box}>
      <canvas
        ref={canvas} className="mesh" tabIndex={0} onKeyDown={onKey} role="application"
        aria-label={`Relief of ${layer ?? "nothing"}. Drag to turn, wheel to come nearer, arrow keys to move.`}
      />
      {!problem && (volume ? !solid : rings.length === 0) && <p className="empty">{ready ? "Computing…" : "Loading the relief…"}</p>}
      {problem && <p className="empty" role="alert">{problem}</p>}
      <div className="liftbar">
        {found?.noise && (
          <div className="segments" role="radiogroup" aria-label="Shown as">
            <button type="button" role="radio" aria-checked={!volume} className={volume ? "" : "on"} onClick={() => setAsVolume(false)}>Heights</button>
            <button
              type="button" role="radio" aria-checked={volume} className={volume ? "on" : ""} onClick={() => setAsVolume(true)}
              title="Show the volume where the noise is at or above the level"
            >Volume</button>
          </div>
        )}
        {volume ? (
          <label>
            <span>Level</span>
            <input
              type="range" min={low} max={high} step={(high - low) / 200} value={at} aria-label="Level"
              style={{ "--at": `${(100 * (at - low)) / (high - low || 1)}%` } as CSSProperties} onChange={(event) => setLevel(Number(event.target.value))}
            />
            <output>{solid?.grid.triangles.length === 0 ? "no surface" : show(Number(at.toPrecision(3)))}</output>
          </label>
        ) : (
          <label>
            <span>Height</span>
            <input
              type="range" min={-3} max={3} step={0.05} value={Math.log2(lift)} aria-label="Vertical scale"
              style={{ "--at": `${(100 * (Math.log2(lift) + 3)) / 6}%` } as CSSProperties}
              onChange={(event) => setLift(2 ** Number(event.target.value))}
            />
            <output>× {lift.toFixed(2)}</output>
          </label>
        )}
        {!volume && good && (
          <>
            <label>
              <span>Layer</span>
              <select aria-label="Heights of the relief" value={of ?? ""} onChange={(event) => setHeightsOf(event.target.value || null)}>
                <option value="">{usual ?? "none"}</option>
                {withValues(good.layers).filter((l) => l.channels === 1 && l.layer !== usual).map((l) => <option key={l.layer}>{l.layer}</option>)}
              </select>
            </label>
            <label>
              <input type="checkbox" checked={sea !== null} aria-label="Sea" onChange={(event) => setSeaAt(event.target.checked ? (seaOf(good) ?? 0) : null)} />
              <span>Sea</span>
              {sea !== null && <NumberBox value={sea} set={setSeaAt} label="Level of the sea" />}
            </label>
            {/* Colours that have their light already are shown as they are. */}
            {!lit && (
              <label>
                <input type="checkbox" checked={shadows} aria-label="Shadows" onChange={(event) => setShadows(event.target.checked)} />
                <span>Shadows</span>
              </label>
            )}
          </>
        )}
      </div>
    </div>
  );
}
