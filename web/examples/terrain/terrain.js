// Chunks of terrain around the camera, coarser with distance. Workers compute heights; the page makes meshes and colours of them.

import { init, Pool, simplex, terrain, terrainChunk } from "orogen";
import * as THREE from "three";

const CELLS = 64;
/** World units between samples of the finest chunks. */
const SPACING = 8;
/** Half the number of chunks along an edge of each level of detail; even, so that coarser levels fit around finer ones. */
const HALF = 4;
const LEVELS = 5;
const MOST_AT_ONCE = 6;

await init();
const ridges = simplex({ wavelength: 5000, seed: 3 }).fractal({ octaves: 9, accumulate: "ridged" });
const land = ridges.scaleOffset({ scale: 700, offset: 100 }).named("land");

const renderer = new THREE.WebGLRenderer({ antialias: true });
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
const HAZE = 0xb9cbd9;
scene.background = new THREE.Color(HAZE);
scene.fog = new THREE.Fog(HAZE, 4000, 20000);
scene.add(new THREE.HemisphereLight(0xcfe3f5, 0x5a5040, 1.3));
const sun = new THREE.DirectionalLight(0xfff1dc, 2.4);
sun.position.set(-3, 2, 1.5);
scene.add(sun);
const camera = new THREE.PerspectiveCamera(55, 1, 5, 40000);
const material = new THREE.MeshLambertMaterial({ vertexColors: true });

const [LOW, GRASS, ROCK, SNOW] = [0x4a6136, 0x74824a, 0x7a7066, 0xf4f6f8].map((colour) => new THREE.Color(colour));

/** Grass below, rock where it is steep, snow on the heights. */
function colours({ positions, normals }) {
  const found = new Float32Array(positions.length);
  const colour = new THREE.Color();
  for (let i = 0; i < positions.length; i += 3) {
    const [height, flat] = [positions[i + 1], normals[i + 1]];
    const smooth = (low, high, x) => THREE.MathUtils.smoothstep(x, low, high);
    colour.copy(LOW).lerp(GRASS, smooth(-200, 300, height)).lerp(SNOW, smooth(420, 560, height)).lerp(ROCK, 1 - smooth(0.72, 0.86, flat));
    colour.toArray(found, i);
  }
  return found;
}

const pool = new Pool();
/** By level and place: a mesh, or the means to cancel its computation. */
const chunks = new Map();
let computing = 0;

async function make(key, level, x, y) {
  const flight = new AbortController();
  chunks.set(key, { flight });
  computing++;
  // The same number of cells at every level, so that coarser chunks are larger.
  const region = { ...terrainChunk(x, y, CELLS << level, level), spacing: SPACING };
  try {
    const heights = await pool.field(land, region, { signal: flight.signal });
    // The mesh's origin is exact, so that chunks far away from the origin fit together, too.
    const found = terrain(heights, region, { error: 0.4 * 2 ** level, skirt: 12 * 2 ** level });
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(found.positions, 3));
    geometry.setAttribute("normal", new THREE.BufferAttribute(found.normals, 3));
    geometry.setAttribute("color", new THREE.BufferAttribute(colours(found), 3));
    geometry.setIndex(new THREE.BufferAttribute(found.triangles, 1));
    const mesh = new THREE.Mesh(geometry, material);
    mesh.position.set(...found.anchor);
    scene.add(mesh);
    chunks.set(key, { mesh });
  } catch (error) {
    if (!flight.signal.aborted) throw error;
  } finally {
    computing--;
  }
}

/** The chunks that the camera needs: a square of them for each level, without the part that the finer level covers. */
function wanted() {
  const found = new Map();
  let hole = null;
  for (let level = 0; level < LEVELS; level++) {
    const edge = CELLS * SPACING * 2 ** level;
    // In pairs of chunks, for the same reason. North is −z.
    const [cx, cy] = [camera.position.x, -camera.position.z].map((at) => 2 * Math.round(at / edge / 2));
    for (let y = cy - HALF; y < cy + HALF; y++) {
      for (let x = cx - HALF; x < cx + HALF; x++) {
        const covered = hole && x >= hole.x0 && x < hole.x1 && y >= hole.y0 && y < hole.y1;
        if (!covered) found.set(`${level}/${x}/${y}`, { level, x, y, away: level * 100 + Math.hypot(x - cx, y - cy) });
      }
    }
    hole = { x0: (cx - HALF) / 2, x1: (cx + HALF) / 2, y0: (cy - HALF) / 2, y1: (cy + HALF) / 2 };
  }
  return found;
}

function update() {
  const all = wanted();
  const missing = [...all].filter(([key]) => !chunks.has(key)).sort(([, a], [, b]) => a.away - b.away);
  for (const [key, { level, x, y }] of missing.slice(0, MOST_AT_ONCE - computing)) void make(key, level, x, y);
  // Old chunks stay until the new ones are there.
  const complete = missing.length === 0 && computing === 0;
  for (const [key, { mesh, flight }] of chunks) {
    if (all.has(key) || (mesh && !complete)) continue;
    flight?.abort();
    if (mesh) scene.remove(mesh);
    mesh?.geometry.dispose();
    chunks.delete(key);
  }
  document.body.dataset.complete = String(complete);
}

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
renderer.setAnimationLoop((now) => {
  const seconds = Math.min(0.1, (now - before) / 1000);
  before = now;
  const along = (Number(keys.has("ArrowUp")) - Number(keys.has("ArrowDown"))) * 600 * seconds;
  heading += (Number(keys.has("ArrowLeft")) - Number(keys.has("ArrowRight"))) * seconds;
  camera.position.x -= Math.sin(heading) * along;
  camera.position.z -= Math.cos(heading) * along;
  camera.position.y = Math.max(900, land.value(camera.position.x, -camera.position.z) + 250);
  camera.rotation.set(pitch, heading, 0, "YXZ");
  const { innerWidth: width, innerHeight: height } = window;
  renderer.setSize(width, height);
  camera.aspect = width / height;
  camera.updateProjectionMatrix();
  update();
  renderer.render(scene, camera);
});
