export { hasSimd, init, type InitOptions } from "./load.js";
export { type Jets, Noise } from "./noise.js";
export * from "./nodes.js";
export type * from "./points.js";
export type { Portable } from "./portable.js";
export type { Region } from "./region.js";
export type { Setting } from "./setting.js";
