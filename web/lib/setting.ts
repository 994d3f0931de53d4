import type { ColourStop, ControlPoint, QuantilePoint, RadialPoint } from "./points.js";

/** A value of a parameter. A `bigint` holds seeds beyond 2⁵³. */
export type Setting =
  | number
  | bigint
  | boolean
  | string
  | readonly number[]
  | readonly (readonly number[])[]
  | readonly (ControlPoint | QuantilePoint | ColourStop | RadialPoint)[];

/** A setting as JSON. */
export function encoded(what: string, value: unknown): string {
  if (typeof value === "bigint") return value.toString();
  if (typeof value === "number" && !Number.isFinite(value)) throw new Error(`${what} = ${value} is not allowed; allowed: finite numbers`);
  const text = JSON.stringify(value);
  if (text === undefined) throw new Error(`${what} = ${String(value)} is not allowed; allowed: a number, a boolean, a word, or a list`);
  return text;
}

/** A name of the library's tables: `cellValue` is `cell_value`. */
export const snake = (name: string): string => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
