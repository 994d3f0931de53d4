// The canvas: which fields are on it, when it is painted, and how old pictures give way to new ones without flashing.

import { Field, type Frame, type Source } from "./field";
import { scaleOf } from "./shade";
import type { Scale, Style } from "../state/style";
import { boundScale, coordinate, moved, type View } from "./view";

const KEPT = 5;

export class Painter {
  private fields = new Map<string, Field>();
  private current: Field | null = null;
  /** Shown until the current field covers the frame. */
  private before: Field | null = null;
  private beforeScale: Scale = unit;
  private other: Field | null = null;
  private wiper = 0.5;
  private style: Style | null = null;
  private scale: Scale = unit;
  private scaleFor = { key: "", zoom: 0, layer: "" };
  private frameAsked = 0;
  private ratio = 1;
  private resting = false;
  view: View = { x: coordinate(0n, 0), y: coordinate(0n, 0), scale: 1 };
  width = 1;
  height = 1;
  /** After each painting: overlays, readouts. */
  onPaint: () => void = () => {};

  constructor(private readonly canvas: HTMLCanvasElement) {}

  get frame(): Frame {
    return { view: this.view, width: this.width, height: this.height, ratio: this.ratio };
  }

  get shown(): Field | null {
    return this.current?.covers || !this.before ? this.current : this.before;
  }

  get shownScale(): Scale {
    return this.scale;
  }

  get settled(): boolean {
    return this.resting || (this.current !== null && this.current.whole && !this.current.busy);
  }

  /** The work in progress, in words. */
  get working(): string {
    const [done, all] = this.current?.progress ?? [0, 0];
    return `computing ${this.current?.source.layer ?? ""}${all > 1 ? `, ${done} of ${all} pieces` : ""}…`;
  }

  get error(): string | null {
    return this.current?.failed ?? null;
  }

  resize(width: number, height: number, ratio: number): void {
    this.width = Math.max(1, width);
    this.height = Math.max(1, height);
    this.ratio = ratio;
    this.canvas.width = Math.max(1, Math.round(width * ratio));
    this.canvas.height = Math.max(1, Math.round(height * ratio));
    this.lookAround();
    this.paint();
  }

  private fieldFor(source: Source): Field {
    const known = this.fields.get(source.key);
    if (known) {
      this.fields.delete(source.key);
      this.fields.set(source.key, known);
      known.open();
      known.renew(source);
      return known;
    }
    const field = new Field(source, (first) => this.arrived(field, first));
    this.fields.set(source.key, field);
    for (const [key, old] of this.fields) {
      if (this.fields.size <= KEPT) break;
      if (old === this.current || old === this.before || old === this.other || old === field) continue;
      old.close();
      this.fields.delete(key);
    }
    return field;
  }

  setSource(source: Source | null): void {
    if (source === null) return;
    if (source.key === this.current?.source.key) {
      // The same samples under another recipe: from now on they are requested under its identifier, which the server has
      // cached.
      this.current.renew(source);
      this.lookAround();
      return;
    }
    const old = this.current;
    if (old && old !== this.other) old.close();
    // A field that never covered the frame is skipped: what is on the screen stays.
    if (old?.covers) {
      this.before = old;
      this.beforeScale = this.scale;
    }
    this.current = this.fieldFor(source);
    if (this.before === this.current) this.before = null;
    this.current.look(this.frame);
    if (this.current.covers) this.rescale(false);
    this.ask();
  }

  setOther(source: Source | null, wiper: number): void {
    this.wiper = wiper;
    if (source?.key !== this.other?.source.key) {
      this.other = source ? this.fieldFor(source) : null;
      this.other?.look(this.frame);
    }
    this.ask();
  }

  /** While the relief is looked at, nothing is asked for here. */
  rest(resting: boolean): void {
    this.resting = resting;
    if (resting) {
      this.current?.close();
      this.other?.close();
    } else {
      this.current?.open();
      this.other?.open();
      this.lookAround();
    }
    this.ask();
  }

  setStyle(style: Style): void {
    const range = this.style?.range !== style.range || this.style.fixed !== style.fixed || this.style.ramp !== style.ramp;
    this.style = style;
    if (range) this.rescale(true);
    this.ask();
  }

