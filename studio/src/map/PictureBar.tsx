// Above the picture: which layer, how it is drawn, what lies over it.

import type { JSX } from "react";
import { Icon } from "../look/icons";
import { download } from "../look/download";
import { Popover } from "../look/Popover";
import { get, tell, update, useStore } from "../state/store";
import { findLayer, withValues } from "../state/recipe";
import type { Painter } from "./painter";
import { homeView } from "./home";
import { Overlays, RangeSheet, setStyle } from "./sheets";
import { RAMPS } from "./ramp";
import { layerToShow } from "./source";

export function PictureBar({ painter }: { painter: Painter | null }): JSX.Element {
  const good = useStore((s) => s.good);
  const follow = useStore((s) => s.follow);
  const layer = useStore(layerToShow);
  const style = useStore((s) => s.style);
  const relief = useStore((s) => s.relief);
  const compare = useStore((s) => s.compare);
  const z = useStore((s) => s.z);
  const found = findLayer(good, layer ?? "");
  const values = found?.channels === 1;
  const overlays = [style.borders, style.clipped, style.steep !== null, style.contours !== null, style.places !== null, style.rivers].some(Boolean);
  return (
    <div className="bar picturebar" role="toolbar" aria-label="Picture">
      <select
        className="layer" aria-label="Layer in the picture" value={typeof follow === "string" ? follow : `=${follow.layer}`}
        onChange={(event) => {
          const value = event.target.value;
          update({ follow: value.startsWith("=") ? { layer: value.slice(1) } : (value as "selection" | "output") });
        }}
      >
        <option value="selection">Selected{follow === "selection" && layer ? ` · ${layer}` : ""}</option>
        <option value="output">Output{follow === "output" && layer ? ` · ${layer}` : ""}</option>
        <optgroup label="Pinned">
          {withValues(good?.layers ?? []).map((l) => <option key={l.layer} value={`=${l.layer}`}>{l.layer}</option>)}
        </optgroup>
      </select>
      <select
        aria-label="Colours" value={style.ramp} disabled={!values} onChange={(event) => setStyle({ ramp: event.target.value })}
      >
        {RAMPS.map((name) => <option key={name} value={name}>{name}</option>)}
      </select>
      <button
        type="button" className={style.shaded ? "tool on" : "tool"} aria-pressed={style.shaded} disabled={!values}
        title="Light from the north-west" aria-label="Shaded relief" onClick={() => setStyle({ shaded: !style.shaded })}
      >
        <Icon name="sun" />
      </button>
      <Popover label="Range of values, height, depth" icon="range" active={style.range !== "auto" || z !== null}>
        <RangeSheet painter={painter} proven={found?.range ?? null} noise={found?.noise === true} />
      </Popover>
      <Popover label="Overlays" icon="layers" active={overlays}><Overlays painter={painter} /></Popover>
      <span className="gap" />
      <button
        type="button" className={compare !== null ? "tool on" : "tool"} aria-pressed={compare !== null} disabled={relief}
        title="Before and after: hold the current state for comparison" aria-label="Compare with the current state"
        onClick={() => {
          const s = get();
          update({ compare: compare === null ? (s.history[s.at]?.key ?? null) : null });
          if (compare === null) tell("Current state held. Changes appear on the right of the divider.");
        }}
      >
        <Icon name="compare" />
      </button>
      <button
        type="button" className="tool" title="Show the whole world of the recipe" aria-label="Show the whole world"
        onClick={() => painter && get().good && painter.setView(homeView(painter))}
      >
        <Icon name="home" />
      </button>
      <button type="button" className="tool" title="Save the picture as PNG" aria-label="Save the picture" onClick={snapshot}>
        <Icon name="camera" />
      </button>
      <button
        type="button" className={relief ? "tool on" : "tool"} aria-pressed={relief} title="3D relief"
        aria-label="3D relief" onClick={() => update({ relief: !relief })}
      >
        <Icon name="cube" /><span>3D</span>
      </button>
    </div>
  );
}

function snapshot(): void {
  const canvas = document.querySelector<HTMLCanvasElement>(get().relief ? "canvas.mesh" : "canvas.pixels");
  const name = `${layerToShow(get()) ?? "picture"}.png`;
  canvas?.toBlob((blob) => (blob ? download(name, blob) : tell("The browser could not make a PNG of this.", true)));
}
