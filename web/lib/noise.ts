import { Engine } from "./engine.js";
import { loaded, view } from "./load.js";
import { setMakeNoise } from "./make.js";
import type * as glue from "./module/orogen.js";
import { NodeSteps } from "./nodes.js";
import { type Portable, portableOf, reader } from "./portable.js";
import { numbers, type Region } from "./region.js";
import { encoded, type Setting, snake } from "./setting.js";

const NO_JSON = "orogen/core neither reads nor writes JSON; import orogen";

/** Values and gradients of a field. */
export interface Jets {
  /** A value for each sample. */
  values: Float32Array;
  /** Three numbers for each sample: the gradient per world unit. */
  gradients: Float32Array;
}

/** Copies numbers out of the module's memory. */
function copied(address: number, count: number, out: Float32Array | undefined): Float32Array {
  const found = view(address, count);
  if (!out) return found.slice();
  if (out.length !== count) throw new Error(`out: length = ${out.length} is not allowed; allowed: ${count}`);
  out.set(found);
  return out;
}

/** A noise: a function of position. Every kind with an input is a method, and every other kind a function of this package. */
export class Noise extends NodeSteps {
  /** @internal */
  readonly raw: glue.Noise;
  /**
   * The number of changes by `set`.
   * @internal
   */
  changes = 0;
  #portable: (Portable & { changes: number }) | undefined;
  #prepared: glue.Prepared | undefined;

  /** @internal */
  constructor(raw: glue.Noise) {
    super();
    this.raw = raw;
  }

  /** A noise from JSON: `{"output": …, "node": {…}}`. `files`: the bytes of the files of heights that it names. */
  static parse(text: string, files: Portable["files"] = {}): Noise {
    if (!("parse" in loaded().Noise)) throw new Error(NO_JSON);
    return new Noise(loaded().Noise.parse(text, reader(files)));
  }

  /** The noise as JSON, which `Noise.parse` reads. */
  toString(): string {
    if (!("json" in this.raw)) throw new Error(NO_JSON);
    return this.raw.json();
  }

  /** The noise with the files that it reads, for another program or worker; `Noise.parse(json, files)` reads both. */
  portable(): Portable {
    if (!("portable" in this.raw)) throw new Error(NO_JSON);
    if (this.#portable?.changes !== this.changes) {
      this.#portable = { changes: this.changes, ...portableOf(this.raw.portable() as [string, Map<string, Uint8Array>]) };
    }
    const { json, files } = this.#portable;
    return { json, files };
  }

  /** This noise with a name for its last node, for `set`, recipes and messages. */
  named(name: string): Noise {
    return new Noise(this.raw.named(name));
  }

  /** Changes a live number by its path, `node.parameter`, in place. */
  set(path: string, value: Setting): this {
    const json = encoded(path, value);
    this.raw.set(path, json);
    this.#prepared?.set(path, json);
    this.changes++;
    return this;
  }

  /** The value of a parameter by its path; `undefined` if it is not set. */
  get(path: string): Setting | undefined {
    const json = this.raw.get(path);
    return json === undefined ? undefined : (JSON.parse(json) as Setting);
  }

  /** Proven lower and upper bounds of all values. */
  range(): [number, number] {
    const [low = 0, high = 0] = this.raw.range();
    return [low, high];
  }

  #ready(): glue.Prepared {
    return (this.#prepared ??= Engine.shared().prepare(this));
  }

  /** The value at a position in world units. */
  value(x: number, y: number, z = 0): number {
    const prepared = this.#prepared ?? this.#ready();
    const value = prepared.value(x, y, z);
    // The module has no other way to report an error as fast.
    if (value !== value) prepared.failure(x, y, z);
    return value;
  }

  /** Values on a region, x fastest, then y, then z; into `out` if it is given. */
  field(region: Region, out?: Float32Array): Float32Array {
    const prepared = this.#ready();
    prepared.field(numbers(region));
    return copied(prepared.values(), prepared.count(), out);
  }

  /**
   * Values on a region without a copy: a view of the module's memory, which the next call of this noise overwrites, and which ends
   * when the memory grows. Use it at once, or copy it.
   */
  fieldView(region: Region): Float32Array {
    const prepared = this.#ready();
    prepared.field(numbers(region));
    return view(prepared.values(), prepared.count());
  }

  /** Values and gradients on a region. */
  fieldWithGradient(region: Region): Jets {
    const prepared = this.#ready();
    prepared.field_with_gradient(numbers(region));
    const count = prepared.count();
    return { values: copied(prepared.values(), count, undefined), gradients: copied(prepared.gradients(), 3 * count, undefined) };
  }

  /** Values at positions: x, y, z of each in turn, in world units. */
  sample(positions: Float64Array | readonly number[], out?: Float32Array): Float32Array {
    const prepared = this.#ready();
    prepared.sample(positions instanceof Float64Array ? positions : Float64Array.from(positions));
    return copied(prepared.values(), prepared.count(), out);
  }
}

/** A noise from a noise or a number. */
export function noiseOf(value: unknown): Noise | undefined {
  if (value instanceof Noise) return value;
  return typeof value === "number" ? new Noise(loaded().Noise.constant(value)) : undefined;
}

setMakeNoise((kind, params, first, self) => {
  const node = new (loaded().NodeOfKind)(kind);
  if (first !== undefined && self) node.input(first, self.raw);
  for (const [name, value] of Object.entries(params)) {
    if (value === undefined) continue;
    const param = snake(name);
    if (value instanceof Noise) node.input(param, value.raw);
    else node.set(param, encoded(`node '${kind}': ${param}`, value));
  }
  return new Noise(node.finish());
});
