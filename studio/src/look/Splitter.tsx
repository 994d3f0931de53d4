// The bar between two regions: dragged, or moved by arrow keys. Sizes are percentages, kept in the browser.

import { useState, type JSX, type KeyboardEvent, type PointerEvent } from "react";
import { recall, remember } from "../state/document";

export function useSize(key: string, first: number): [number, (size: number) => void] {
  const [size, setSize] = useState(() => {
    const kept = Number(recall(key));
    return kept >= 15 && kept <= 85 ? kept : first;
  });
  return [size, (next) => {
    const held = Math.min(85, Math.max(15, next));
    setSize(held);
    remember(key, String(held));
  }];
}

interface Props { label: string; upright: boolean; at: number; move: (at: number) => void }

export function Splitter({ label, upright, at, move }: Props): JSX.Element {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement!.getBoundingClientRect();
    move(upright ? ((event.clientX - box.left) / box.width) * 100 : ((event.clientY - box.top) / box.height) * 100);
  };
  const key = (event: KeyboardEvent) => {
    const by = { ArrowLeft: -2, ArrowUp: -2, ArrowRight: 2, ArrowDown: 2 }[event.key];
    if (by === undefined) return;
    event.preventDefault();
    move(at + by);
  };
  return (
    <div
      className={upright ? "splitter upright" : "splitter"} role="separator" tabIndex={0} aria-label={label}
      aria-orientation={upright ? "vertical" : "horizontal"} aria-valuenow={Math.round(at)} aria-valuemin={15} aria-valuemax={85}
      onPointerDown={drag} onPointerMove={drag} onKeyDown={key}
    />
  );
}
