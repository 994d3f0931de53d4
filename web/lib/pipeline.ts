import { Engine, type Layer } from "./engine.js";
import { loaded } from "./load.js";
import { setMakePipeline } from "./make.js";
import type * as glue from "./module/orogen.js";
import { Noise } from "./noise.js";
import { type Portable, portableOf, reader } from "./portable.js";
import { named, type Region } from "./region.js";
import { encoded, type Setting, snake } from "./setting.js";
import { StageSteps } from "./stages.js";

/** Noises and stages. Every kind of stage with an input is a method, and every other kind a function in `stage`. */
export class Pipeline extends StageSteps {
  /** @internal */
  readonly raw: glue.Pipeline;
  #portable: Portable | undefined;

  /** @internal */
  constructor(raw: glue.Pipeline) {
    super();
    this.raw = raw;
  }

  /** The pipeline of a noise, without stages. */
  static of(noise: Noise): Pipeline {
    return new Pipeline(loaded().Pipeline.of(noise.raw));
  }

  /** A pipeline from JSON: `{"output": …, "node": {…}, "stage": {…}}`. `files`: the bytes of the files of heights that it names. */
  static parse(text: string, files: Portable["files"] = {}): Pipeline {
    return new Pipeline(loaded().Pipeline.parse(text, reader(files)));
  }

  /** The pipeline as JSON, which `Pipeline.parse` reads. */
  toString(): string {
    return this.raw.json();
  }

  /** The pipeline with the files that it reads, for another program or worker; `Pipeline.parse(json, files)` reads both. */
  portable(): Portable {
    this.#portable ??= portableOf(this.raw.portable() as [string, Map<string, Uint8Array>]);
    return this.#portable;
  }

  /** The output: a stage, an output of a stage, or a node. */
  get output(): string {
    return this.raw.output();
  }

  /** This pipeline with another output. */
  withOutput(name: string): Pipeline {
    return new Pipeline(this.raw.with_output(name));
  }

  /** The noise whose output is the given node; without a name, that of the first node under the output. */
  noiseOf(name?: string): Noise {
    return new Noise(this.raw.noise_of(name));
  }

  /** Changes a live number by its path, `stage.parameter` or `node.parameter`, in place. */
  set(path: string, value: Setting): this {
    this.raw.set(path, encoded(path, value));
    this.#portable = undefined;
    return this;
  }

  /** The value of a parameter by its path; `undefined` if it is not set. */
  get(path: string): Setting | undefined {
    const json = this.raw.get(path);
    return json === undefined ? undefined : (JSON.parse(json) as Setting);
  }

  /** Layers of a region; see `Engine.layers`. */
  layers(outputs: readonly string[], region: Region): Record<string, Layer> {
    return Engine.shared().layers(this, outputs, region);
  }

  /** The output on a region: its samples, x fastest. */
  field(region: Region): Float32Array {
    const layer = this.layers([this.output], region)[this.output] as Layer;
    return layer.values;
  }
}

/** Options of `Recipe.parse`. */
export interface ParseOptions {
  /** The name in messages, by default `recipe`. */
  name?: string;
  /** The bytes of the files that the recipe names: PNG, NumPy (`.npy`) and others. */
  files?: Readonly<Record<string, Uint8Array>>;
}

/** The defaults of a bake. */
export interface Bake {
  tile: number;
  tiles: [number, number];
  spacing: number;
  z: number;
  layers?: string[];
}

/** A recipe: a pipeline with the defaults of its bake. */
export class Recipe {
  /** @internal */
  readonly raw: glue.Recipe;

  /** @internal */
  constructor(raw: glue.Recipe) {
    this.raw = raw;
  }

  /** Reads TOML, or JSON if the text begins with a brace. Files of heights that it names have to be given. */
  static parse(text: string, { name = "recipe", files = {} }: ParseOptions = {}): Recipe {
    return new Recipe(loaded().Recipe.parse(text, name, reader(files)));
  }

  /** The recipe as TOML. */
  toToml(): string {
    return this.raw.toml();
  }

  /** The recipe as JSON. */
  toString(): string {
    return this.raw.json();
  }

  /** The output as a noise, if it is a node. */
  get noise(): Noise {
    return new Noise(this.raw.noise());
  }

  /** The nodes, the stages, and the output. */
  get pipeline(): Pipeline {
    return new Pipeline(this.raw.pipeline());
  }

  /** The defaults of a bake. */
  get bake(): Bake {
    return JSON.parse(this.raw.bake()) as Bake;
  }

  /** The region of tile (x, y), at a level of detail; `size`: samples along each edge, by default the recipe's. */
  tile(x: number, y: number, { level = 0, size = 0 } = {}): Region {
    return named(this.raw.tile(x, y, level, size));
  }

  /** The output on a region: its samples, x fastest. */
  field(region: Region): Float32Array {
    return this.pipeline.field(region);
  }

  /** Layers of a region; see `Engine.layers`. */
  layers(outputs: readonly string[], region: Region): Record<string, Layer> {
    return this.pipeline.layers(outputs, region);
  }
}

setMakePipeline((kind, params, first, self) => {
  const { name, ...given } = params as Record<string, unknown>;
  // The parts of the first pipeline keep their names.
  const base = self ?? Object.values(given).find((value) => value instanceof Pipeline);
  // The module takes the copy over.
  const stage = new (loaded().StageOfKind)(kind, base instanceof Pipeline ? base.raw.copy() : undefined);
  if (first !== undefined && self) stage.input_base(first);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const param = snake(key);
    if (value === base) stage.input_base(param);
    else if (value instanceof Pipeline) stage.input(param, value.raw);
    else if (value instanceof Noise) stage.input_noise(param, value.raw);
    else stage.set(param, encoded(`stage '${kind}': ${param}`, value));
  }
  return new Pipeline(stage.finish(name as string | undefined));
});
