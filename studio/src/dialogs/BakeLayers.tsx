// The layers that a bake writes; weights share a picture.

import type { JSX } from "react";
import type { Layer } from "../protocol";

/** A layer is written as a file of its own, or as one of the weights in a picture. */
export type Written = "file" | "weight";
export type Chosen = ReadonlyMap<string, Written>;

/** Masks in one picture of weights. */
const CHANNELS = 4;

/** The layers that a list of names means: weights are joined by `+`. */
export function chosenOf(names: string[]): Chosen {
  return new Map(names.flatMap((name): [string, Written][] => (name.includes("+") ? name.split("+").map((mask) => [mask, "weight"]) : [[name, "file"]])));
}

/** The list of names, with `first` at its beginning, and weights in pictures of up to four. */
export function namesOf(chosen: Chosen, first: string | undefined): string[] {
  const files = [...chosen].filter(([, as]) => as === "file").map(([name]) => name);
  const masks = [...chosen].filter(([, as]) => as === "weight").map(([name]) => name);
  const pictures = Array.from({ length: Math.ceil(masks.length / CHANNELS) }, (_, k) => masks.slice(CHANNELS * k, CHANNELS * (k + 1)).join("+"));
  return [...new Set([...(first === undefined ? [] : [first]), ...files, ...pictures])];
}

interface Props { layers: Layer[]; first: string | undefined; chosen: Chosen; disabled: boolean; set: (chosen: Chosen) => void }

export function BakeLayers({ layers, first, chosen, disabled, set }: Props): JSX.Element {
  const put = (name: string, as: Written | null) => {
    const next = new Map(chosen);
    if (as === null) next.delete(name);
    else next.set(name, as);
    set(next);
  };
  return (
    <fieldset className="bakelayers">
      <legend>Layers</legend>
      <ul>
        {layers.map(({ layer, channels }) => {
          const as = layer === first ? "file" : (chosen.get(layer) ?? null);
          return (
            <li key={layer}>
              <label>
                <input
                  type="checkbox" checked={as !== null} disabled={disabled || layer === first} aria-label={`Write ${layer}`}
                  onChange={(event) => put(layer, event.target.checked ? "file" : null)}
                />
                <code>{layer}</code>
              </label>
              {channels === 1 && as !== null && layer !== first && (
                <label className="dim" title="Share a picture with up to three other weights, which add up to 1">
                  <input
                    type="checkbox" checked={as === "weight"} disabled={disabled} aria-label={`${layer} is a weight`}
                    onChange={(event) => put(layer, event.target.checked ? "weight" : "file")}
                  />
                  weight
                </label>
              )}
            </li>
          );
        })}
      </ul>
    </fieldset>
  );
}
