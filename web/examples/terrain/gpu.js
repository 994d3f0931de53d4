// Endless terrain in three.js, whose heights never leave the GPU. Orogen evaluates the noise on the device of three.js, and writes
// heights and slopes into textures, which the vertex shader of nested grids reads. Positions are relative to the camera, so that the
// terrain is as steady at 10⁹ units from the origin as at the origin.

import { init, simplex } from "orogen";
import { GpuNoise } from "orogen/webgpu";
import * as THREE from "three/webgpu";
import { abs, attribute, ivec2, max, mix, smoothstep, textureLoad, transformNormalToView, varying, vec2, vec3 } from "three/tsl";

/** Cells along each edge of a grid, a multiple of 4. Each grid has cells twice as large as the one inside it. */
const CELLS = 160;
const GRIDS = 7;
/** World units between samples of the finest grid. */
const SPACING = 6;
const HEIGHT = 700;
const HAZE = 0xb9cbd9;

/** Triangles of a grid without those that the grid inside covers, whose first cell is `hole`. The two overlap by a cell. */
function triangles(hole) {
  const found = [];
  const inside = (at, first) => at > first && at < first + CELLS / 2 - 1;
  for (let j = 0; j < CELLS; j++) {
    for (let i = 0; i < CELLS; i++) {
      if (hole && inside(i, hole[0]) && inside(j, hole[1])) continue;
      const [a, b] = [j * (CELLS + 1) + i, (j + 1) * (CELLS + 1) + i];
      found.push(a, a + 1, b + 1, a, b + 1, b);
    }
  }
  return new THREE.BufferAttribute(new Uint32Array(found), 1);
}

/** Column and row of each vertex. */
const corners = new THREE.BufferAttribute(new Float32Array((CELLS + 1) ** 2 * 3), 3);
for (let k = 0; k < corners.count; k++) corners.setXYZ(k, k % (CELLS + 1), Math.floor(k / (CELLS + 1)), 0);

/** The hole may be a cell off the centre, either way: nine lists of triangles. */
const lists = new Map();
function trianglesAround(x, y) {
  const key = `${x}/${y}`;
  if (!lists.has(key)) lists.set(key, triangles([x, y]));
  return lists.get(key);
}

/** The surface of a grid, whose texture holds heights and slopes of its vertices. */
function surface(texture, step) {
  const own = attribute("position").xy;
  // Towards its border a grid becomes the next coarser one: every other vertex moves to the one before.
  const out = abs(own.sub(CELLS / 2)).div(CELLS / 2);
  const coarse = smoothstep(0.7, 0.95, max(out.x, out.y));
  const odd = ivec2(own).bitAnd(ivec2(1));
  const at = own.sub(vec2(odd).mul(coarse));
  const sample = mix(textureLoad(texture, ivec2(own)), textureLoad(texture, ivec2(own).sub(odd)), coarse);
  const height = sample.x;
  const material = new THREE.MeshLambertNodeMaterial();
  // North is −z.
  material.positionNode = vec3(at.x.mul(step), height, at.y.mul(-step));
  const normal = varying(vec3(sample.y.negate(), 1, sample.z)).normalize();
  material.normalNode = transformNormalToView(normal);
  const above = varying(height);
  const colour = (hex) => vec3(...new THREE.Color(hex).toArray());
  const meadow = mix(colour(0x4a6136), colour(0x74824a), smoothstep(-200, 300, above));
  const peaks = mix(meadow, colour(0xf4f6f8), smoothstep(420, 560, above));
  material.colorNode = mix(colour(0x7a7066), peaks, smoothstep(0.72, 0.86, normal.y));
  return material;
}

