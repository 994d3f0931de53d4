// Edits of the text for actions in the graph.

import type { About, Edit, Good, Kind, Table, Value } from "../protocol";
import { change } from "../state/actions";
import {
  findLayer, fresh, inputsOf, itemOf, items, keyOf, kindOf, layersOf, misfit, ownParams, rowOf, same, startingParams, wantedChannels, wires, type Wire,
} from "../state/recipe";
import { get, tell, update, type Item } from "../state/store";
import { keepsEntries, makesRoom } from "./tables";

export function select(selection: Item[]): void {
  update({ selection });
}

/** Adds a node or a stage that reads `source`, and selects it. It becomes the output if there is none yet. Gives it once it is there. */
export async function add(
  table: Table, kind: Kind, source: string | null, into: (Item & { param: string }) | null, before: (item: Item) => void = () => {},
): Promise<Item | null> {
  const { good, about } = get();
  const recipe = good?.recipe;
  const name = fresh(recipe, kind.kind);
  const item = { table, name };
  const from = good?.layers.find((l) => l.layer === source);
  const first = inputsOf(kind)[0];
  const fits = from && first && (from.noise || kind.reads_stages) && from.channels === 1;
  const edits: Edit[] = [{ op: "add", table, name, kind: kind.kind, params: startingParams(kind, fits ? source : null) }];
  if (into && about && good) edits.push(...makesRoom(about, good, kind, into));
  if (into) edits.push({ op: "set", table: into.table, name: into.name, param: into.param, value: name });
  if (!recipe || items(recipe).length === 0) edits.push({ op: "output", name });
  before(item);
  const made = await change(edits, `add ${name}`);
  if (made) select([item]);
  if (about && source && !fits && first && from) {
    const why = from.channels === 1 ? "cannot read a stage" : "takes one value";
    tell(`${kind.kind} ${why}, so its input is left at 0.`);
  }
  return made ? item : null;
}

export function connect(layer: string, to: Item, param: string): void {
  const { about, good } = get();
  if (!about || !good) return;
  const why = misfit(about, good, layer, to, param);
  if (why) {
    tell(why, true);
    return;
  }
  const source = findLayer(good, layer)!;
  const room = makesRoom(about, good, kindOf(about, source, rowOf(good.recipe, source)!), to);
  void change([...room, { op: "set", ...to, param, value: layer }], `connect ${to.name}.${param}`);
}

/** An input without a wire reads its default, or 0 where it has none. */
export function disconnect(wires: { to: Item; param: string }[]): void {
  const { about, good } = get();
  if (!about || !good || wires.length === 0) return;
  const edits = wires.flatMap(({ to, param }): Edit[] => {
    const row = rowOf(good.recipe, to);
    const known = row && kindOf(about, to, row)?.params.find((p) => p.name === param);
    if (known && wantedChannels(known) === 0) return keepsEntries(about, good, to, param);
    const usual = known?.default ?? "";
    return [{ op: "set", ...to, param, value: usual === "" ? 0 : null }];
  });
  void change(edits, wires.length === 1 ? `disconnect ${wires[0]!.to.name}.${wires[0]!.param}` : "disconnect");
}

/** Removes nodes and stages. Inputs that read one of them read its source instead, if they can, else 0. */
export function remove(gone: Item[]): void {
  const { about, good } = get();
  if (!about || !good || gone.length === 0) return;
  const goes = (item: Item) => gone.some((g) => same(g, item));
  const rest = items(good.recipe).filter((item) => !goes(item));
  const all = wires(about, good);
  const bridge = bridgesOf(about, good, all, goes);
  const edits: Edit[] = [];
  const unread: string[] = [];
  for (const wire of all) {
    const to = itemOf(wire.to);
    if (!goes(itemOf(wire.from)) || goes(to)) continue;
    const source = bridge(wire.from);
    if (wire.channels === 0) edits.push(...keepsEntries(about, good, to, wire.param));
    else if (source && misfit(about, good, source, to, wire.param) === null) edits.push({ op: "set", ...to, param: wire.param, value: source });
    else unread.push(`${to.name}.${wire.param}`);
  }
  const last = gone.find((g) => good.recipe.output === g.name || layersOf(good, g).some((l) => l.layer === good.recipe.output));
  if (last && rest.length > 0) edits.push({ op: "output", name: bridge(keyOf(last)) ?? rest[rest.length - 1]!.name });
  for (const item of gone) edits.push({ op: "remove", ...item });
  select([]);
  void change(edits, gone.length === 1 ? `delete ${gone[0]!.name}` : `delete ${gone.length}`).then((made) => {
    if (!made) return;
    // A text without nodes is not a recipe: the page is as empty as the text.
    if (rest.length === 0) update({ good: null });
    if (unread.length > 0) tell(`${unread.join(", ")} read${unread.length === 1 ? "s" : ""} 0 now.`);
  });
}

