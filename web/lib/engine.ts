import { loaded } from "./load.js";
import type * as glue from "./module/orogen.js";
import type { Noise } from "./noise.js";
import type { Pipeline } from "./pipeline.js";
import { numbers, type Region } from "./region.js";

/** Options of an engine. */
export interface EngineOptions {
  /** `cpu`: f32, the bits of every other build of Orogen. `oracle`: f64, slow, the reference for the others. */
  backend?: "cpu" | "oracle";
  /** The limit in bytes for the stages of a pipeline, by default 1 GiB. */
  memory?: number;
}

/** A layer of a pipeline. */
export interface Layer {
  /** The samples, x fastest; the channels of a sample are adjacent. */
  values: Float32Array;
  /** The number of channels: 1, 3 for a normal, 4 for a colour. */
  channels: number;
}

let shared: Engine | undefined;

/** Evaluates on the calling thread. */
export class Engine {
  /** @internal */
  readonly raw: glue.Engine;

  constructor({ backend = "cpu", memory }: EngineOptions = {}) {
    this.raw = new (loaded().Engine)(backend, memory);
  }

  /** The engine that noises and pipelines use by default. */
  static shared(): Engine {
    return (shared ??= new Engine());
  }

  /** The instruction set of the module. */
  get adapter(): string {
    return this.raw.adapter();
  }

  /** Prepares a noise, for calls on this engine. */
  prepare(noise: Noise): glue.Prepared {
    return this.raw.prepare(noise.raw);
  }

  /**
   * Layers of a pipeline on a region: stages (`eroded`), other outputs of stages (`eroded.water`) or nodes. Stages that depend on the
   * whole world use the region as the world, unless the pipeline has been measured.
   */
  layers(pipeline: Pipeline, outputs: readonly string[], region: Region): Record<string, Layer> {
    const found = this.raw.layers(pipeline.raw, [...outputs], numbers(region));
    const named = outputs.map((name, i) => [name, { values: found.take(i), channels: found.channels(i) }] as const);
    found.free();
    return Object.fromEntries(named);
  }

  /** The pipeline with its questions about the whole world answered. `world`: the regions that make it up, each sample once. */
  measure(pipeline: Pipeline, outputs: readonly string[], world: readonly Region[]): Pipeline {
    const all = world.flatMap((region) => [...numbers(region)]);
    // Without an import of the class, which the core does not have.
    const Same = pipeline.constructor as new (raw: glue.Pipeline) => Pipeline;
    return new Same(this.raw.measure(pipeline.raw, [...outputs], Float64Array.from(all)));
  }
}