async function run() {
  if (!navigator.gpu) throw new Error("This browser has no WebGPU.");
  await init();
  const land = simplex({ wavelength: 5000, seed: 3 }).fractal({ octaves: 10, accumulate: "ridged" }).scaleOffset({ scale: HEIGHT, offset: 100 });

  const renderer = new THREE.WebGPURenderer({ antialias: true });
  await renderer.init();
  const { device } = renderer.backend;
  if (!device) throw new Error("This browser has no WebGPU adapter.");
  document.body.append(renderer.domElement);
  const scene = new THREE.Scene();
  scene.background = new THREE.Color(HAZE);
  scene.fog = new THREE.Fog(HAZE, 5000, 26000);
  scene.add(new THREE.HemisphereLight(0xcfe3f5, 0x5a5040, 1.3));
  const sun = new THREE.DirectionalLight(0xfff1dc, 2.4);
  sun.position.set(-3, 2, 1.5);
  scene.add(sun);
  const camera = new THREE.PerspectiveCamera(55, 1, 5, 60000);

  const noise = await GpuNoise.create(device, land, { format: "rgba32float" });
  const grids = Array.from({ length: GRIDS }, (_, level) => {
    const step = SPACING * 2 ** level;
    const target = noise.texture({ width: CELLS + 1, height: CELLS + 1 });
    const texture = new THREE.ExternalTexture(target);
    Object.assign(texture, { type: THREE.FloatType, minFilter: THREE.NearestFilter, magFilter: THREE.NearestFilter, generateMipmaps: false });
    texture.image = { width: CELLS + 1, height: CELLS + 1 };
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", corners);
    geometry.setIndex(triangles(null));
    const mesh = new THREE.Mesh(geometry, surface(texture, step));
    // Its bounds are those of columns and rows.
    mesh.frustumCulled = false;
    scene.add(mesh);
    return { level, step, target, mesh, first: null };
  });

  /** The camera's place in the world: f64, while everything on the GPU is relative to it. */
  const [x = 0, y = 0] = location.hash.slice(1).split(",").map(Number).filter(Number.isFinite);
  const place = { x, y, z: 0 };

  /** Moves the grids to the camera, and evaluates those that have moved by two cells. */
  const update = () => {
    const encoder = device.createCommandEncoder();
    let inner = null;
    for (const grid of grids) {
      const { level, step, target, mesh } = grid;
      const [i, j] = [place.x, place.y].map((at) => 2 * Math.round(at / step / 2) - CELLS / 2);
      if (!grid.first || grid.first.i !== i || grid.first.j !== j) {
        grid.first = { i, j };
        noise.encode(encoder, target, { x: i, y: j, width: CELLS + 1, height: CELLS + 1, spacing: SPACING, level });
      }
      mesh.position.set(i * step - place.x, -place.z, place.y - j * step);
      if (inner) mesh.geometry.setIndex(trianglesAround(inner.i / 2 - i, inner.j / 2 - j));
      inner = grid.first;
    }
    device.queue.submit([encoder.finish()]);
  };

  let [heading, pitch] = [0.6, -0.16];
  const keys = new Set();
  addEventListener("keydown", ({ key }) => keys.add(key));
  addEventListener("keyup", ({ key }) => keys.delete(key));
  addEventListener("pointermove", ({ buttons, movementX, movementY }) => {
    if (!buttons) return;
    heading -= movementX / 300;
    pitch = THREE.MathUtils.clamp(pitch - movementY / 300, -1.2, 0.6);
  });

  let before = performance.now();
  let drawn = 0;
  renderer.setAnimationLoop((now) => {
    const seconds = Math.min(0.1, (now - before) / 1000);
    before = now;
    const along = (Number(keys.has("ArrowUp")) - Number(keys.has("ArrowDown"))) * 600 * seconds;
    heading += (Number(keys.has("ArrowLeft")) - Number(keys.has("ArrowRight"))) * seconds;
    place.x -= Math.sin(heading) * along;
    place.y += Math.cos(heading) * along;
    // One value a frame, which the CPU computes.
    place.z = Math.max(900, land.value(place.x, place.y) + 250);
    camera.rotation.set(pitch, heading, 0, "YXZ");
    const { innerWidth: width, innerHeight: height } = window;
    renderer.setSize(width, height);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
    update();
    renderer.render(scene, camera);
    Object.assign(document.body.dataset, { drawn: String(++drawn), place: `${place.x},${place.y}` });
  });
  device.lost.then(({ message }) => failed(new Error(`The device is lost: ${message}`)));
}

function failed(error) {
  const line = document.createElement("p");
  line.textContent = error instanceof Error ? error.message : String(error);
  document.body.replaceChildren(line);
}

run().catch(failed);
