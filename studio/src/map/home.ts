// The initial view of the picture.

import { get } from "../state/store";
import type { Painter } from "./painter";
import { coordinate } from "./view";

/** The middle of the world that is baked, at most 1.5 samples for each pixel. */
export function homeView(painter: Painter): Painter["view"] {
  const bake = get().good!.recipe.bake;
  const size = bake.tiles.map((n) => n * bake.tile) as [number, number];
  const fits = Math.max(size[0] / painter.width, size[1] / painter.height);
  const noise = Object.keys(get().good!.recipe.stage ?? {}).length === 0;
  const scale = Math.min(fits, noise ? 2 : 1);
  return { x: coordinate(0n, size[0] / 2), y: coordinate(0n, size[1] / 2), scale };
}
