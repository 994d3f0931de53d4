// Frames around cards, with a title. They belong to the reader of a recipe, not to the recipe: the browser keeps them.

import type { Node } from "@xyflow/react";
import { recall, remember } from "../state/document";
import { CARD_WIDTH, cardHeight, type Card } from "./model";
import type { Places } from "./layout";
import { keyOf } from "../state/recipe";

export interface Group { id: string; title: string; members: string[] }

export type FrameNode = Node<{ title: string; id: string }, "frame">;

export function storedGroups(file: string | null): Group[] {
  try {
    return JSON.parse(recall(`orogen-groups:${file ?? ""}`) ?? "[]") as Group[];
  } catch {
    return [];
  }
}

export function storeGroups(file: string | null, groups: Group[]): void {
  remember(`orogen-groups:${file ?? ""}`, JSON.stringify(groups));
}

const PAD = 14;
const TITLE = 24;

export function frameNodes(groups: Group[], cards: Card[], places: Places): FrameNode[] {
  const known = new Map(cards.map((card) => [keyOf(card.item), card]));
  return groups.flatMap((group): FrameNode[] => {
    const inside = group.members.filter((key) => known.has(key) && places[key]);
    if (inside.length === 0) return [];
    const left = Math.min(...inside.map((key) => places[key]!.x)) - PAD;
    const top = Math.min(...inside.map((key) => places[key]!.y)) - PAD - TITLE;
    const right = Math.max(...inside.map((key) => places[key]!.x + CARD_WIDTH)) + PAD;
    const bottom = Math.max(...inside.map((key) => places[key]!.y + cardHeight(known.get(key)!))) + PAD;
    return [{
      id: `frame:${group.id}`, type: "frame", position: { x: left, y: top }, width: right - left, height: bottom - top,
      data: { title: group.title, id: group.id }, zIndex: -1, connectable: false, focusable: false, selectable: true, draggable: false,
    }];
  });
}
