// The relief: meshes, light and a camera. This file is a bundle of its own, fetched when the relief is first looked at.

import {
  AmbientLight, BufferAttribute, BufferGeometry, Color, DirectionalLight, DoubleSide, FogExp2, HemisphereLight, Mesh, MeshBasicMaterial, MeshStandardMaterial,
  PCFSoftShadowMap, PerspectiveCamera, Scene, SRGBColorSpace, WebGLRenderer,
} from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** A grid: positions in world units from the middle, heights not yet raised, colours in sRGB from 0 to 1. */
export interface Grid { key: string; positions: Float32Array; normals: Float32Array; colours: Float32Array; triangles: Uint32Array }

export interface ReliefScene {
  /** `lit`: colours that have their light already are shown as they are. */
  show(grids: Grid[], size: number, middle: number, lift: number, lit: boolean): void;
  resize(width: number, height: number): void;
  lift(factor: number): void;
  /** Whether the land casts shadows. */
  shadows(on: boolean): void;
  sky(colour: string): void;
  close(): void;
}

/** Half the width of the area with shadows, in units of the scene, and pixels along its edge. */
const REACH = 5;
const SHADOW_MAP = 2048;

export function makeScene(canvas: HTMLCanvasElement, still: boolean, drawn: () => void): ReliefScene {
  const renderer = new WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true, powerPreference: "high-performance" });
  renderer.outputColorSpace = SRGBColorSpace;
  const scene = new Scene();
  const camera = new PerspectiveCamera(38, 1, 0.01, 400);
  camera.position.set(0, 4.6, 6.6);
  const controls = new OrbitControls(camera, canvas);
  controls.target.set(0, 0, 0);
  controls.maxPolarAngle = Math.PI * 0.495;
  controls.minDistance = 0.4;
  controls.maxDistance = 40;
  controls.enableDamping = !still;
  const sun = new DirectionalLight(0xfff0d8, 3.3);
  sun.position.set(-5, 5.2, -3.4);
  // Shadows cover the inner rings, which are 6 wide.
  Object.assign(sun.shadow.camera, { left: -REACH, right: REACH, top: REACH, bottom: -REACH, near: 0.1, far: 24 });
  sun.shadow.mapSize.set(SHADOW_MAP, SHADOW_MAP);
  sun.shadow.bias = -0.0006;
  sun.shadow.normalBias = 0.03;
  renderer.shadowMap.type = PCFSoftShadowMap;
  scene.add(sun, new HemisphereLight(0xc4d8f0, 0x5a5044, 1.25), new AmbientLight(0xffffff, 0.12));
  const fog = new FogExp2(0x11151a, 0.01);
  scene.fog = fog;
  // Heights may be looked at from below.
  const matt = new MeshStandardMaterial({ vertexColors: true, roughness: 1, metalness: 0, side: DoubleSide });
  const plain = new MeshBasicMaterial({ vertexColors: true });
  let meshes: Mesh[] = [];
  let asked = 0;
  let closed = false;

  const ask = () => {
    if (asked === 0 && !closed) asked = requestAnimationFrame(draw);
  };
  const draw = () => {
    asked = 0;
    if (closed) return;
    // With damping, `update` returns whether the camera still moves.
    if (controls.update()) ask();
    renderer.render(scene, camera);
    drawn();
  };
  controls.addEventListener("change", ask);

  const clear = () => {
    for (const mesh of meshes) {
      scene.remove(mesh);
      mesh.geometry.dispose();
    }
    meshes = [];
  };
  let raise = 1;
  let unit = 1;
  let base = 0;
  const place = () => {
    for (const mesh of meshes) {
      mesh.scale.set(unit, unit * raise, unit);
      mesh.position.set(0, -base * unit * raise, 0);
    }
    ask();
  };

  return {
    show(grids, size, middle, lift, lit) {
      clear();
      unit = 6 / size;
      base = middle;
      raise = lift;
      for (const grid of grids) {
        const geometry = new BufferGeometry();
        geometry.setAttribute("position", new BufferAttribute(grid.positions, 3));
        geometry.setAttribute("normal", new BufferAttribute(grid.normals, 3));
        const colours = new Float32Array(grid.colours.length);
        const colour = new Color();
        for (let i = 0; i < colours.length; i += 3) {
          colour.setRGB(grid.colours[i]!, grid.colours[i + 1]!, grid.colours[i + 2]!, SRGBColorSpace);
          colour.toArray(colours, i);
        }
        geometry.setAttribute("color", new BufferAttribute(colours, 3));
        geometry.setIndex(new BufferAttribute(grid.triangles, 1));
        const mesh = new Mesh(geometry, lit ? plain : matt);
        mesh.frustumCulled = false;
        mesh.castShadow = mesh.receiveShadow = !lit;
        meshes.push(mesh);
        scene.add(mesh);
      }
      place();
    },
    resize(width, height) {
      renderer.setPixelRatio(Math.min(2, devicePixelRatio));
      renderer.setSize(width, height, false);
      camera.aspect = width / Math.max(1, height);
      camera.updateProjectionMatrix();
      ask();
    },
    lift(factor) {
      raise = factor;
      place();
    },
    shadows(on) {
      sun.castShadow = on;
      renderer.shadowMap.enabled = on;
      matt.needsUpdate = true;
      ask();
    },
    sky(colour) {
      scene.background = new Color(colour);
      fog.color = new Color(colour);
      ask();
    },
    close() {
      closed = true;
      cancelAnimationFrame(asked);
      clear();
      controls.dispose();
      matt.dispose();
      plain.dispose();
      renderer.dispose();
    },
  };
}
