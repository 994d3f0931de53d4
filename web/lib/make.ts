import type { Noise } from "./noise.js";
import type { Pipeline } from "./pipeline.js";

type Make<T> = (kind: string, params: object, first?: string, self?: T) => T;

/** Makes a noise of any kind. Set by noise.ts, which needs the generated methods first. */
export let makeNoise: Make<Noise>;
/** Makes a pipeline that ends in a stage of any kind. */
export let makePipeline: Make<Pipeline>;

export function setMakeNoise(make: Make<Noise>): void {
  makeNoise = make;
}

export function setMakePipeline(make: Make<Pipeline>): void {
  makePipeline = make;
}
