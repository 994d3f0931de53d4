import * as glue from "./export/orogen.js";
import { initExport } from "./export.js";
import type { Noise } from "./noise.js";
import { reader } from "./portable.js";
import { numbers, type Region } from "./region.js";

/**
 * Formats of textures: the value alone, or the value and its gradient along x, y and z per world unit. `rgba16float` can be filtered
 * by every device; `r32float` by those with the feature `float32-filterable`.
 */
export const formats = ["r32float", "rgba32float", "rgba16float"] as const;

/** A format of textures. */
export type Format = (typeof formats)[number];

/** Options of `GpuNoise.create`. */
export interface GpuNoiseOptions {
  /** The format of textures, by default `r32float`. */
  format?: Format;
}

// TypeScript's library lacks these globals of WebGPU.
declare const GPUBufferUsage: Readonly<Record<"COPY_DST" | "MAP_READ" | "STORAGE" | "UNIFORM", GPUBufferUsageFlags>>;
declare const GPUTextureUsage: Readonly<Record<"COPY_SRC" | "STORAGE_BINDING" | "TEXTURE_BINDING", GPUTextureUsageFlags>>;
declare const GPUShaderStage: { readonly COMPUTE: GPUShaderStageFlags };
declare const GPUMapMode: { readonly READ: GPUMapModeFlags };

/** A buffer on the device, and its contents. */
interface Held {
  words: Uint32Array;
  buffer: GPUBuffer;
}

/** A binding of the tables. */
interface Binding {
  binding: number;
  uniform: boolean;
  /** The smallest size of its buffer in bytes. */
  size: number;
}

/** A compiled kernel. */
interface Kernel {
  /** The noise in the module, which computes the tables. */
  plane: glue.Plane;
  bindings: Binding[];
  pipeline: GPUComputePipeline;
}

/**
 * A noise on the page's own WebGPU device. It writes planes of samples into textures, which three.js, Babylon.js or the page read
 * without a copy. Coordinates are integers, so planes of any size are exact at any distance from the origin. Values are those of the
 * CPU, unless the device's driver fuses operations, which changes the last bits.
 */
export class GpuNoise {
  /** The device. */
  readonly device: GPUDevice;
  /** The format of textures. */
  readonly format: Format;
  #noise: Noise;
  #kernel: Kernel;
  /** The noise's number of changes that the kernel's tables contain. */
  #changes: number;
  /** The latest buffer of each binding, which planes share if its contents are equal. */
  readonly #held = new Map<number, Held>();

