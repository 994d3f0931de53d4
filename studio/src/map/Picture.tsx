// The picture: a canvas that the painter owns, a second one for marks, and what is said about the place under the pointer.

import { useEffect, useRef, useState, type JSX } from "react";
import { places as askPlaces } from "../server";
import { get, subscribe, update, useStore } from "../state/store";
import { drawMarks } from "./overlay";
import { Painter } from "./painter";
import { pick, placeOf } from "./picking";
import { PictureBar } from "./PictureBar";
import { homeView } from "./home";
import { useKinds } from "./kinds";
import { listen } from "./pointers";
import { ProbeLine } from "./ProbeLine";
import { Seams } from "./Seams";
import { pictureChanged, sharePainter } from "./shared";
import { useRivers } from "./rivers";
import { useRules } from "./rules";
import { layerToShow, sourceFor, worldOf } from "./source";
import { useCompared } from "./compared";
import { approximate, moved } from "./view";
import { Wiper } from "./Wiper";

/** `inDepth` is drawn in place of the map while the relief is looked at. */
export function Picture({ inDepth }: { inDepth: JSX.Element }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const canvas = useRef<HTMLCanvasElement>(null);
  const marks = useRef<HTMLCanvasElement>(null);
  const [painter, setPainter] = useState<Painter | null>(null);
  const [hover, setHover] = useState<{ x: number; y: number } | null>(null);
  const [wiper, setWiper] = useState(0.5);
  const [failed, setFailed] = useState<string | null>(null);
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const layer = useStore(layerToShow);
  const style = useStore((s) => s.style);
  const z = useStore((s) => s.z);
  const relief = useStore((s) => s.relief);
  const fault = useStore((s) => s.fault);
  const picking = useStore((s) => s.picking);
  const selected = useStore((s) => s.selection[s.selection.length - 1]);
  const compared = useCompared();
  const rivers = useRivers(painter);
  const askKinds = useKinds(painter);
  const placed = useStore((s) => s.placeRules.found);
  const rules = useRules();
  const broken = useRef<[number, number][]>([]);
  broken.current = typeof rules === "string" ? [] : rules.flatMap(({ at }) => (at === null ? [] : [at]));
  const scattered = useRef<{ key: string; list: [number, number][] }>({ key: "", list: [] });

  useEffect(() => {
    const made = new Painter(canvas.current!);
    sharePainter(made);
    setPainter(made);
    const measure = () => {
      const { width, height } = box.current!.getBoundingClientRect();
      // Hidden behind the relief it has no size; what it shows stays as it was.
      if (width > 0 && height > 0) made.resize(Math.floor(width), Math.floor(height), Math.min(2, window.devicePixelRatio || 1));
    };
    const watcher = new ResizeObserver(measure);
    watcher.observe(box.current!);
    measure();
    const silence = listen(box.current!, made, setHover, (at) => {
      const spacing = made.shown?.source.spacing ?? 1;
      const of = (axis: "x" | "y", half: number) => approximate(moved(made.view[axis], (at[axis] - half) * made.view.scale)) * spacing;
      pick(of("x", made.width / 2), of("y", made.height / 2), made.view.scale * spacing);
    });
    return () => {
      watcher.disconnect();
      silence();
      made.close();
      sharePainter(null);
    };
  }, []);

  // At the first recipe, the view shows the world that is baked, or as much of it as makes a good picture.
  const framed = useRef(false);
  useEffect(() => {
    if (!painter || !good || framed.current) return;
    framed.current = true;
    painter.setView(homeView(painter));
  }, [painter, good]);

  useEffect(() => painter?.setStyle(style), [painter, style]);
  useEffect(() => painter?.rest(relief), [painter, relief]);
  useEffect(() => {
    if (!painter) return;
    // Straight from the state: what the picture needs is asked for before the page around it is drawn anew.
    let before: unknown[] = [];
    const follow = () => {
      const { about, good, z, relief } = get();
      const layer = layerToShow(get());
      const now = [about, good, z, relief, layer];
      if (now.every((part, i) => part === before[i])) return;
      before = now;
      if (about && good && layer && !relief) painter.setSource(sourceFor(about, good, layer, z));
    };
    follow();
    return subscribe(follow);
  }, [painter]);
  useEffect(() => {
    // A revision that has no such layer yet shows its output.
    const other = compared && about && layer ? (sourceFor(about, compared, layer, z) ?? sourceFor(about, compared, compared.recipe.output, z)) : null;
    painter?.setOther(other, wiper);
  }, [painter, compared, about, layer, z, wiper]);

  useEffect(() => {
    if (!painter) return;
    let flight: AbortController | null = null;
    let timer: ReturnType<typeof setTimeout>;
    const fetchPlaces = () => {
      const { style: now, good: recipe } = get();
      if (now.places === null || !recipe) return;
      const { spacing } = recipe.recipe.bake;
      const { view, width, height } = painter;
      const [cx, cy] = [approximate(view.x) * spacing, approximate(view.y) * spacing];
      const [rx, ry] = [(width / 2) * view.scale * spacing, (height / 2) * view.scale * spacing];
      const key = [cx, cy, rx, ry, now.places].join();
      if (key === scattered.current.key) return;
      if ((4 * rx * ry) / now.places ** 2 > 20_000) {
        scattered.current = { key, list: [] };
        return;
      }
      flight?.abort();
      flight = new AbortController();
      askPlaces({ x0: cx - rx, y0: cy - ry, x1: cx + rx, y1: cy + ry }, now.places, 0, flight.signal)
        .then((list) => {
          scattered.current = { key, list };
          painter.ask();
        })
        .catch(() => {});
    };
    painter.onPaint = () => {
      const now = get();
      drawMarks(marks.current!, painter.frame, {
        tile: now.style.borders ? (now.good?.recipe.bake.tile ?? null) : null,
        spacing: now.good?.recipe.bake.spacing ?? 1,
        places: now.style.places === null ? [] : scattered.current.list,
        kinds: now.placeRules.found?.places ?? [],
        rivers: rivers.current && now.good ? { found: rivers.current, longer: now.good.recipe.bake.tile * Math.max(...now.good.recipe.bake.tiles) } : null,
        world: now.good && painter.shown ? worldOf(now.good, painter.shown.source.noise) : null,
        dark: now.theme === "dark",
        broken: broken.current,
        place: now.good ? placeOf(now.good, now.selection[now.selection.length - 1]) : null,
      });
      setFailed(painter.error);
      const shown = painter.shown;
      const element = canvas.current!;
      element.dataset.shown = shown?.covers ? shown.source.id : "";
      element.dataset.key = shown?.covers ? shown.source.key : "";
      element.dataset.layer = shown?.source.layer ?? "";
      element.dataset.whole = String(painter.settled);
      if (now.style.places !== null) {
        clearTimeout(timer);
        timer = setTimeout(fetchPlaces, 150);
      }
      askKinds();
      pictureChanged();
    };
    painter.ask();
    return () => clearTimeout(timer);
  }, [painter]);
  useEffect(() => painter?.ask(), [painter, style, rules, placed, selected, good]);

  return (
    <section className="picture" aria-label="Picture">
      <PictureBar painter={painter} />
      <div className="stagebox">
        <div
          className={picking ? "map picking" : "map"} ref={box} onKeyDown={(event) => event.key === "Escape" && update({ picking: null })} tabIndex={0} role="application" hidden={relief}
          aria-label={`Map of ${layer ?? "nothing"}. Arrow keys move it, plus and minus zoom.`}
        >
          <canvas ref={canvas} className="pixels" />
          <canvas ref={marks} className="marks" />
          {compared && <Wiper at={wiper} move={setWiper} />}
        </div>
        {relief && inDepth}
        {fault && good && (
          <p className="banner" role="status">
            The text has a mistake{fault.line === null ? "" : ` in line ${fault.line}`}; this is the last picture that was right.{" "}
            <button type="button" className="link" onClick={() => update({ left: "text" })}>Show</button>
          </p>
        )}
        {picking && !relief && (
          <p className="banner" role="status">
            Click on the map to set {picking.name}.{picking.param}{picking.as === "distance" ? ": the distance from its centre" : ""}.{" "}
            <button type="button" className="link" onClick={() => update({ picking: null })}>Cancel</button>
          </p>
        )}
        {failed && !relief && <p className="banner bad" role="alert">{failed}</p>}
        {!good && !fault && <p className="empty">Loading…</p>}
        {!good && fault && <EmptyHint />}
        {style.borders && !relief && painter && <Seams painter={painter} rules={rules} />}
      </div>
      <ProbeLine painter={painter} hover={relief ? null : hover} />
    </section>
  );
}

function EmptyHint(): JSX.Element {
  const empty = useStore((s) => s.text.trim() === "");
  const fault = useStore((s) => s.fault);
  return (
    <p className="empty">
      {empty ? "There is no picture yet. Add a node with the space bar." : `There is no picture yet: ${fault?.message ?? "the text has a mistake"}`}
    </p>
  );
}
