import * as glue from "./export/orogen.js";
import type { InitOptions } from "./load.js";
import type { Noise } from "./noise.js";
import { platform } from "./platform.js";
import { reader } from "./portable.js";

/** The languages of exports, by the names of `orogen export --lang`. */
export const languages = ["wgsl", "hlsl", "glsl", "msl", "glsl-es", "godot", "unity", "unreal", "js"] as const;

/** A language of exports. */
export type Language = (typeof languages)[number];

/** Options of `exportNoise`. */
export interface ExportOptions {
  /** The language of the text. */
  language: Language;
  /**
   * Prefix of the names of all functions, structures and variables, by default `orogen`. It has 1 to 32 letters, digits and single
   * underscores, begins with a letter and does not end with an underscore.
   */
  prefix?: string;
  /** World position to which positions are relative, by default the origin. */
  anchor?: readonly [number, number, number];
  /** The name in the comment at the top, by default `noise`. */
  name?: string;
}

let pending: Promise<void> | undefined;

/**
 * Loads the module that writes source code, which is not that of `orogen`. `exportNoise` calls it; a page calls it to name the
 * module's address, where a bundler does not emit it.
 */
export function initExport({ module }: Pick<InitOptions, "module"> = {}): Promise<void> {
  pending ??= started(module).catch((error: unknown) => {
    pending = undefined;
    throw error;
  });
  return pending;
}

async function started(module: InitOptions["module"]): Promise<void> {
  // Bundlers look for this expression as it is.
  const from = module ?? new URL("./export/export.wasm", import.meta.url);
  const read = from instanceof URL || typeof from === "string" ? platform().readModule(from) : from;
  await glue.default({ module_or_path: await read });
}

/**
 * A noise as source code: the text of `orogen export`, with tables in the source. Of a recipe, give `recipe.noise`; of a pipeline,
 * `pipeline.noiseOf("hills")`.
 */
export async function exportNoise(noise: Noise, { language, prefix = "orogen", anchor = [0, 0, 0], name = "noise" }: ExportOptions): Promise<string> {
  if (!("portable" in noise.raw)) throw new Error("noises of orogen/core cannot be exported; import orogen");
  const { json, files } = noise.portable();
  await initExport();
  return glue.exported(json, reader(files), language, name, prefix, Float64Array.from(anchor));
}
