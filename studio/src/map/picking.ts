// Places of a recipe that are set on the map: centres, positions, and radii around a centre.

import type { Good, Param, Value } from "../protocol";
import { change } from "../state/actions";
import { rowOf } from "../state/recipe";
import { get, update, type Item, type Picking } from "../state/store";

/** A place or a circle on the map, in world units. */
export interface Place { x: number; y: number; radius: number | null }

const PLACES = ["centre", "position"];

/** A click on the map sets a parameter to a place or to a distance from the item's centre; null if it does not. */
export function pickedAs(param: Param, row: Record<string, Value> | undefined): Picking["as"] | null {
  if (PLACES.includes(param.name) && (param.type === "vector" || param.type === "pair")) return "place";
  return param.name === "radius" && param.type === "number" && Array.isArray(row?.centre) ? "distance" : null;
}

/** The place that an item is around, with its radius if it has one. */
export function placeOf(good: Good, item: Item | undefined): Place | null {
  const row = item && rowOf(good.recipe, item);
  const at = PLACES.map((name) => row?.[name]).find(Array.isArray) as number[] | undefined;
  if (!at) return null;
  return { x: at[0]!, y: at[1]!, radius: typeof row?.radius === "number" && Array.isArray(row.centre) ? row.radius : null };
}

/** Sets the parameter that waits for a place of the map, in world units rounded to the size of a pixel. */
export function pick(x: number, y: number, perPixel: number): void {
  const { picking, good } = get();
  if (!picking || !good) return;
  update({ picking: null });
  const unit = 10 ** Math.floor(Math.log10(perPixel || 1));
  const round = (n: number) => Number((Math.round(n / unit) * unit).toPrecision(12));
  const row = rowOf(good.recipe, picking);
  const old = row?.[picking.param];
  let value: Value;
  if (picking.as === "place") value = Array.isArray(old) ? [round(x), round(y), ...old.slice(2)] : [round(x), round(y)];
  else {
    const [cx, cy] = row?.centre as number[];
    value = round(Math.hypot(x - cx!, y - cy!));
  }
  const { table, name, param } = picking;
  void change([{ op: "set", table, name, param, value }], `${name}.${param}`);
}
