// The view of the picture: exact at any distance. A coordinate is an integer number of samples and a fraction of one.

export interface Coordinate { i: bigint; f: number }

export interface View {
  x: Coordinate;
  y: Coordinate;
  /** Samples of level 0 for each pixel of the screen's CSS. */
  scale: number;
}

export const TILE = 256;

export function coordinate(i: bigint, f: number): Coordinate {
  const whole = Math.floor(f);
  return { i: i + BigInt(whole), f: f - whole };
}

export function moved(c: Coordinate, by: number): Coordinate {
  return coordinate(c.i, c.f + by);
}

/** As one number, in samples: for labels and for the probe, which take world units. */
export function approximate(c: Coordinate): number {
  return Number(c.i) + c.f;
}

/** The level whose samples are closest to the pixels of the device. */
export function levelFor(scale: number, ratio: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, Math.round(Math.log2(scale / ratio) + 0.2)));
}

/** The index at `level` of the sample at or before the coordinate, and how far behind it is, in samples of that level. */
export function atLevel(c: Coordinate, level: number): Coordinate {
  if (level <= 0) {
    const factor = 2 ** -level;
    const part = c.f * factor;
    const whole = Math.floor(part);
    return { i: (c.i << BigInt(-level)) + BigInt(whole), f: part - whole };
  }
  const i = c.i >> BigInt(level);
  return { i, f: (Number(c.i - (i << BigInt(level))) + c.f) / 2 ** level };
}

/** Pixels from the view's middle to the middle of a sample of some level; what is far off comes out as a large number. */
export function offset(centre: Coordinate, index: bigint, level: number, scale: number): number {
  const at = atLevel(centre, level);
  return ((Number(index - at.i) - at.f) * 2 ** level) / scale;
}

/** World position under a pixel, given from the middle. */
export function under(centre: Coordinate, pixels: number, scale: number, spacing: number): number {
  return approximate(moved(centre, pixels * scale)) * spacing;
}

export const WIDEST = 1e12;
export const NARROWEST = 1e-2;

export function boundScale(scale: number, spacing: number, pixels: number): number {
  const size = Math.max(pixels, 1);
  return Math.min(WIDEST / spacing / size, Math.max(NARROWEST / spacing / size, scale));
}
