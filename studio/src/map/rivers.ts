// The rivers and lakes over the picture: asked for once for each recipe that has others.

import { useEffect, useRef, type RefObject } from "react";
import { aborted, faultOf, rivers as ask, type Rivers } from "../server";
import { signatures } from "../state/signature";
import { tell, useStore } from "../state/store";
import type { Painter } from "./painter";
import { drainageToShow } from "./source";

/** What lies over the picture now: `null` while it is not asked for, or not there yet. */
export function useRivers(painter: Painter | null): RefObject<Rivers | null> {
  const found = useRef<Rivers | null>(null);
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const stage = useStore(drainageToShow);
  const on = useStore((s) => s.style.rivers);
  const { tile, tiles, spacing, z } = good?.recipe.bake ?? {};
  const key = on && about && good && stage !== null
    ? [stage, signatures(about, good).get(`stage.${stage}`), tile, tiles, spacing, z].join()
    : null;
  const id = good?.id;
  useEffect(() => {
    if (key === null || id === undefined || stage === null) {
      found.current = null;
      painter?.ask();
      return;
    }
    const flight = new AbortController();
    ask(id, stage, flight.signal).then(
      (rivers) => {
        found.current = rivers;
        painter?.ask();
      },
      (error: unknown) => {
        if (!aborted(error)) tell(faultOf(error).message, true);
      },
    );
    return () => flight.abort();
    // The key stands for the recipe's parts that rivers depend on.
  }, [painter, key]);
  return found;
}
