// An endless landscape whose heights are computed on the graphics card: the vertex shader of a three.js material calls the noise
// written by `orogen export --lang glsl-es`. The mesh stays under the camera; the visible part of the world moves.

import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** Edge of what is seen, in metres, and the cells along it: `?cells=256` for slow devices. */
const EDGE = 24_000;
const CELLS = Math.min(Math.max(Number(new URLSearchParams(location.search).get("cells") ?? 768), 16), 2048);
const SKY = new THREE.Color(0xb9cbd9);
/** Towards the light, z up. */
const SUN = new THREE.Vector3(-0.55, 0.5, 0.62).normalize();

const told = document.getElementById("told");

async function text(name) {
  const answer = await fetch(name);
  if (!answer.ok) throw new Error(`${name}: ${answer.status}. Write it first: orogen export ../../recipes/alps.toml --lang glsl-es -o noise.glsl`);
  return answer.text();
}

/** The ground: heights and slopes are the noise's own, so that no cell of the mesh is flat. */
function material(noise) {
  return new THREE.ShaderMaterial({
    glslVersion: THREE.GLSL3,
    uniforms: { at: { value: new THREE.Vector2() }, sun: { value: SUN }, sky: { value: SKY }, far: { value: EDGE / 2 } },
    vertexShader: `${noise}
      uniform vec2 at;
      out vec4 jet; // the height, then what it rises by per metre along x, y and z
      out vec3 seen;
      void main() {
        jet = orogen_jet(vec3(position.xy + at, 0.0));
        vec4 place = modelViewMatrix * vec4(position.xy, jet.x, 1.0);
        seen = vec3(position.xy, length(place.xyz));
        gl_Position = projectionMatrix * place;
      }`,
    fragmentShader: `
      uniform vec3 sun, sky;
      uniform float far;
      in vec4 jet;
      in vec3 seen;
      out vec4 colour;
      void main() {
        vec3 up = normalize(vec3(-jet.yz, 1.0));
        float steep = 1.0 - up.z;
        vec3 ground = mix(vec3(0.11, 0.17, 0.06), vec3(0.27, 0.24, 0.13), smoothstep(700.0, 1700.0, jet.x));
        ground = mix(ground, vec3(0.87, 0.9, 0.95), smoothstep(1700.0, 2200.0, jet.x - 900.0 * steep));
        ground = mix(ground, vec3(0.23, 0.21, 0.2), smoothstep(0.22, 0.42, steep));
        float light = max(dot(up, sun), 0.0);
        vec3 lit = ground * (vec3(1.25, 1.17, 1.02) * light + vec3(0.16, 0.2, 0.27) * (0.5 + 0.5 * up.z));
        // Hidden in haze before the mesh ends.
        float haze = smoothstep(0.55, 1.0, length(seen.xy) / far);
        colour = linearToOutputTexel(vec4(mix(lit, sky, haze), 1.0));
      }`,
  });
}

const renderer = new THREE.WebGLRenderer({ antialias: true });
renderer.debug.onShaderError = (gl, program, vertex) => {
  told.textContent = `The noise does not compile here: ${gl.getShaderInfoLog(vertex)}`;
};
document.body.append(renderer.domElement);
const scene = new THREE.Scene();
scene.background = SKY;
const camera = new THREE.PerspectiveCamera(45, 1, 50, 4 * EDGE);
camera.up.set(0, 0, 1);
camera.position.set(500, -7500, 5400);
const controls = new OrbitControls(camera, renderer.domElement);
controls.target.set(3500, 1000, 1600);
controls.maxPolarAngle = 1.45;
controls.minDistance = 1500;
controls.maxDistance = EDGE;
controls.screenSpacePanning = false;
controls.listenToKeyEvents(window);

const ground = new THREE.Mesh(new THREE.PlaneGeometry(EDGE, EDGE, CELLS, CELLS), material(await text("noise.glsl")));
// Its heights exist on the graphics card only.
ground.frustumCulled = false;
scene.add(ground);

/** Vertices stay on the world's grid, or the ground would swim as the camera moves. */
function follow() {
  const cell = EDGE / CELLS;
  const at = [controls.target.x, controls.target.y].map((x) => Math.round(x / cell) * cell);
  ground.material.uniforms.at.value.set(...at);
  ground.position.set(...at, 0);
}

function draw() {
  controls.update();
  follow();
  renderer.render(scene, camera);
  const { x, y } = controls.target;
  told.textContent = `Around ${(x / 1000).toFixed(1)}, ${(y / 1000).toFixed(1)} km. Drag to turn, right-drag or arrows to move, wheel to come closer.`;
  document.documentElement.dataset.frames = Number(document.documentElement.dataset.frames ?? 0) + 1;
}

function fit() {
  renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
  renderer.setSize(innerWidth, innerHeight);
  camera.aspect = innerWidth / innerHeight;
  camera.updateProjectionMatrix();
  draw();
}

// Drawn after changes only.
controls.addEventListener("change", () => requestAnimationFrame(draw));
addEventListener("resize", fit);
fit();
