// Hills on the page's own WebGPU device: a texture of heights, which a shader of the page draws. Dragging moves over an endless
// plane, the slider changes a number of the noise. Neither compiles anything.

import { init, simplex } from "orogen";
import { GpuNoise } from "orogen/webgpu";

const DRAW = `
@group(0) @binding(0) var heights: texture_2d<f32>;

fn height(at: vec2<i32>) -> f32 {
    return textureLoad(heights, clamp(at, vec2<i32>(0), vec2<i32>(textureDimensions(heights)) - 1), 0).x;
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> @builtin(position) vec4<f32> {
    return vec4<f32>(f32(index & 1u) * 4.0 - 1.0, f32(index >> 1u) * 4.0 - 1.0, 0.0, 1.0);
}

@fragment
fn pixel(@builtin(position) position: vec4<f32>) -> @location(0) vec4<f32> {
    let at = vec2<i32>(position.xy);
    let slope = vec2<f32>(height(at + vec2<i32>(1, 0)) - height(at - vec2<i32>(1, 0)), height(at + vec2<i32>(0, 1)) - height(at - vec2<i32>(0, 1)));
    let light = dot(normalize(vec3<f32>(-40.0 * slope, 1.0)), normalize(vec3<f32>(-1.0, -1.0, 1.2)));
    let ground = mix(vec3<f32>(0.20, 0.33, 0.16), vec3<f32>(0.72, 0.68, 0.60), smoothstep(-0.1, 0.6, height(at)));
    let colour = select(ground * (0.35 + 0.85 * max(light, 0.0)), vec3<f32>(0.10, 0.25, 0.38) + 0.25 * height(at), height(at) < -0.15);
    return vec4<f32>(colour, 1.0);
}
`;

async function run() {
  const adapter = await navigator.gpu?.requestAdapter();
  if (!adapter) throw new Error("This browser has no WebGPU.");
  await init();
  const device = await adapter.requestDevice();
  const hills = simplex({ wavelength: 260, seed: 5 }).fractal({ octaves: 8 }).named("hills");
  const noise = await GpuNoise.create(device, hills);

  const canvas = document.querySelector("canvas");
  const context = canvas.getContext("webgpu");
  const format = navigator.gpu.getPreferredCanvasFormat();
  context.configure({ device, format });
  const module = device.createShaderModule({ code: DRAW });
  const pipeline = await device.createRenderPipelineAsync({ layout: "auto", vertex: { module }, fragment: { module, targets: [{ format }] } });
  let texture;
  const place = { x: 0, y: 0 };

  const draw = () => {
    const [width, height] = [canvas.clientWidth, canvas.clientHeight].map((edge) => Math.max(1, edge));
    if (texture?.width !== width || texture.height !== height) {
      [canvas.width, canvas.height] = [width, height];
      texture?.destroy();
      texture = noise.texture({ width, height });
    }
    const encoder = device.createCommandEncoder();
    noise.encode(encoder, texture, { ...place, width, height });
    const pass = encoder.beginRenderPass({ colorAttachments: [{ view: context.getCurrentTexture().createView(), loadOp: "clear", storeOp: "store" }] });
    pass.setPipeline(pipeline);
    pass.setBindGroup(0, device.createBindGroup({ layout: pipeline.getBindGroupLayout(0), entries: [{ binding: 0, resource: texture.createView() }] }));
    pass.draw(3);
    pass.end();
    device.queue.submit([encoder.finish()]);
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
  };

  canvas.addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
    if (!buttons) return;
    place.x -= movementX;
    place.y -= movementY;
    requestAnimationFrame(draw);
  });
  document.querySelector("input").addEventListener("input", ({ target }) => {
    hills.set("hills.gain", Number(target.value));
    requestAnimationFrame(draw);
  });
  new ResizeObserver(() => requestAnimationFrame(draw)).observe(canvas);
  device.lost.then(({ message }) => failed(new Error(`The device is lost: ${message}`)));
}

function failed(error) {
  const line = document.createElement("p");
  line.textContent = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(line);
}

run().catch(failed);
