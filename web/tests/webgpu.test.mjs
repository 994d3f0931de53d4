// `orogen/webgpu` in headless Chromium, by a software GPU: textures on the page's own device next to fields of the CPU.

import assert from "node:assert/strict";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import { withGpu } from "./gpu.mjs";
import { serve } from "./serve.mjs";

const here = fileURLToPath(new URL(".", import.meta.url));

/** SwiftShader fuses no operations, so nearly all bits are those of the CPU (docs/measured/browsers.md: all but `terrain_shader`). */
const EQUAL = 0.999;
/** The rest of the values may differ by this share of the range. */
const CLOSE = 1e-6;

let browser, page, server, folder;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), "orogen-webgpu-"));
  await cp(join(here, "../dist"), join(folder, "dist"), { recursive: true });
  await writeFile(join(folder, "index.html"), '<!doctype html><html lang="en"><title>webgpu</title><link rel="icon" href="data:,"></html>');
  server = await serve(folder);
  browser = await withGpu();
  page = await browser.newPage();
  await page.goto(server.base);
  await page.evaluate(async () => {
    const [orogen, { GpuNoise }] = await Promise.all([import("./dist/web.js"), import("./dist/webgpu.web.js")]);
    await orogen.init();
    const adapter = await navigator.gpu?.requestAdapter();
    if (!adapter) throw new Error("no WebGPU adapter");
    const device = await adapter.requestDevice();
    const errors = [];
    device.addEventListener("uncapturederror", ({ error }) => errors.push(error.message));
    const refused = async (call) => {
      try {
        await call();
      } catch (error) {
        return error.message;
      }
      return null;
    };
    /** The largest difference, as a share of the range, and the share of equal numbers. */
    const compared = (found, expected) => {
      if (found.length !== expected.length) throw new Error(`${found.length} numbers, expected ${expected.length}`);
      const range = expected.reduce((most, x) => Math.max(most, Math.abs(x)), 0);
      const differences = expected.map((x, i) => Math.abs(x - found[i]) / range);
      return { largest: differences.reduce((most, x) => (x > most ? x : most), 0), equal: differences.filter((x) => x === 0).length / expected.length, range };
    };
    Object.assign(globalThis, { orogen, GpuNoise, device, errors, refused, compared });
  });
});

after(async () => {
  await browser.close();
  await server.close();
  await rm(folder, { recursive: true });
});

const run = (f) => page.evaluate(f);
const isClose = ({ name, largest, equal, range }) => {
  assert.ok(range > 0.1 && equal >= EQUAL && largest <= CLOSE, `${name}: ${equal} are equal, the others differ by up to ${largest} of ${range}`);
};

test("planes are those of the CPU, near and far, of any size and step", async () => {
  const found = await run(async () => {
    const { orogen, GpuNoise, device, compared } = globalThis;
    const noises = {
      hills: orogen.simplex({ wavelength: 30, seed: 3 }).fractal({ octaves: 6 }),
      cells: orogen.worley({ wavelength: 20, seed: 9 }),
      bent: orogen.perlin({ wavelength: 40, dimensions: 3 }).warp({ x: orogen.simplex({ wavelength: 90 }), strength: 15 }),
    };
    // Too many octaves for uniform buffers.
    noises.many = orogen.simplex({ wavelength: 30 }).fractal({ octaves: 32, lacunarity: 1.01 }).fractal({ octaves: 9, lacunarity: 1.01 });
    const regions = [
      { width: 64, height: 64 },
      { width: 37, height: 91, x: -12, y: 1_000_003, z: 5, spacing: 0.5 },
      { width: 70, height: 9, level: 3, anchor: [1e12, -3e11, 7] },
      // More than 100 wavelengths, far out.
      { width: 1024, height: 1024, spacing: 5.3, x: -400, anchor: [1e9, -1e9 + 0.3, 1e9] },
    ];
    const all = [];
    for (const [name, noise] of Object.entries(noises)) {
      const gpu = await GpuNoise.create(device, noise);
      for (const region of name === "many" ? regions.slice(0, 2) : regions) all.push({ name, ...compared(await gpu.field(region), noise.field(region)) });
      gpu.destroy();
    }
    return all;
  });
  assert.equal(found.length, 14);
  found.forEach(isClose);
});

test("a texture with gradients, and several regions by one submission", async () => {
  const found = await run(async () => {
    const { orogen, GpuNoise, device, compared } = globalThis;
    const noise = orogen.simplex({ wavelength: 30, seed: 3 }).fractal({ octaves: 4 });
    const gpu = await GpuNoise.create(device, noise, { format: "rgba32float" });
    const region = { width: 40, height: 30, x: 7 };
    const texels = await gpu.field(region);
    const { values, gradients } = noise.fieldWithGradient(region);
    const of = (channels) => texels.filter((_, i) => channels.includes(i % 4));
    const near = compared(of([0]), values);
    const slopes = compared(of([1, 2, 3]), gradients);
    gpu.destroy();
    // Two regions into one texture of their own each, before anything is submitted.
    const flat = await GpuNoise.create(device, noise);
    const regions = [{ width: 64, height: 8 }, { width: 64, height: 8, x: 64_000 }];
    const textures = regions.map((each) => flat.texture(each));
    const encoder = device.createCommandEncoder();
    regions.forEach((each, i) => flat.encode(encoder, textures[i], each));
    const buffers = textures.map((texture) => {
      const buffer = device.createBuffer({ size: 256 * 8, usage: GPUBufferUsage.COPY_DST | GPUBufferUsage.MAP_READ });
      encoder.copyTextureToBuffer({ texture }, { buffer, bytesPerRow: 256 }, [64, 8]);
      return buffer;
    });
    device.queue.submit([encoder.finish()]);
    const both = [];
    for (const [i, buffer] of buffers.entries()) {
      await buffer.mapAsync(GPUMapMode.READ);
      both.push(compared(new Float32Array(buffer.getMappedRange().slice(0)), noise.field(regions[i])));
    }
    return [near, slopes, ...both];
  });
  assert.equal(found.length, 4);
  found.forEach(isClose);
});

