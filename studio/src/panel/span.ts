// Maps the range of a parameter to a slider.

import type { Param } from "../protocol";

export interface Span { lo: number; hi: number; log: boolean; whole: boolean; bounds: [number, number] }

export function boundsOf(param: Param): [number, number] {
  const { allowed } = param;
  if (typeof allowed === "object") {
    if ("between" in allowed) return allowed.between;
    if ("dimensions" in allowed) return allowed.dimensions;
    if ("each" in allowed) return allowed.each;
    if ("list" in allowed) return [allowed.list[1], allowed.list[2]];
    if ("terms" in allowed) return [allowed.terms[1], allowed.terms[2]];
  }
  return [-1e15, 1e15];
}

/** `around` is the value when the slider was taken hold of: wide ranges are cut to its neighbourhood. */
export function spanOf(param: Param, around: number): Span {
  const bounds = boundsOf(param);
  const [least, most] = bounds;
  const whole = param.type === "whole";
  if (whole && most - least > 4096) {
    const top = Math.max(16, around * 2);
    return { lo: least, hi: Math.min(most, top), log: false, whole, bounds };
  }
  if (whole) return { lo: least, hi: most, log: most - least > 200, whole, bounds };
  if (least > 0 && most / least >= 1000) {
    // Decades around the value: the whole range would leave a pixel for each.
    const size = Math.max(around, least);
    return { lo: Math.max(least, size / 32), hi: Math.min(most, size * 32), log: true, whole, bounds };
  }
  if (most - least > 1000) {
    const size = Math.max(Math.abs(around), 0.5) * 2;
    const top = Number((10 ** Math.ceil(Math.log10(size) * 2)).toPrecision(12)) ** 0.5;
    return { lo: Math.max(least, least >= 0 ? least : -top), hi: Math.min(most, top), log: false, whole, bounds };
  }
  if (most - least > 8 && !whole) {
    // Gains of ±16 and the like: what is usual lies near the default.
    const rest = typeof param.default === "number" ? param.default : 0;
    const reach = Math.max(2, Math.abs(rest) * 2, Math.abs(around) * 1.5);
    return { lo: Math.max(least, least >= 0 || (around >= 0 && rest >= 0 && least >= -16) ? Math.max(least, 0) : -reach), hi: Math.min(most, reach), log: false, whole, bounds };
  }
  return { lo: least, hi: most, log: false, whole, bounds };
}

export const STEPS = 1000;

export function toSlider(span: Span, value: number): number {
  const { lo, hi, log } = span;
  const t = log ? Math.log(Math.max(value, lo || 1) / (lo || 1)) / Math.log(hi / (lo || 1)) : (value - lo) / (hi - lo || 1);
  return Math.round(STEPS * Math.min(1, Math.max(0, t)));
}

export function fromSlider(span: Span, step: number): number {
  const { lo, hi, log, whole } = span;
  const t = step / STEPS;
  const value = log ? (lo || 1) * (hi / (lo || 1)) ** t : lo + t * (hi - lo);
  if (whole) return Math.round(value);
  // Three digits of what a slider can tell apart.
  const grain = log ? Math.abs(value) / 200 : (hi - lo) / STEPS;
  const unit = 10 ** Math.floor(Math.log10(grain || 1));
  return Number((Math.round(value / unit) * unit).toPrecision(12));
}
