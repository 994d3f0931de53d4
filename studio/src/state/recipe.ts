// Questions about recipes: layers, inputs, what fits where, names. Pure functions.

import type { About, Good, Kind, Layer, Param, Recipe, Row, Table, Value } from "../protocol";
import type { Item } from "./store";

export const TABLES: Table[] = ["node", "stage"];

export function keyOf(item: Item): string {
  return `${item.table}.${item.name}`;
}

export function itemOf(key: string): Item {
  const dot = key.indexOf(".");
  return { table: key.slice(0, dot) as Table, name: key.slice(dot + 1) };
}

export function same(a: Item, b: Item): boolean {
  return a.table === b.table && a.name === b.name;
}

export function items(recipe: Recipe): Item[] {
  return TABLES.flatMap((table) => Object.keys(recipe[table] ?? {}).map((name) => ({ table, name })));
}

export function rowOf(recipe: Recipe | undefined, item: Item): Row | undefined {
  return recipe?.[item.table]?.[item.name];
}

export function kindOf(about: About, item: Item, row: Row): Kind | undefined {
  return about.kinds[item.table].find((kind) => kind.kind === row.kind);
}

export function layersOf(good: Good, item: Item): Layer[] {
  return good.layers.filter((layer) => layer.table === item.table && layer.name === item.name);
}

export function findLayer(good: Good | null, layer: string): Layer | undefined {
  return good?.layers.find((l) => l.layer === layer);
}

/** The first of an item's layers: a node has one, a stage's main output comes first. */
export function mainLayer(good: Good | null, item: Item): string | undefined {
  return good ? withValues(layersOf(good, item))[0]?.layer : undefined;
}

export interface Wire { from: string; layer: string; to: string; param: string; channels: number; noise: boolean }

export function inputsOf(kind: Kind | undefined): Param[] {
  return kind?.params.filter((param) => param.type === "input") ?? [];
}

/** The wires of a recipe: from whose layer, to whose parameter. */
export function wires(about: About, good: Good): Wire[] {
  const found: Wire[] = [];
  for (const item of items(good.recipe)) {
    const row = rowOf(good.recipe, item)!;
    for (const param of inputsOf(kindOf(about, item, row))) {
      const value = row[param.name];
      const source = typeof value === "string" ? sourceOf(good, value) : undefined;
      if (source) {
        found.push({
          from: keyOf(source), layer: source.layer, to: keyOf(item), param: param.name,
          channels: source.channels, noise: source.noise,
        });
      }
    }
  }
  return found;
}

function sourceOf(good: Good, value: string): Layer | undefined {
  return good.layers.find((l) => l.layer === value || (l.name === value && !l.layer.includes(".")));
}

/** Why this layer cannot be this input; null where it can. */
export function misfit(about: About, good: Good, layer: string, to: Item, paramName: string): string | null {
  const source = findLayer(good, layer);
  const row = rowOf(good.recipe, to);
  if (!source || !row) return "There is nothing to connect here.";
  const param = kindOf(about, to, row)?.params.find((p) => p.name === paramName);
  if (!param || param.type !== "input") return "This is not an input.";
  const kind = kindOf(about, to, row);
  if (!source.noise && kind && !kind.reads_stages) return `${kind.kind} reads its input away from the sample, which stages do not have.`;
  if (source.table === to.table && source.name === to.name) return "Nothing can read itself.";
  const wanted = wantedChannels(param);
  if (source.channels !== wanted) return `${paramName} takes ${channelWord(wanted)}; this is ${channelWord(source.channels)}.`;
  if (reads(about, good, { table: source.table, name: source.name }, to)) return "That would be a circle.";
  return null;
}

/** Number of channels that an input takes; 0 for a table. */
export function wantedChannels(param: Param): number {
  if (param.allowed === "structural") return 0;
  return typeof param.allowed === "object" && "channels" in param.allowed ? param.allowed.channels : 1;
}

/** Layers that can be looked at: tables have no values. */
export function withValues(layers: Layer[]): Layer[] {
  return layers.filter((l) => l.channels > 0);
}

export function channelWord(channels: number): string {
  return channels === 0 ? "a table" : channels === 1 ? "one value" : channels === 3 ? "a normal" : "a colour";
}

/** Whether `item` reads `other`, over however many others. */
export function reads(about: About, good: Good, item: Item, other: Item): boolean {
  const into = new Map<string, string[]>();
  for (const wire of wires(about, good)) into.set(wire.to, [...(into.get(wire.to) ?? []), wire.from]);
  const todo = [keyOf(item)];
  const seen = new Set(todo);
  while (todo.length > 0) {
    const key = todo.pop()!;
    if (key === keyOf(other)) return true;
    for (const from of into.get(key) ?? []) {
      if (!seen.has(from)) {
        seen.add(from);
        todo.push(from);
      }
    }
  }
  return false;
}

