// The divider between before (left) and now (right).

import type { JSX, KeyboardEvent, PointerEvent } from "react";

export function Wiper({ at, move }: { at: number; move: (at: number) => void }): JSX.Element {
  const drag = (event: PointerEvent<HTMLDivElement>) => {
    event.stopPropagation();
    if (event.type === "pointerdown") event.currentTarget.setPointerCapture(event.pointerId);
    if (!event.currentTarget.hasPointerCapture(event.pointerId)) return;
    const box = event.currentTarget.parentElement!.getBoundingClientRect();
    move(Math.min(1, Math.max(0, (event.clientX - box.left) / box.width)));
  };
  const key = (event: KeyboardEvent) => {
    const by = event.key === "ArrowLeft" ? -0.02 : event.key === "ArrowRight" ? 0.02 : 0;
    if (by === 0) return;
    event.preventDefault();
    event.stopPropagation();
    move(Math.min(1, Math.max(0, at + by)));
  };
  return (
    <>
      <span className="side before" style={{ right: `calc(${(1 - at) * 100}% + 10px)` }}>before</span>
      <span className="side" style={{ left: `calc(${at * 100}% + 10px)` }}>now</span>
      <div
        className="wiper" role="slider" tabIndex={0} aria-label="Divider between before and now" aria-valuenow={Math.round(at * 100)}
        aria-valuemin={0} aria-valuemax={100} style={{ left: `${at * 100}%` }} onPointerDown={drag} onPointerMove={drag}
        onPointerUp={(event) => event.stopPropagation()} onKeyDown={key}
      />
    </>
  );
}