test("other numbers compile nothing, another noise does", async () => {
  const found = await run(async () => {
    const { orogen, GpuNoise, device, compared } = globalThis;
    const of = (wavelength, octaves) => orogen.simplex({ wavelength, seed: 3 }).fractal({ octaves });
    const gpu = await GpuNoise.create(device, of(30, 4));
    const region = { width: 32, height: 32 };
    const compiles = [];
    const all = [];
    for (const noise of [of(55, 4), of(55, 7), orogen.worley({ wavelength: 20 })]) {
      compiles.push(await gpu.replace(noise));
      all.push(compared(await gpu.field(region), noise.field(region)));
    }
    // A noise whose number changes in place.
    const live = of(40, 4).named("hills");
    const own = await GpuNoise.create(device, live);
    const before = await own.field(region);
    live.set("hills.gain", 0.7);
    const after = await own.field(region);
    all.push(compared(after, live.field(region)));
    // One that reads a file of heights, which stays on the device.
    const heights = Float32Array.from({ length: 64 }, (_, i) => Math.abs(Math.sin(i * i)));
    const text = 'output = "relief"\n[node.relief]\nkind = "raster"\nheights = "relief.r32"\nspacing = [5.0, 5.0]\n';
    const relief = orogen.Recipe.parse(text, { files: { "relief.r32": new Uint8Array(heights.buffer) } }).noise.scaleOffset({ scale: 2 }).named("scaled");
    const fromFile = await GpuNoise.create(device, relief);
    for (const scale of [2, 3]) {
      relief.set("scaled.scale", scale);
      all.push(compared(await fromFile.field(region), relief.field(region)));
    }
    return { compiles, all, changed: before.some((x, i) => x !== after[i]) };
  });
  assert.deepEqual(found.compiles.at(0), false);
  assert.deepEqual(found.compiles.at(-1), true);
  assert.ok(found.changed);
  found.all.forEach(isClose);
});

test("wrong arguments are refused with what is allowed, and the device reports nothing", async () => {
  const found = await run(async () => {
    const { orogen, GpuNoise, device, refused, errors } = globalThis;
    const noise = orogen.simplex({ wavelength: 30 }).fractal();
    const gpu = await GpuNoise.create(device, noise);
    const texture = device.createTexture({ size: [8, 8], format: "rgba8unorm", usage: GPUTextureUsage.STORAGE_BINDING });
    const encoder = device.createCommandEncoder();
    return {
      format: await refused(() => GpuNoise.create(device, noise, { format: "r8unorm" })),
      depth: await refused(() => gpu.field({ width: 8, height: 8, depth: 2 })),
      width: await refused(() => gpu.field({ width: 0, height: 8 })),
      spacing: await refused(() => gpu.field({ width: 8, height: 8, spacing: 0 })),
      texture: await refused(() => gpu.encode(encoder, texture, { width: 8, height: 8 })),
      small: await refused(() => gpu.encode(encoder, gpu.texture({ width: 8, height: 8 }), { width: 9, height: 8 })),
      far: await refused(() => gpu.field({ width: 8, height: 8, anchor: [1e300, 0, 0] })),
      half: await refused(async () => (await GpuNoise.create(device, noise, { format: "rgba16float" })).field({ width: 8, height: 8 })),
      few: await refused(() => GpuNoise.create({ limits: { maxStorageBuffersPerShaderStage: 1 } }, orogen.simplex({ wavelength: 30 }).fractal({ octaves: 32, lacunarity: 1.01 }).fractal({ octaves: 9, lacunarity: 1.01 }))),
      errors,
    };
  });
  assert.match(found.format, /format = r8unorm is not allowed; allowed: r32float/);
  assert.match(found.depth, /depth = 2 is not allowed; allowed: 1/);
  assert.match(found.width, /width = 0 is not allowed/);
  assert.match(found.spacing, /spacing = 0/);
  assert.match(found.texture, /format = rgba8unorm is not allowed; allowed: r32float/);
  assert.match(found.small, /8 × 8 texels are not allowed; allowed: 9 × 8 or more/);
  assert.match(found.few, /needs \d storage buffers; allowed: 1/);
  assert.match(found.far, /position.*allowed/);
  assert.match(found.half, /rgba16float is not allowed/);
  assert.deepEqual(found.errors, []);
});
