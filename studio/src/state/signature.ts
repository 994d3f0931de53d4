// The dependencies of a layer as a short text: pictures of unaffected layers need not be drawn again after a change.

import type { About, Good, Recipe } from "../protocol";
import { inputsOf, items, keyOf, kindOf, rowOf, type Wire, wires } from "./recipe";
import type { Item } from "./store";

/** Two 32-bit hashes of a text (FNV-1a with two primes): enough to tell pictures apart. */
function hash(text: string): string {
  let a = 0x811c9dc5;
  let b = 0x01000193;
  for (let i = 0; i < text.length; i++) {
    const c = text.charCodeAt(i);
    a = Math.imul(a ^ c, 0x01000193);
    b = Math.imul(b ^ c, 0x5bd1e995) ^ (b >>> 15);
  }
  return (a >>> 0).toString(36) + (b >>> 0).toString(36);
}

const known = new WeakMap<Recipe, Map<string, string>>();

export function signatures(about: About, good: Good): Map<string, string> {
  const before = known.get(good.recipe);
  if (before) return before;
  const made = new Map<string, string>();
  const into = new Map<string, Wire[]>();
  for (const wire of wires(about, good)) into.set(wire.to, [...(into.get(wire.to) ?? []), wire]);
  const sign = (item: Item, depth: number): string => {
    const key = keyOf(item);
    const done = made.get(key);
    if (done || depth > 512) return done ?? "";
    const row = { ...rowOf(good.recipe, item)! };
    for (const wire of into.get(key) ?? []) {
      const dot = wire.from.indexOf(".");
      const from = { table: wire.from.slice(0, dot) as Item["table"], name: wire.from.slice(dot + 1) };
      // By what is wired in and not by its name: renaming changes no picture.
      row[wire.param] = sign(from, depth + 1) + wire.layer.slice(from.name.length);
    }
    const inputs = inputsOf(kindOf(about, item, row)).length;
    const signature = hash(`${item.table}${inputs}${JSON.stringify(row)}`);
    made.set(key, signature);
    return signature;
  };
  for (const item of items(good.recipe)) sign(item, 0);
  known.set(good.recipe, made);
  return made;
}
