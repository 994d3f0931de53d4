// The revision that the wiper compares with. Its recipe is checked once, so that the server caches it.

import { useEffect, useState } from "react";
import type { Good } from "../protocol";
import { check } from "../server";
import { tell, useStore } from "../state/store";

const known = new Map<number, Good>();

export function useCompared(): Good | null {
  const key = useStore((s) => s.compare);
  const revision = useStore((s) => s.history.find((r) => r.key === s.compare));
  const [good, setGood] = useState<Good | null>(null);
  useEffect(() => {
    setGood(key === null ? null : (known.get(key) ?? null));
    if (key === null || known.has(key) || !revision) return;
    let gone = false;
    check(revision.text).then(
      (checked) => {
        if (checked.ok) known.set(key, checked);
        else tell("That revision has an error and cannot be drawn.", true);
        if (!gone && checked.ok) setGood(checked);
      },
      (error: unknown) => tell(String(error), true),
    );
    return () => {
      gone = true;
    };
  }, [key, revision]);
  return good;
}
