// Tables that nodes share: a list of a node's own makes room for one, and what it gave stays when it goes.

import type { About, Edit, Good, Kind, Value } from "../protocol";
import { findLayer, kindOf, rowOf, wantedChannels } from "../state/recipe";
import type { Item } from "../state/store";

/** The reader's own list, which holds what a table of this kind holds. */
function ownList(reader: Kind | undefined, table: Kind | undefined): string | undefined {
  const type = table?.params[0]?.type;
  return reader?.params.find((param) => param.type === type)?.name;
}

/** Whether an input may read a kind, as far as tables are concerned: some take nothing but one of theirs, all others none. */
export function suits(about: About, good: Good, kind: Kind, into: Item & { param: string }): boolean {
  const row = rowOf(good.recipe, into);
  const reader = row && kindOf(about, into, row);
  const takesTable = reader?.params.some((param) => param.name === into.param && wantedChannels(param) === 0);
  return takesTable ? kind.outputs.length === 0 && ownList(reader, kind) !== undefined : kind.outputs.length > 0;
}

/** Further changes when a node gets a table as input: a list is not allowed together with a table. */
export function makesRoom(about: About, good: Good, kind: Kind | undefined, to: Item): Edit[] {
  const row = rowOf(good.recipe, to);
  const list = row && kind?.outputs.length === 0 ? ownList(kindOf(about, to, row), kind) : undefined;
  return list ? [{ op: "set", ...to, param: list, value: null }] : [];
}

/** An input without its table: the entries that it took are the node's own from now on. */
export function keepsEntries(about: About, good: Good, to: Item, param: string): Edit[] {
  const row = rowOf(good.recipe, to)!;
  const source = findLayer(good, String(row[param]));
  const table = source && rowOf(good.recipe, source);
  const set = (name: string, value: Value): Edit => ({ op: "set", ...to, param: name, value });
  const list = source && table ? ownList(kindOf(about, to, row), kindOf(about, source, table)) : undefined;
  if (!source || !table || !list) return [set(param, null)];
  const entries = table[kindOf(about, source, table)!.params[0]!.name] as Value[];
  const taken = entries.slice(row.start as number, (row.end as number | null) ?? undefined);
  return [set(param, null), set("start", null), ...("end" in row ? [set("end", null)] : []), set(list, taken)];
}
