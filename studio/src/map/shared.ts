// The one painter of the page, for those who ask what is seen: statistics, the relief, the picture file.

import type { Painter } from "./painter";

let painter: Painter | null = null;
const watchers = new Set<() => void>();

export function sharePainter(made: Painter | null): void {
  painter = made;
}

export function thePainter(): Painter | null {
  return painter;
}

/** Told after the view has moved or the picture has changed. */
export function onPicture(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}

export function pictureChanged(): void {
  for (const watcher of watchers) watcher();
}
