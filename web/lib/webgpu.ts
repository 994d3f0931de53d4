import * as glue from "./export/orogen.js";
import { initExport } from "./export.js";
import type { Noise } from "./noise.js";
import type { Region } from "./region.js";

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
declare const GPUMapMode: { readonly READ: GPUMapModeFlags };

/** A buffer on the device, and its contents. */
interface Held {
  words: Uint32Array;
  buffer: GPUBuffer;
}

/** Samples of a region in a plane. */
interface Plane {
  width: number;
  height: number;
  /** World units between samples. */
  step: number;
  /** World position of the first sample. */
  first: [number, number, number];
}

/** Samples along each edge of a workgroup. */
const GROUP = 8;

/** The kernel around the functions of a noise. */
const kernel = (format: Format): string => `
struct orogen_Plane {
    size: vec2<u32>,
    step: f32,
}
@group(1) @binding(0) var<uniform> orogen_plane: orogen_Plane;
@group(1) @binding(1) var orogen_texels: texture_storage_2d<${format}, write>;

@compute @workgroup_size(${GROUP}, ${GROUP})
fn orogen_plane_of_samples(@builtin(global_invocation_id) at: vec3<u32>) {
    if (any(at.xy >= orogen_plane.size)) {
        return;
    }
    let position = vec3<f32>(vec2<f32>(at.xy) * orogen_plane.step, 0.0);
    textureStore(orogen_texels, at.xy, ${format === "r32float" ? "vec4<f32>(orogen_value(position), 0.0, 0.0, 1.0)" : "orogen_jet(position)"});
}
`;

/**
 * A noise on the page's own WebGPU device. It writes planes of samples into textures, which three.js, Babylon.js or the page read
 * without a copy. Positions are relative to the first sample of a plane, which is exact at any distance from the origin. Relative to it
 * they are rounded to 24 bits, and the device's driver may fuse operations. So values differ from those of the CPU in the last bits.
 */
export class GpuNoise {
  /** The device. */
  readonly device: GPUDevice;
  /** The format of textures. */
  readonly format: Format;
  #noise: Noise;
  #shape: string;
  #pipeline: GPUComputePipeline;
  /** The latest buffer of each binding, which planes share if its contents are equal. */
  readonly #held = new Map<number, Held>();