/** The remaining layer that the first wired input of a removed item reads, over other removed items. */
function bridgesOf(about: About, good: Good, all: Wire[], goes: (item: Item) => boolean): (key: string) => string | null {
  const from = (key: string, steps: number): string | null => {
    const kind = kindOf(about, itemOf(key), rowOf(good.recipe, itemOf(key))!);
    const wired = inputsOf(kind).flatMap((param) => all.filter((w) => w.to === key && w.param === param.name && w.channels > 0))[0];
    if (!wired || steps === 0) return null;
    return goes(itemOf(wired.from)) ? from(wired.from, steps - 1) : wired.layer;
  };
  return (key) => from(key, all.length);
}

export function renamed(item: Item, to: string): void {
  const name = to.trim();
  if (name === item.name || name === "") return;
  void change([{ op: "rename", ...item, to: name }], `rename ${item.name}`).then((made) => {
    if (made) select([{ table: item.table, name }]);
  });
}

export function setOutput(item: Item): void {
  const { good } = get();
  if (good) void change([{ op: "output", name: layersOf(good, item)[0]?.layer ?? item.name }], `output ${item.name}`);
}

interface Copied { item: Item; kind: string; params: Record<string, Value> }
let clipboard: Copied[] = [];

function copied(list: Item[]): Copied[] {
  const { about, good } = get();
  return list.flatMap((item) => {
    const row = rowOf(good?.recipe, item);
    const kind = about && row && kindOf(about, item, row);
    return row && kind ? [{ item, kind: row.kind, params: ownParams(kind, row) }] : [];
  });
}

export function copyItems(list: Item[]): void {
  clipboard = copied(list);
  if (clipboard.length > 0) tell(`${clipboard.length === 1 ? clipboard[0]!.item.name : `${clipboard.length} nodes`} copied.`);
}

/** Inserts copies of the copied items; wires among them connect the copies. `place` receives each copy with its original. */
export function paste(place: (copy: Item, of: Item) => void, list = clipboard): void {
  const { about, good } = get();
  if (!about || !good || list.length === 0) return;
  const names = new Map<string, string>();
  for (const { item } of list) names.set(keyOf(item), fresh(good.recipe, item.name, names.values()));
  const edits = list.map(({ item, kind, params }): Edit => {
    const row = about.kinds[item.table].find((k) => k.kind === kind)!;
    const inputs = new Set(inputsOf(row).map((p) => p.name));
    const bound = Object.fromEntries(
      Object.entries(params).map(([param, value]) => [param, inputs.has(param) && typeof value === "string" ? rewired(value, names) : value]),
    );
    return { op: "add", table: item.table, name: names.get(keyOf(item))!, kind, params: bound };
  });
  const copies = list.map(({ item }) => ({ table: item.table, name: names.get(keyOf(item))! }));
  list.forEach(({ item }, i) => place(copies[i]!, item));
  void change(edits, list.length === 1 ? `copy ${list[0]!.item.name}` : `copy ${list.length}`).then((made) => {
    if (made) select(copies);
  });
}

function rewired(value: string, names: Map<string, string>): string {
  for (const [key, to] of names) {
    const { name } = itemOf(key);
    if (value === name) return to;
    if (value.startsWith(`${name}.`)) return to + value.slice(name.length);
  }
  return value;
}

export function duplicate(list: Item[], place: (copy: Item, of: Item) => void): void {
  paste(place, copied(list));
}
