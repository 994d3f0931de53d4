// Samples become pixels. A piece has a border of one sample, so that its slopes agree with its neighbours'.

import type { Samples } from "../server";
import { ramp, srgb, STEPS } from "./ramp";
import type { Scale, Style } from "../state/style";

/** `step` is the distance of samples in world units; the picture is two samples smaller than the piece along each axis. */
export function shade(piece: Samples, step: number, style: Style, scale: Scale): ImageData {
  const [width, height] = [piece.width - 2, piece.height - 2];
  const image = new ImageData(width, height);
  if (piece.channels === 1) values(piece, step, style, scale, image.data);
  else colours(piece, image.data);
  return image;
}

function colours(piece: Samples, out: Uint8ClampedArray): void {
  const { width, height, channels, values: v } = piece;
  let o = 0;
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++, o += 4) {
      const i = (y * width + x) * channels;
      for (let c = 0; c < 3; c++) out[o + c] = channels === 4 ? srgb(v[i + c]!) : 127.5 * (v[i + Math.min(c, channels - 1)]! + 1);
      out[o + 3] = channels === 4 ? 255 * Math.min(1, Math.max(0, v[i + 3]!)) : 255;
    }
  }
}

function values(piece: Samples, step: number, style: Style, scale: Scale, out: Uint8ClampedArray): void {
  const { width, height, values: v } = piece;
  const table = ramp(style.ramp);
  const perStep = (STEPS - 1) / (scale.hi - scale.lo || 1);
  const lift = scale.lift * style.lift;
  const perWorld = 0.5 / step;
  const interval = style.contours === null ? 0 : style.contours > 0 ? style.contours : scale.interval;
  const steep2 = style.steep === null ? Infinity : style.steep * style.steep;
  let o = 0;
  for (let y = 1; y < height - 1; y++) {
    let i = y * width + 1;
    for (let x = 1; x < width - 1; x++, i++, o += 4) {
      const value = v[i]!;
      const gx = (v[i + 1]! - v[i - 1]!) * perWorld;
      const gy = (v[i + width]! - v[i - width]!) * perWorld;
      const at = (value - scale.lo) * perStep;
      const k = 3 * (at <= 0 || at !== at ? 0 : at >= STEPS - 1 ? STEPS - 1 : at | 0);
      let r = table[k]!;
      let g = table[k + 1]!;
      let b = table[k + 2]!;
      if (style.shaded) {
        const [px, py] = [gx * lift, gy * lift];
        const n = 1 / Math.sqrt(1 + px * px + py * py);
        // The sun in the north-west at 45 degrees, a weaker light from the west, and the sky.
        const sun = (0.5 * px + 0.5 * py + 0.7071) * n;
        const fill = (0.64 * px - 0.1 * py + 0.76) * n;
        const light = 0.24 + 0.2 * n + (sun > 0 ? 0.74 * sun : 0) + (fill > 0 ? 0.14 * fill : 0);
        r *= light * 1.02;
        g *= light;
        b *= light * 0.97 + 0.035;
      }
      if (style.clipped && (value < scale.lo || value > scale.hi)) {
        const hatch = ((x + y) & 7) < 4;
        [r, g, b] = value > scale.hi ? (hatch ? [236, 60, 120] : [190, 30, 90]) : hatch ? [60, 120, 250] : [30, 80, 190];
      }
      if (gx * gx + gy * gy > steep2) {
        r = r * 0.4 + 150;
        g = g * 0.4 + 40;
        b = b * 0.4 + 20;
      }
      if (interval > 0) {
        // Distance to the nearest line in samples: the difference of values divided by the slope.
        const turns = value / interval;
        const away = Math.abs(turns - Math.round(turns)) * interval;
        const slope = Math.sqrt(gx * gx + gy * gy) * step;
        const fifth = Math.round(turns) % 5 === 0;
        const line = Math.min(1, Math.max(0, (fifth ? 1.15 : 0.8) - away / (slope || 1e-30)));
        const dark = line * (fifth ? 0.75 : 0.5) * (slope > 0 ? 1 : 0);
        r *= 1 - dark;
        g *= 1 - dark;
        b *= 1 - dark;
      }
      out[o] = r;
      out[o + 1] = g;
      out[o + 2] = b;
      out[o + 3] = 255;
    }
  }
}

export interface Extent { lo: number; hi: number; slope: number }

/** Statistics of the visible samples: minimum and maximum without outliers, and a slope that most samples stay below. */
export function extent(piece: Samples, step: number): Extent | null {
  if (piece.channels !== 1) return null;
  const { width, height, values: v } = piece;
  // Some thousand samples tell as much as all of them.
  const stride = Math.max(1, Math.floor(Math.sqrt((width * height) / 3000)));
  const most = Math.ceil((width - 2) / stride) * Math.ceil((height - 2) / stride);
  const seen = new Float32Array(most);
  const slopes = new Float32Array(most);
  let n = 0;
  for (let y = 1; y < height - 1; y += stride) {
    for (let x = 1; x < width - 1; x += stride, n++) {
      const i = y * width + x;
      const [gx, gy] = [v[i + 1]! - v[i - 1]!, v[i + width]! - v[i - width]!];
      seen[n] = v[i]!;
      slopes[n] = Math.sqrt(gx * gx + gy * gy) / (2 * step);
    }
  }
  if (n === 0) return null;
  const share = (list: Float32Array, s: number) => list[Math.min(n - 1, Math.floor(s * n))]!;
  seen.sort();
  slopes.sort();
  return { lo: share(seen, 0.002), hi: share(seen, 0.998), slope: share(slopes, 0.9) };
}

/** The scale that suits an extent: slopes as steep as mountains look, contours at a round interval. */
export function scaleOf(e: Extent): Scale {
  const span = e.hi - e.lo;
  const pad = span > 0 ? span * 0.02 : Math.max(Math.abs(e.lo) * 0.01, 1e-6);
  const rough = 10 ** Math.floor(Math.log10((span || 1) / 12));
  const interval = [1, 2, 5, 10].map((n) => n * rough).find((n) => span / n <= 14) ?? rough * 10;
  return { lo: e.lo - pad, hi: e.hi + pad, lift: e.slope > 0 ? 1.1 / e.slope : 1, interval };
}
