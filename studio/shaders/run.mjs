// Runs exported shaders in headless Chromium, WGSL by WebGPU and GLSL ES by WebGL 2, on the positions of cases.json in the given
// folder. Writes the results to found.json there. scripts/browser calls it.

import { chromium } from "playwright-core";
import { createServer } from "node:http";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";

/** Error for a case that exceeds its time. */
const LATE = "gave up after a minute";
const PATIENCE = 60_000;

const folder = process.argv[2];
const cases = JSON.parse(await readFile(join(folder, "cases.json"), "utf8"));

// WebGPU is for secure contexts: http://localhost is one.
const server = createServer((_, answer) => answer.end("<!doctype html><title>shaders</title>"));
await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
// A software GPU compiles large shaders for longer than the watchdog allows.
const launch = async () => chromium.launch({
  executablePath,
  args: [
    "--headless", "--no-sandbox", "--disable-gpu-watchdog", "--disable-background-networking", "--disable-component-update", "--disable-sync", "--use-angle=swiftshader",
    "--enable-unsafe-swiftshader", "--enable-unsafe-webgpu", "--ignore-gpu-blocklist", "--enable-gpu", "--enable-features=Vulkan",
    "--use-vulkan=swiftshader",
  ],
});
let browser = await launch();
const opened = async () => {
  const page = await browser.newPage();
  await page.goto(`http://localhost:${server.address().port}/`);
  return page;
};

/** A compute shader with its entry point, on positions of four numbers; in the page. */
async function webgpu({ wgsl, tables, positions }) {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("no WebGPU adapter");
  const { maxStorageBuffersPerShaderStage } = adapter.limits;
  const device = await adapter.requestDevice({ requiredLimits: { maxStorageBuffersPerShaderStage } });
  const module = device.createShaderModule({ code: wgsl });
  const wrong = (await module.getCompilationInfo()).messages.filter((message) => message.type === "error");
  if (wrong.length) throw new Error(wrong.map((message) => `${message.lineNum}: ${message.message}`).join("\n"));
  const pipeline = await device.createComputePipelineAsync({ layout: "auto", compute: { module, entryPoint: "main" } });
  const count = positions.length / 4;
  const buffer = (data, usage) => {
    const made = device.createBuffer({ size: data.byteLength, usage, mappedAtCreation: true });
    new Uint8Array(made.getMappedRange()).set(new Uint8Array(data.buffer));
    made.unmap();
    return made;
  };
  const { STORAGE, UNIFORM, COPY_SRC, COPY_DST, MAP_READ } = GPUBufferUsage;
  const output = buffer(new Float32Array(4 * count), STORAGE | COPY_SRC);
  const bound = [output, buffer(new Float32Array(positions), STORAGE), buffer(new Uint32Array([count, 0, 0, 0]), UNIFORM)];
  const entries = bound.map((buffer, binding) => ({ binding, resource: { buffer } }));
  const readback = device.createBuffer({ size: 16 * count, usage: COPY_DST | MAP_READ });
  const encoder = device.createCommandEncoder();
  const pass = encoder.beginComputePass();
  pass.setPipeline(pipeline);
  const read = tables.map(({ binding, words }) => ({ binding, resource: { buffer: buffer(new Uint32Array(words), STORAGE) } }));
  if (read.length) pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: read }));
  pass.setBindGroup(1, device.createBindGroup({ layout: pipeline.getBindGroupLayout(1), entries }));
  pass.dispatchWorkgroups(Math.ceil(count / 64));
  pass.end();
  encoder.copyBufferToBuffer(output, 0, readback, 0, 16 * count);
  device.queue.submit([encoder.finish()]);
  await readback.mapAsync(GPUMapMode.READ);
  const found = [...new Uint32Array(readback.getMappedRange().slice(0))];
  device.destroy();
  return found;
}

/** A library of functions in a fragment shader that draws one pixel for each position; in the page. */
async function webgl({ es, positions }) {
  const count = positions.length / 4;
  const canvas = document.createElement("canvas");
  const gl = canvas.getContext("webgl2");
  if (!gl || !gl.getExtension("EXT_color_buffer_float")) throw new Error("no WebGL 2 with float targets");
  const compiled = (type, source) => {
    const shader = gl.createShader(type);
    gl.shaderSource(shader, source);
    gl.compileShader(shader);
    if (!gl.getShaderParameter(shader, gl.COMPILE_STATUS)) throw new Error(gl.getShaderInfoLog(shader));
    return shader;
  };
  const program = gl.createProgram();
  gl.attachShader(program, compiled(gl.VERTEX_SHADER, "#version 300 es\nvoid main() { gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0); }"));
  gl.attachShader(program, compiled(gl.FRAGMENT_SHADER, `#version 300 es
precision highp float;
precision highp int;
uniform highp sampler2D places;
out vec4 result;
${es}
void main() {
    vec3 position = texelFetch(places, ivec2(gl_FragCoord.xy), 0).xyz;
    result = vec4(orogen_value(position), orogen_jet(position).yzw);
}`));
  gl.linkProgram(program);
  if (!gl.getProgramParameter(program, gl.LINK_STATUS)) throw new Error(gl.getProgramInfoLog(program));
  const texture = (data) => {
    const made = gl.createTexture();
    gl.bindTexture(gl.TEXTURE_2D, made);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, count, 1, 0, gl.RGBA, gl.FLOAT, data);
    for (const filter of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, filter, gl.NEAREST);
    return made;
  };
  const target = texture(null);
  gl.bindFramebuffer(gl.FRAMEBUFFER, gl.createFramebuffer());
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, target, 0);
  gl.bindTexture(gl.TEXTURE_2D, texture(new Float32Array(positions)));
  gl.viewport(0, 0, count, 1);
  gl.useProgram(program);
  gl.drawArrays(gl.TRIANGLES, 0, 3);
  const found = new Float32Array(4 * count);
  gl.readPixels(0, 0, count, 1, gl.RGBA, gl.FLOAT, found);
  if (gl.getError() !== gl.NO_ERROR) throw new Error("WebGL reports an error");
  gl.getExtension("WEBGL_lose_context")?.loseContext();
  return [...new Uint32Array(found.buffer)];
}

const found = {};
for (const { name, ...shaders } of cases) {
  const tried = async (run) => {
    const began = Date.now();
    const page = await opened();
    let timer;
    const late = new Promise((_, reject) => { timer = setTimeout(() => reject(new Error(LATE)), PATIENCE); });
    try {
      return await Promise.race([page.evaluate(run, shaders), late]);
    } catch (error) {
      // A crash of the GPU's process would also break the following cases.
      await browser.close();
      browser = await launch();
      return String(error.message ?? error).slice(0, 2000);
    } finally {
      clearTimeout(timer);
      if (!page.isClosed()) await page.close().catch(() => {});
      console.error(`${name}: ${run.name} took ${Date.now() - began} ms`);
    }
  };
  found[name] = { webgpu: await tried(webgpu), webgl: shaders.es ? await tried(webgl) : null };
}
found.browser = browser.version();
await writeFile(join(folder, "found.json"), JSON.stringify(found));
await browser.close();
server.close();