  private constructor(device: GPUDevice, format: Format, noise: Noise, shape: string, pipeline: GPUComputePipeline) {
    [this.device, this.format, this.#noise, this.#shape, this.#pipeline] = [device, format, noise, shape, pipeline];
  }

  /** Compiles the kernel of a noise. Rejects if the device cannot run it; the message names the limit. */
  static async create(device: GPUDevice, noise: Noise, { format = "r32float" }: GpuNoiseOptions = {}): Promise<GpuNoise> {
    if (!formats.includes(format)) throw new Error(`format = ${String(format)} is not allowed; allowed: ${formats.join(", ")}`);
    await initExport();
    const shader = written(noise, [0, 0, 0]);
    try {
      return new GpuNoise(device, format, noise, shader.shape(), await compiled(device, format, shader));
    } finally {
      shader.free();
    }
  }

  /**
   * Replaces the noise, for example by one with other numbers. Returns whether anything was compiled: noises that differ in live numbers
   * alone share their kernel.
   */
  async replace(noise: Noise): Promise<boolean> {
    const shader = written(noise, [0, 0, 0]);
    try {
      const compiles = shader.shape() !== this.#shape;
      if (compiles) this.#pipeline = await compiled(this.device, this.format, shader);
      [this.#noise, this.#shape] = [noise, shader.shape()];
      return compiles;
    } finally {
      shader.free();
    }
  }

  /** A texture for a region, with the usages of this class and others. */
  texture(region: Region, usage: GPUTextureUsageFlags = 0): GPUTexture {
    const { width, height } = this.#plane(region);
    return this.device.createTexture({
      size: [width, height], format: this.format,
      usage: usage | GPUTextureUsage.STORAGE_BINDING | GPUTextureUsage.TEXTURE_BINDING | GPUTextureUsage.COPY_SRC,
    });
  }

  /**
   * Adds the evaluation of a region to an encoder: sample (i, j) becomes texel (i, j). The texture has this object's format, the
   * usage `STORAGE_BINDING`, and at least the region's size. The noise's numbers are those at the time of this call, which writes its
   * tables anew: that takes as long as an export.
   */
  encode(encoder: GPUCommandEncoder, texture: GPUTexture, region: Region): void {
    const plane = this.#plane(region);
    const { width, height, format } = texture;
    if (format !== this.format) throw new Error(`texture: format = ${format} is not allowed; allowed: ${this.format}`);
    if (width < plane.width || height < plane.height) {
      throw new Error(`texture: ${width} × ${height} texels are not allowed; allowed: ${plane.width} × ${plane.height} or more`);
    }
    const shader = written(this.#noise, plane.first);
    try {
      if (shader.shape() !== this.#shape) throw new Error("the noise has another kernel; allowed: replace(noise) first");
      const pass = encoder.beginComputePass();
      pass.setPipeline(this.#pipeline);
      pass.setBindGroup(0, this.#tables(shader));
      pass.setBindGroup(1, this.#target(texture, plane));
      pass.dispatchWorkgroups(Math.ceil(plane.width / GROUP), Math.ceil(plane.height / GROUP));
      pass.end();
    } finally {
      shader.free();
    }
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
    for (const { buffer } of this.#held.values()) buffer.destroy();
    this.#held.clear();
  }

  #tables(shader: glue.Shader): GPUBindGroup {
    const entries = [...shader.bindings()].map((binding, at) => ({ binding, resource: { buffer: this.#table(binding, shader.words(at)) } }));
    return this.device.createBindGroup({ layout: this.#pipeline.getBindGroupLayout(0), entries });
  }

  /** The buffer of a binding. One that commands in flight may read is never written again. */
  #table(binding: number, words: Uint32Array): GPUBuffer {
    const held = this.#held.get(binding);
    if (held && held.words.length === words.length && held.words.every((word, i) => word === words[i])) return held.buffer;
    const buffer = filled(this.device, words, GPUBufferUsage.STORAGE);
    this.#held.set(binding, { words, buffer });
    return buffer;
  }

  /** The plane of a region, or an error that states what is allowed. */
  #plane({ x = 0, y = 0, z = 0, width, height, depth = 1, spacing = 1, level = 0, anchor = [0, 0, 0] }: Region): Plane {
    const most = this.device.limits.maxTextureDimension2D;
    for (const [name, edge] of Object.entries({ width, height })) {
      if (!(Number.isInteger(edge) && edge >= 1 && edge <= most)) throw new Error(`${name} = ${edge} is not allowed; allowed: 1 to ${most}`);
    }
    if (depth !== 1) throw new Error(`depth = ${depth} is not allowed; allowed: 1, a plane`);
    const step = spacing * 2 ** level;
    if (!(step > 0 && step < Infinity)) throw new Error(`spacing = ${spacing}, level = ${level} are not allowed; allowed: a step above 0`);
    return { width, height, step, first: [anchor[0] + x * step, anchor[1] + y * step, anchor[2] + z * step] };
  }

  #target(texture: GPUTexture, { width, height, step }: Plane): GPUBindGroup {
    const words = new Uint32Array(4);
    words.set([width, height]);
    new Float32Array(words.buffer)[2] = step;
    const resource = { buffer: filled(this.device, words, GPUBufferUsage.UNIFORM) };
    const entries = [{ binding: 0, resource }, { binding: 1, resource: texture.createView({ dimension: "2d", mipLevelCount: 1, arrayLayerCount: 1 }) }];
    return this.device.createBindGroup({ layout: this.#pipeline.getBindGroupLayout(1), entries });
  }
}

function written(noise: Noise, anchor: [number, number, number]): glue.Shader {
  if (!("portable" in noise.raw)) throw new Error("noises of orogen/core have no shader; import orogen");
  const [json, files] = noise.raw.portable() as [string, Map<string, Uint8Array>];
  return glue.shader(json, (file: string) => files.get(file), Float64Array.from(anchor));
}

async function compiled(device: GPUDevice, format: Format, shader: glue.Shader): Promise<GPUComputePipeline> {
  const needed = shader.bindings().length;
  const most = device.limits.maxStorageBuffersPerShaderStage;
  if (needed > most) {
    throw new Error(`the noise needs ${needed} storage buffers; allowed: ${most}, the device's maxStorageBuffersPerShaderStage, which requiredLimits raises`);
  }
  const module = device.createShaderModule({ code: shader.text() + kernel(format) });
  return device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "orogen_plane_of_samples" } });
}

function filled(device: GPUDevice, words: Uint32Array, usage: GPUBufferUsageFlags): GPUBuffer {
  const buffer = device.createBuffer({ size: Math.max(words.byteLength, 16), usage, mappedAtCreation: true });
  new Uint32Array(buffer.getMappedRange()).set(words);
  buffer.unmap();
  return buffer;
}
