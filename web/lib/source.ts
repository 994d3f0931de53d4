import type * as glue from "./module/orogen.js";

/** The module of an entry point: the JavaScript around it, and the addresses of its files. */
export interface Source {
  glue: typeof glue;
  address(simd: boolean): URL;
}

let chosen: Source | undefined;

/** Set by the package's entry points, so that a page has only the module that it uses. */
export function setSource(source: Source): void {
  chosen = source;
}

/** The module. */
export function source(): Source {
  if (!chosen) throw new Error("orogen: no entry point of the package was imported");
  return chosen;
}
