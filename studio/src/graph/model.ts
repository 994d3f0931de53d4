// The graph of a recipe: a card for each node and stage, a wire for each input that refers to another.

import type { About, Fault, Good, Kind, Value } from "../protocol";
import { inputsOf, items, keyOf, kindOf, layersOf, rowOf, wantedChannels, type Wire, wires } from "../state/recipe";
import type { Item } from "../state/store";

export interface Port { name: string; value: Value; wired: boolean; channels: number; doc: string }
export interface Outlet { layer: string; label: string; noise: boolean; channels: number }

export interface Card extends Record<string, unknown> {
  item: Item;
  kind: string;
  doc: string;
  inputs: Port[];
  outlets: Outlet[];
  output: string | null;
  fault: string | null;
}

export function sameCard(a: Card, b: Card): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

export const CARD_WIDTH = 172;
export const THUMB = 72;
const HEAD = 27;
const ROW = 20;

export function cardHeight(card: Card): number {
  return HEAD + Math.max(card.inputs.length * ROW + 8, card.outlets.length * (THUMB + 6) + 6);
}

export interface Model { cards: Card[]; wires: Wire[] }

export function modelOf(about: About, good: Good, fault: Fault | null): Model {
  const all = wires(about, good);
  const wired = new Set(all.map((w) => `${w.to}/${w.param}`));
  const cards = items(good.recipe).map((item): Card => {
    const row = rowOf(good.recipe, item)!;
    const kind = kindOf(about, item, row);
    const layers = layersOf(good, item);
    const { output } = good.recipe;
    return {
      item,
      kind: row.kind,
      doc: kind?.doc ?? "",
      inputs: inputsOf(kind).map((p) => ({
        name: p.name, value: row[p.name] ?? null, wired: wired.has(`${keyOf(item)}/${p.name}`), channels: wantedChannels(p), doc: p.doc,
      })),
      outlets: layers.map((l) => ({
        layer: l.layer, noise: l.noise, channels: l.channels, label: l.layer === item.name ? "" : l.layer.slice(item.name.length + 1),
      })),
      output: output === item.name || layers.some((l) => l.layer === output) ? output : null,
      fault: fault && fault.name === item.name && (fault.table ?? item.table) === item.table ? fault.message : null,
    };
  });
  return { cards, wires: all };
}

export type WireKind = "table" | "noise" | "samples" | "normal" | "colour";

export function wireKind(noise: boolean, channels: number): WireKind {
  return channels === 0 ? "table" : noise ? "noise" : channels === 1 ? "samples" : channels === 3 ? "normal" : "colour";
}

/** Kinds of one table as the palette lists them; `given` is for programs only. */
export function offered(about: About): { table: "node" | "stage"; kind: Kind }[] {
  return (["node", "stage"] as const).flatMap((table) =>
    about.kinds[table].filter((kind) => kind.kind !== "given").map((kind) => ({ table, kind })),
  );
}