  /** Moves the picture by pixels. */
  pan(dx: number, dy: number): void {
    const { view } = this;
    this.setView({ ...view, x: moved(view.x, -dx * view.scale), y: moved(view.y, -dy * view.scale) });
  }

  /** Zooms in by a factor, around a place of the canvas. */
  zoom(factor: number, px = this.width / 2, py = this.height / 2): void {
    const { view } = this;
    const spacing = this.current?.source.spacing ?? 1;
    const scale = boundScale(view.scale / factor, spacing, this.width);
    const by = view.scale - scale;
    this.setView({
      x: moved(view.x, (px - this.width / 2) * by),
      y: moved(view.y, (py - this.height / 2) * by),
      scale,
    });
  }

  setView(view: View): void {
    this.view = view;
    this.lookAround();
    this.ask();
  }

  private lookAround(): void {
    this.current?.look(this.frame);
    this.other?.look(this.frame);
    if (this.current?.whole && this.current.pieceCount > 0) this.rescale(false);
  }

  private arrived(field: Field, first: boolean): void {
    // Missing samples are requested after the existing ones have been painted.
    field.plan(this.frame);
    if (field === this.current && field.covers && (first || field.whole)) this.rescale(false);
    // A coarse first picture is painted at once; tiles wait for the next frame of the screen.
    if (first && field === this.current && field.covers) this.paint();
    else this.ask();
  }

  /** Range and relief by what is seen. Kept while the view is moved, and when little would change. */
  rescale(force: boolean): void {
    const { current, style } = this;
    if (!current || !style || current.source.channels !== 1) return;
    const was = this.scaleFor;
    const zoomed = Math.abs(Math.log2(this.view.scale / (was.zoom || 1))) > 0.6;
    if (!force && was.key === current.source.key && !zoomed) return;
    const seen = current.extent(this.frame);
    if (!seen) return;
    const next = scaleOf(seen);
    const proven = current.source.proven;
    if (style.range === "auto" && style.ramp === "auto" && current.source.mask) [next.lo, next.hi] = [0, 1];
    if (style.range === "proven" && proven) [next.lo, next.hi] = proven;
    if (style.range === "fixed") [next.lo, next.hi] = style.fixed;
    const sameLayer = was.layer === current.source.name;
    const span = this.scale.hi - this.scale.lo;
    const near = Math.abs(next.lo - this.scale.lo) < 0.12 * span && Math.abs(next.hi - this.scale.hi) < 0.12 * span
      && next.lift / this.scale.lift < 1.6 && this.scale.lift / next.lift < 1.6;
    if (!force && sameLayer && near) {
      this.scaleFor = { ...was, key: current.source.key, zoom: this.view.scale };
      return;
    }
    this.scale = next;
    this.scaleFor = { key: current.source.key, zoom: this.view.scale, layer: current.source.name };
    this.ask();
  }

  ask(): void {
    if (this.frameAsked === 0) this.frameAsked = requestAnimationFrame(() => this.paint());
  }

  paint(): void {
    cancelAnimationFrame(this.frameAsked);
    this.frameAsked = 0;
    const { current, style } = this;
    const context = this.canvas.getContext("2d", { alpha: true })!;
    context.clearRect(0, 0, this.canvas.width, this.canvas.height);
    if (style && current) {
      const until = performance.now() + 14;
      let late = false;
      if (!current.covers && this.before) {
        this.before.look(this.frame);
        late = this.before.paint(context, this.frame, style, this.beforeScale, until);
      } else if (current.covers) {
        if (this.before && this.before !== this.other) this.before.close();
        this.before = null;
      }
      if (current.covers || !this.before) late = current.paint(context, this.frame, style, this.scale, until) || late;
      if (this.other) {
        context.save();
        context.beginPath();
        context.rect(0, 0, Math.round(this.canvas.width * this.wiper), this.canvas.height);
        context.clip();
        late = this.other.paint(context, this.frame, style, this.scale, until) || late;
        context.restore();
      }
      if (late) this.ask();
    }
    this.onPaint();
  }

  close(): void {
    cancelAnimationFrame(this.frameAsked);
    for (const field of this.fields.values()) field.close();
    this.fields.clear();
  }
}

const unit: Scale = { lo: 0, hi: 1, lift: 1, interval: 1 };
