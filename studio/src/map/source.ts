// The layer shown in the picture, and its origin.

import type { About, Good } from "../protocol";
import { findLayer, heightLayer, isMask, mainLayer, withValues } from "../state/recipe";
import { signatures } from "../state/signature";
import type { State } from "../state/store";
import type { Source } from "./field";

/** The layer that is to be withValues: what was picked, what is selected, else the output. */
export function layerToShow(s: State): string | null {
  const { good, follow, selection } = s;
  if (!good) return null;
  if (typeof follow === "object" && findLayer(good, follow.layer)) return follow.layer;
  if (follow === "selection" && selection.length > 0) {
    const layer = mainLayer(good, selection[selection.length - 1]!);
    if (layer) return layer;
  }
  const { output } = good.recipe;
  const found = findLayer(good, output) ?? good.layers.find((l) => l.name === output) ?? withValues(good.layers)[0];
  return found?.layer ?? null;
}

/** The world of a layer that exists inside it only: a stage of a recipe that traces water. Width and height in samples. */
export function worldOf(good: Good, noise: boolean): [number, number] | null {
  if (noise || drainages(good).length === 0) return null;
  const { tile, tiles } = good.recipe.bake;
  return [tiles[0] * tile, tiles[1] * tile];
}

/** The names of the stages of kind `drainage`. */
export function drainages(good: Good | null): string[] {
  return Object.keys(good?.recipe.stage ?? {}).filter((name) => good?.recipe.stage?.[name]?.kind === "drainage");
}

/** The stage of kind `drainage` whose rivers lie over the picture: that of the layer in the picture, else the recipe's first. */
export function drainageToShow(s: State): string | null {
  const { good } = s;
  if (!good) return null;
  const traced = drainages(good);
  const shown = findLayer(good, layerToShow(s) ?? "")?.name;
  return traced.find((name) => name === shown) ?? traced[0] ?? null;
}

export function sourceFor(about: About, good: Good, layer: string, z: number | null): Source | null {
  const found = findLayer(good, layer);
  if (!found) return null;
  const { spacing, z: own } = good.recipe.bake;
  const at = z ?? own ?? 0;
  const signature = signatures(about, good).get(`${found.table}.${found.name}`) ?? good.id;
  return {
    key: `${signature}${layer.slice(found.name.length)}/${spacing}/${at}`,
    id: good.id, layer, name: layer, noise: found.noise, spacing, z: at,
    proven: found.range, channels: found.channels, mask: isMask(about, good, layer), cost: found.cost ?? Infinity,
  };
}

export function heightSource(about: About, good: Good, layer: string, z: number | null): Source | null {
  const heights = heightLayer(good, layer);
  return heights === undefined ? null : sourceFor(about, good, heights, z);
}
