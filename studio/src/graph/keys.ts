// From card to card by arrow keys: the nearest one in that direction.

import type { Places } from "./layout";

export function neighbour(places: Places, from: string, key: string): string | null {
  const ways: Record<string, [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const way = ways[key];
  const start = places[from];
  if (!way || !start) return null;
  let best: string | null = null;
  let least = Infinity;
  for (const [name, place] of Object.entries(places)) {
    if (name === from) continue;
    const [dx, dy] = [place.x - start.x, place.y - start.y];
    const along = dx * way[0] + dy * way[1];
    const across = Math.abs(dx * way[1]) + Math.abs(dy * way[0]);
    if (along < 8) continue;
    const cost = along + 2.2 * across;
    if (cost < least) [best, least] = [name, cost];
  }
  return best;
}
