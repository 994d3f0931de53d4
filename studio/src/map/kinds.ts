// Places of several kinds, by rules: asked for again when the picture, the rules or the recipe are others.

import { useEffect, useRef } from "react";
import { aborted, faultOf, ruledPlaces } from "../server";
import { get, update, useStore } from "../state/store";
import { approximate } from "./view";
import type { Painter } from "./painter";

/** Colours of kinds, in the order of the rules; they can be told apart by the colour-blind, too. */
const COLOURS = ["#f0e442", "#d55e00", "#56b4e9", "#cc79a7", "#ffffff", "#009e73", "#0072b2", "#20242a"];

export function colourOf(kind: number): string {
  return COLOURS[kind % COLOURS.length]!;
}

/** Called whenever the picture was painted: asks for its places when it rests. */
export function useKinds(painter: Painter | null): () => void {
  const good = useStore((s) => s.good);
  const text = useStore((s) => s.placeRules.text);
  const on = useStore((s) => s.placeRules.on);
  const asked = useRef("");
  const flight = useRef<AbortController | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const ask = () => {
    const { good: recipe, placeRules: rules } = get();
    if (!painter || !recipe || !rules.on || rules.text.trim() === "") return;
    const { spacing } = recipe.recipe.bake;
    const { view, width, height } = painter;
    const [cx, cy] = [approximate(view.x) * spacing, approximate(view.y) * spacing];
    const [rx, ry] = [(width / 2) * view.scale * spacing, (height / 2) * view.scale * spacing];
    const key = JSON.stringify([recipe.id, rules.text, cx, cy, rx, ry]);
    if (key === asked.current) return;
    asked.current = key;
    flight.current?.abort();
    flight.current = new AbortController();
    ruledPlaces(recipe.id, rules.text, [cx - rx, cy - ry, cx + rx, cy + ry], flight.current.signal).then(
      (found) => update((s) => ({ placeRules: { ...s.placeRules, found, problem: null } })),
      (error: unknown) => {
        if (aborted(error)) return;
        update((s) => ({ placeRules: { ...s.placeRules, found: null, problem: faultOf(error).message } }));
      },
    );
  };
  const rest = () => {
    clearTimeout(timer.current);
    timer.current = setTimeout(ask, 150);
  };
  useEffect(() => {
    if (!on || text.trim() === "") {
      flight.current?.abort();
      asked.current = "";
      update((s) => ({ placeRules: { ...s.placeRules, found: null, problem: null } }));
    }
    rest();
  }, [painter, good, text, on]);
  return rest;
}
