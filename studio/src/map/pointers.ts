// Hands on the picture: dragging, wheel, pinching, keys.

import type { Painter } from "./painter";

/** Pixels that a hand may move between pressing and letting go for it to be a click. */
const CLICK = 4;

export function listen(
  element: HTMLElement, painter: Painter, hover: (at: { x: number; y: number } | null) => void, click: (at: { x: number; y: number }) => void,
): () => void {
  let pressed: { x: number; y: number } | null = null;
  const down = new Map<number, { x: number; y: number }>();
  const place = (event: PointerEvent | WheelEvent) => {
    const box = element.getBoundingClientRect();
    return { x: event.clientX - box.left, y: event.clientY - box.top };
  };
  const spread = () => {
    const [a, b] = [...down.values()];
    return a && b ? { size: Math.hypot(a.x - b.x, a.y - b.y), x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 } : null;
  };
  const onDown = (event: PointerEvent) => {
    if (event.button > 1) return;
    element.setPointerCapture(event.pointerId);
    down.set(event.pointerId, place(event));
    pressed = down.size === 1 ? place(event) : null;
    element.classList.add("dragging");
  };
  const onMove = (event: PointerEvent) => {
    const at = place(event);
    const last = down.get(event.pointerId);
    if (!last) {
      if (event.pointerType !== "touch") hover(at);
      return;
    }
    const before = spread();
    down.set(event.pointerId, at);
    const after = spread();
    if (before && after) {
      painter.pan(after.x - before.x, after.y - before.y);
      painter.zoom(after.size / Math.max(1, before.size), after.x, after.y);
    } else {
      painter.pan(at.x - last.x, at.y - last.y);
    }
  };
  const onUp = (event: PointerEvent) => {
    const at = place(event);
    if (pressed && event.type === "pointerup" && Math.hypot(at.x - pressed.x, at.y - pressed.y) <= CLICK) click(at);
    pressed = null;
    down.delete(event.pointerId);
    if (down.size === 0) element.classList.remove("dragging");
    if (event.pointerType === "touch") hover(place(event));
  };
  const onWheel = (event: WheelEvent) => {
    event.preventDefault();
    const at = place(event);
    const lines = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? 400 : 1;
    painter.zoom(2 ** (-event.deltaY * lines * 0.0022), at.x, at.y);
    hover(at);
  };
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Enter") click({ x: painter.width / 2, y: painter.height / 2 });
    const by = event.shiftKey ? 256 : 48;
    const moves: Record<string, () => void> = {
      ArrowLeft: () => painter.pan(by, 0),
      ArrowRight: () => painter.pan(-by, 0),
      ArrowUp: () => painter.pan(0, by),
      ArrowDown: () => painter.pan(0, -by),
      "+": () => painter.zoom(1.5),
      "=": () => painter.zoom(1.5),
      "-": () => painter.zoom(1 / 1.5),
    };
    const move = moves[event.key];
    if (!move) return;
    event.preventDefault();
    event.stopPropagation();
    move();
  };
  const onLeave = () => hover(null);
  element.addEventListener("pointerdown", onDown);
  element.addEventListener("pointermove", onMove);
  element.addEventListener("pointerup", onUp);
  element.addEventListener("pointercancel", onUp);
  element.addEventListener("pointerleave", onLeave);
  element.addEventListener("wheel", onWheel, { passive: false });
  element.addEventListener("keydown", onKey);
  return () => {
    element.removeEventListener("pointerdown", onDown);
    element.removeEventListener("pointermove", onMove);
    element.removeEventListener("pointerup", onUp);
    element.removeEventListener("pointercancel", onUp);
    element.removeEventListener("pointerleave", onLeave);
    element.removeEventListener("wheel", onWheel);
    element.removeEventListener("keydown", onKey);
  };
}