  private constructor(device: GPUDevice, format: Format, noise: Noise, kernel: Kernel, changes: number) {
    [this.device, this.format, this.#noise, this.#kernel, this.#changes] = [device, format, noise, kernel, changes];
  }

  /** Compiles the kernel of a noise. Rejects if the device cannot run it; the message names the limit. */
  static async create(device: GPUDevice, noise: Noise, { format = "r32float" }: GpuNoiseOptions = {}): Promise<GpuNoise> {
    if (!formats.includes(format)) throw new Error(`format = ${String(format)} is not allowed; allowed: ${formats.join(", ")}`);
    await initExport();
    const changes = noise.changes;
    return new GpuNoise(device, format, noise, await compiled(device, format, noise), changes);
  }

  /**
   * Replaces the noise, for example by one with other numbers. Returns whether anything was compiled: noises that differ in live numbers
   * alone share their kernel.
   */
  async replace(noise: Noise): Promise<boolean> {
    const changes = noise.changes;
    const compiles = !renewed(this.#kernel, noise);
    if (compiles) {
      const kernel = await compiled(this.device, this.format, noise);
      this.#kernel.plane.free();
      this.#kernel = kernel;
    }
    [this.#noise, this.#changes] = [noise, changes];
    this.#free();
    return compiles;
  }

  /** A texture for a region, with the usages of this class and others. */
  texture(region: Region, usage: GPUTextureUsageFlags = 0): GPUTexture {
    this.#check(region);
    const { width, height } = region;
    return this.device.createTexture({
      size: [width, height], format: this.format,
      usage: usage | GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC,
    });
  }

  /**
   * Adds the evaluation of a region to an encoder: sample (i, j) becomes texel (i, j). The texture has this object's format, the
   * usage `STORAGE_BINDING`, and at least the region's size. The noise's numbers are those at the time of this call.
   */
  encode(encoder: GPUCommandEncoder, texture: GPUTexture, region: Region): void {
    this.#check(region);
    const { width, height, format } = texture;
    if (format !== this.format) throw new Error(`texture: format = ${format} is not allowed; allowed: ${this.format}`);
    if (width < region.width || height < region.height) {
      throw new Error(`texture: ${width} × ${height} texels are not allowed; allowed: ${region.width} × ${region.height} or more`);
    }
    this.#renew();
    const { plane, pipeline } = this.#kernel;
    const tables = this.#tables(plane.tables(numbers(region)));
    const pass = encoder.beginComputePass();
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, tables);
    pass.setBindGroup(1, this.#target(texture));
    const [along = 1, across = 1] = plane.groups(region.width, region.height);
    pass.dispatchWorkgroups(along, across);
    pass.end();
  }

  /** Evaluates a region into a new texture. */
  render(region: Region, usage: GPUTextureUsageFlags = 0): GPUTexture {
    const texture = this.texture(region, usage);
    const encoder = this.device.createCommandEncoder();
    this.encode(encoder, texture, region);
    this.device.queue.submit([encoder.finish()]);
    return texture;
  }

  /** Evaluates a region, and reads its values back: one number for each sample, or four with gradients. Not for `rgba16float`. */
  async field(region: Region): Promise<Float32Array> {
    if (this.format === "rgba16float") throw new Error("field: format = rgba16float is not allowed; allowed: r32float, rgba32float");
    const { width, height } = region;
    const row = width * (this.format === "r32float" ? 4 : 16);
    // Rows of a copy begin at multiples of 256 bytes.
    const padded = Math.ceil(row / 256) * 256;
    const texture = this.texture(region);
    const buffer = this.device.createBuffer({ size: padded * height, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
    try {
      const encoder = this.device.createCommandEncoder();
      this.encode(encoder, texture, region);
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: padded }, [width, height]);
      this.device.queue.submit([encoder.finish()]);
      await buffer.mapAsync(GPUMapMode.READ);
      const bytes = new Uint8Array(buffer.getMappedRange());
      const values = new Uint8Array(row * height);
      for (let j = 0; j < height; j++) values.set(bytes.subarray(j * padded, j * padded + row), j * row);
      return new Float32Array(values.buffer);
    } finally {
      texture.destroy();
      buffer.destroy();
    }
  }

  /** Frees the buffers of the noise. Textures stay. */
  destroy(): void {
    this.#free();
  }

  #free(): void {
    for (const { buffer } of this.#held.values()) buffer.destroy();
    this.#held.clear();
  }

  /** Takes numbers over that have changed in place. */
  #renew(): void {
    const changes = this.#noise.changes;
    if (changes === this.#changes) return;
    if (!renewed(this.#kernel, this.#noise)) throw new Error("the noise has another kernel; allowed: replace(noise) first");
    this.#changes = changes;
    // The samples of rasters may be others.
    this.#held.delete(RASTERS);
  }

  #tables(packed: Uint32Array): GPUBindGroup {
    const { plane, bindings, pipeline } = this.#kernel;
    const all = unpacked(packed);
    const own = bindings.find(({ binding }) => binding === RASTERS);
    if (own && !this.#held.has(RASTERS)) unpacked(plane.rasters()).forEach((words, binding) => all.set(binding, words));
    const entries = bindings.map((each) => ({ binding: each.binding, resource: { buffer: this.#table(each, all.get(each.binding)) } }));
    return this.device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries });
  }

  /** The buffer of a binding. One that commands in flight may read is never written again. */
  #table({ binding, uniform, size }: Binding, words: Uint32Array | undefined): GPUBuffer {
    const held = this.#held.get(binding);
    if (held && (!words || (held.words.length === words.length && held.words.every((word, i) => word === words[i])))) return held.buffer;
    const found = words ?? new Uint32Array();
    const usage = uniform ? GPUBufferUsage.UNIFORM : GPUBufferUsage.STORAGE;
    const buffer = this.device.createBuffer({ size: Math.max(found.byteLength, size, 16), usage, mappedAtCreation: true });
    new Uint32Array(buffer.getMappedRange()).set(found);
    buffer.unmap();
    this.#held.set(binding, { words: found, buffer });
    return buffer;
  }

  /** Checks a region's size, and states what is allowed on this device. */
  #check({ width, height, depth = 1 }: Region): void {
    const most = this.device.limits.maxTextureDimension2D;
    for (const [name, edge] of Object.entries({ width, height })) {
      if (!(Number.isInteger(edge) && edge >= 1 && edge <= most)) throw new Error(`${name} = ${edge} is not allowed; allowed: 1 to ${most}`);
    }
    if (depth !== 1) throw new Error(`depth = ${depth} is not allowed; allowed: 1, a plane`);
  }

  #target(texture: GPUTexture): GPUBindGroup {
    const resource = texture.createView({ dimension: "2d", mipLevelCount: 1, arrayLayerCount: 1 });
    return this.device.createBindGroup({ layout: this.#kernel.pipeline.getBindGroupLayout(1), entries: [{ binding: 0, resource }] });
  }
}

/** The binding of the samples of rasters, which change with the noise alone. */
const RASTERS = 7;

/** Tables by their bindings. */
function unpacked(packed: Uint32Array): Map<number, Uint32Array> {
  const all = new Map<number, Uint32Array>();
  for (let at = 0; at < packed.length; ) {
    const [binding = 0, count = 0] = packed.subarray(at, at + 2);
    all.set(binding, packed.subarray(at + 2, at + 2 + count));
    at += 2 + count;
  }
  return all;
}

function renewed({ plane }: Kernel, noise: Noise): boolean {
  const { json, files } = noise.portable();
  return plane.renew(json, reader(files));
}

async function compiled(device: GPUDevice, format: Format, noise: Noise): Promise<Kernel> {
  if (!("portable" in noise.raw)) throw new Error("noises of orogen/core have no shader; import orogen");
  const { json, files } = noise.portable();
  const plane = new glue.Plane(json, reader(files), format);
  try {
    const known = plane.bindings();
    const bindings = Array.from({ length: known.length / 3 }, (_, i): Binding => {
      const [binding = 0, uniform = 0, size = 0] = known.subarray(3 * i, 3 * i + 3);
      return { binding, uniform: uniform === 1, size };
    });
    const needed = bindings.filter(({ uniform }) => !uniform).length;
    const most = device.limits.maxStorageBuffersPerShaderStage;
    if (needed > most) {
      throw new Error(`the noise needs ${needed} storage buffers; allowed: ${most}, the device's maxStorageBuffersPerShaderStage, which requiredLimits raises`);
    }
    const visibility = GPUShaderStage.COMPUTE;
    const tables = device.createBindGroupLayout({
      entries: bindings.map(({ binding, uniform }) => ({ binding, visibility, buffer: { type: uniform ? "uniform" : "read-only-storage" } as const })),
    });
    const target = device.createBindGroupLayout({ entries: [{ binding: 0, visibility, storageTexture: { access: "write-only", format } }] });
    const module = device.createShaderModule({ code: plane.text() });
    const layout = device.createPipelineLayout({ bindGroupLayouts: [tables, target] });
    const pipeline = await device.createComputePipelineAsync({ layout, compute: { module, entryPoint: "main" } });
    return { plane, bindings, pipeline };
  } catch (error) {
    plane.free();
    throw error;
  }
}