/** Whether a layer's colours have light and shadow in them: a stage that makes light is among what it is made from. */
export function hasLight(about: About, good: Good, layer: string): boolean {
  const found = findLayer(good, layer);
  if (!found || found.channels === 1) return false;
  const lights = items(good.recipe).filter((item) => ["hillshade", "occlusion"].includes(rowOf(good.recipe, item)!.kind));
  return lights.some((light) => reads(about, good, found, light));
}

/** The level of the recipe's sea: that of its first stage `ocean` which has one. */
export function seaOf(good: Good): number | null {
  const ocean = Object.values(good.recipe.stage ?? {}).find((row) => row.kind === "ocean" && typeof row.level === "number" && row.share === null);
  return ocean ? (ocean.level as number) : null;
}

const MASKS = new Set(["mask", "smoothstep", "threshold", "hillshade", "occlusion"]);

/** Per recipe, since every small picture asks. */
const masks = new WeakMap<Recipe, { all: Wire[]; known: Map<string, boolean> }>();

/** Whether a layer is a mask: one made by a kind that makes masks, or of masks alone, with values from 0 to 1. */
export function isMask(about: About, good: Good, layer: string): boolean {
  const before = masks.get(good.recipe);
  const { all, known } = before ?? { all: wires(about, good), known: new Map<string, boolean>() };
  if (!before) masks.set(good.recipe, { all, known });
  const look = (name: string): boolean => {
    const before = known.get(name);
    if (before !== undefined) return before;
    known.set(name, false);
    const found = findLayer(good, name);
    const row = found && rowOf(good.recipe, found);
    if (!found || !row || found.channels !== 1 || !found.range || found.range[0] < 0 || found.range[1] > 1) return false;
    const read = all.filter((wire) => wire.to === keyOf(found) && wire.channels > 0);
    const answer = MASKS.has(row.kind) || (read.length > 0 && read.every((wire) => look(wire.layer)));
    known.set(name, answer);
    return answer;
  };
  return look(layer);
}

/** A name like `stem` that nothing has yet. */
export function fresh(recipe: Recipe | undefined, stem: string, also: Iterable<string> = []): string {
  const taken = new Set([...Object.keys(recipe?.node ?? {}), ...Object.keys(recipe?.stage ?? {}), ...also]);
  if (!taken.has(stem)) return stem;
  const base = stem.replace(/_?\d+$/, "");
  for (let n = 2; ; n++) if (!taken.has(`${base}_${n}`)) return `${base}_${n}`;
}

/** Parameters for a new item, where the table's own defaults would be refused. */
export function startingParams(kind: Kind, source: string | null): Record<string, Value> {
  const params: Record<string, Value> = {};
  let first = true;
  for (const param of kind.params) {
    if (param.type === "input" && !param.optional && (param.default === null || param.default === "")) {
      params[param.name] = first && source !== null ? source : 0;
      first = false;
    } else if (param.type === "control_points") {
      params[param.name] = [
        { at: -1, value: -1, slope_in: 1, slope_out: 1 },
        { at: 1, value: 1, slope_in: 1, slope_out: 1 },
      ];
    } else if (kind.kind === "octave_table" && param.name === "offsets") {
      // More than the default number of octaves, far apart, so that octaves do not coincide at the origin.
      params[param.name] = Array.from({ length: 8 }, (_, k) => [618, 755, 570].map((step) => ((k + 1) * step) % 1000));
    } else if (kind.kind === "colour" && param.name === "map") {
      params[param.name] = "viridis";
    } else if (kind.kind === "periodic" && param.name === "period") {
      params[param.name] = [1000, 1000, 0];
    }
  }
  return params;
}

/** The settings of an item that differ from the defaults: enough to create it again. */
export function ownParams(kind: Kind, row: Row): Record<string, Value> {
  const own: Record<string, Value> = {};
  for (const param of kind.params) {
    const value = row[param.name];
    if (value !== undefined && value !== null && JSON.stringify(value) !== JSON.stringify(param.default)) own[param.name] = value;
  }
  return own;
}

/** The heights under a layer: itself if it has one channel, else what a colour or a normal was made from. */
export function heightLayer(good: Good, layer: string): string | undefined {
  let current = layer;
  for (let steps = 0; steps < 64; steps++) {
    const found = findLayer(good, current);
    if (!found) return undefined;
    if (found.channels === 1) return current;
    const row = rowOf(good.recipe, found);
    // A colour over another is a detail (water, say); what lies at the bottom is the land.
    const next = [row?.under, row?.by, row?.of].find((v): v is string => typeof v === "string" && findLayer(good, v) !== undefined);
    if (next === undefined) return undefined;
    current = next;
  }
  return undefined;
}
