// The one state of the page. Everything that is shown is made from it; it changes through `update` only.

import { useSyncExternalStore } from "react";
import type { About, BakeNews, Fault, Good, Table } from "../protocol";
import type { Placed } from "../server";
import type { Style } from "./style";
import { firstStyle } from "./style";

/** A text that the recipe had, and what made it. */
export interface Revision { key: number; text: string; label: string; time: number; id: string | null }

export interface Item { table: Table; name: string }

export type Dialog =
  | { kind: "palette"; at: { x: number; y: number } | null; from: { layer: string; channels: number } | null; into: (Item & { param: string }) | null }
  | { kind: "bake" } | { kind: "export" } | { kind: "help" } | { kind: "share" }
  | { kind: "variations"; of: (Item & { param: string }) | null }
  | { kind: "conflict"; theirs: string; saved: string | null };

/** A parameter that the next click on the map sets: to that place, or to its distance from the item's centre. */
export type Picking = Item & { param: string; as: "place" | "distance" };

export interface Toast { key: number; text: string; bad: boolean }

export interface State {
  about: About | null;
  /** The file: its name, the hash of the version to save over, its text. */
  file: { name: string | null; saved: string | null; text: string };
  draft: string | null;
  text: string;
  /** The last valid recipe: it stays in the picture while the text is broken. */
  good: Good | null;
  fault: Fault | null;
  checking: boolean;
  history: Revision[];
  at: number;
  selection: Item[];
  renaming: Item | null;
  picking: Picking | null;
  /** The layer in the picture: the selected one, the recipe's output, or one by name. */
  follow: "selection" | "output" | { layer: string };
  style: Style;
  z: number | null;
  relief: boolean;
  /** The revision (its key) that the wiper compares with. */
  compare: number | null;
  left: "graph" | "text" | "panel";
  panel: "parameters" | "statistics" | "history" | "places";
  /** Rules of places of the file `of`, the places in the picture, and a mistake in the rules. */
  placeRules: { of: string | null; text: string; on: boolean; found: Placed | null; problem: string | null };
  dialog: Dialog | null;
  toasts: Toast[];
  bake: BakeNews | null;
  online: boolean;
  /** The server was started anew with another token: it answers this page no more. */
  stale: boolean;
  theme: "dark" | "light";
  loadError: string | null;
}

let state: State = {
  about: null,
  file: { name: null, saved: null, text: "" },
  draft: null,
  text: "",
  good: null,
  fault: null,
  checking: false,
  history: [],
  at: -1,
  selection: [],
  renaming: null,
  picking: null,
  follow: "selection",
  style: firstStyle,
  z: null,
  relief: false,
  compare: null,
  left: "graph",
  panel: "parameters",
  placeRules: { of: null, text: "", on: false, found: null, problem: null },
  dialog: null,
  toasts: [],
  bake: null,
  online: true,
  stale: false,
  theme: "dark",
  loadError: null,
};

const listeners = new Set<() => void>();

export function get(): State {
  return state;
}

export function update(change: Partial<State> | ((state: State) => Partial<State>)): void {
  state = { ...state, ...(typeof change === "function" ? change(state) : change) };
  for (const listener of [...listeners]) listener();
}

export function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** A part of the state; the component is drawn anew when it is another. `pick` must not build objects. */
export function useStore<T>(pick: (state: State) => T): T {
  return useSyncExternalStore(subscribe, () => pick(state));
}

let toastKey = 0;

export function tell(text: string, bad = false): void {
  const toast = { key: ++toastKey, text, bad };
  update((s) => ({ toasts: [...s.toasts.filter((t) => t.text !== text).slice(-2), toast] }));
  setTimeout(() => update((s) => ({ toasts: s.toasts.filter((t) => t !== toast) })), bad ? 8000 : 3500);
}

export function dirty(s: State): boolean {
  return s.text !== s.file.text;
}
