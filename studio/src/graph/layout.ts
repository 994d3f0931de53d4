// Positions of cards: stored in the browser per file; new cards get one automatically.

import dagre from "@dagrejs/dagre";
import { keyOf } from "../state/recipe";
import { recall, remember } from "../state/document";
import { CARD_WIDTH, cardHeight, type Model } from "./model";

export interface Place { x: number; y: number }
export type Places = Record<string, Place>;

export function arrange(model: Model): Places {
  const graph = new dagre.graphlib.Graph({ multigraph: true });
  graph.setGraph({ rankdir: "LR", nodesep: 16, ranksep: 40, edgesep: 8, ranker: "network-simplex" });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const card of model.cards) graph.setNode(keyOf(card.item), { width: CARD_WIDTH, height: cardHeight(card) });
  model.wires.forEach((wire, i) => graph.setEdge(wire.from, wire.to, {}, String(i)));
  dagre.layout(graph);
  const places: Places = {};
  for (const card of model.cards) {
    const { x, y } = graph.node(keyOf(card.item)) as { x: number; y: number };
    places[keyOf(card.item)] = { x: Math.round(x - CARD_WIDTH / 2), y: Math.round(y - cardHeight(card) / 2) };
  }
  return places;
}

/** Positions for new cards: next to their inputs, below existing cards. */
export function placed(model: Model, known: Places): Places {
  const missing = model.cards.filter((card) => !known[keyOf(card.item)]);
  if (missing.length === 0) return known;
  if (missing.length > model.cards.length / 2) return arrange(model);
  const places = { ...known };
  for (const card of missing) {
    const key = keyOf(card.item);
    const source = model.wires.find((w) => w.to === key && places[w.from]);
    const reader = model.wires.find((w) => w.from === key && places[w.to]);
    const near = source ? { x: places[source.from]!.x + CARD_WIDTH + 56, y: places[source.from]!.y }
      : reader ? { x: places[reader.to]!.x - CARD_WIDTH - 56, y: places[reader.to]!.y }
      : { x: 0, y: 0 };
    places[key] = free(model, places, near, cardHeight(card));
  }
  return places;
}

function free(model: Model, places: Places, near: Place, height: number): Place {
  const at = { ...near };
  const hits = () =>
    model.cards.find((card) => {
      const p = places[keyOf(card.item)];
      return p && Math.abs(p.x - at.x) < CARD_WIDTH + 12 && p.y < at.y + height + 12 && p.y + cardHeight(card) + 12 > at.y;
    });
  for (let hit = hits(); hit; hit = hits()) at.y = places[keyOf(hit.item)]!.y + cardHeight(hit) + 18;
  return at;
}

export function storedPlaces(file: string | null): Places {
  try {
    return JSON.parse(recall(`orogen-places:${file ?? ""}`) ?? "{}") as Places;
  } catch {
    return {};
  }
}

export function storePlaces(file: string | null, places: Places): void {
  remember(`orogen-places:${file ?? ""}`, JSON.stringify(places));
}
