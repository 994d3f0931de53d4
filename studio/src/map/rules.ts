// The rules of drainage, checked over the whole world while tile borders are shown: asked for once for each recipe that has other water.

import { useEffect, useState } from "react";
import { aborted, drainage, faultOf, type DrainageCheck } from "../server";
import { signatures } from "../state/signature";
import { useStore } from "../state/store";
import { drainages } from "./source";

/** A check for each stage `drainage`. Before it is finished, or if it fails, a text. Empty if it is not asked for. */
export function useRules(): DrainageCheck[] | string {
  const [found, setFound] = useState<DrainageCheck[] | string>([]);
  const about = useStore((s) => s.about);
  const good = useStore((s) => s.good);
  const on = useStore((s) => s.style.borders);
  const stages = drainages(good);
  const { tile, tiles, spacing, z } = good?.recipe.bake ?? {};
  const key = on && about && good && stages.length > 0
    ? [...stages.flatMap((stage) => [stage, signatures(about, good).get(`stage.${stage}`)]), tile, tiles, spacing, z].join()
    : null;
  const id = good?.id;
  useEffect(() => {
    if (key === null || id === undefined) {
      setFound([]);
      return;
    }
    setFound("following the water…");
    const flight = new AbortController();
    drainage(id, flight.signal).then(setFound, (error: unknown) => {
      if (!aborted(error)) setFound(faultOf(error).message);
    });
    return () => flight.abort();
    // The key stands for the recipe's parts that water depends on.
  }, [key]);
  return found;
}

export function sentence({ stage, samples, outlets, broken }: DrainageCheck): string {
  const number = (count: number) => count.toLocaleString("en");
  return broken ?? `'${stage}': ${number(samples)} samples drain to ${number(outlets)} outlets, and no water rises`;
}
