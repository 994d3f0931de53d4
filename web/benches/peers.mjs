// Speed in one Node process next to other libraries: fields of 256² samples and single points. The median of rounds in
// which all take turns.

import FastNoiseLite from "fastnoise-lite";
import open from "open-simplex-noise";
import { createNoise2D } from "simplex-noise";
import { init, Engine, simplex } from "../dist/index.js";

await init({ simd: process.argv[2] !== "scalar" });
const SIZE = 256;
const WAVELENGTH = 256;
const ROUNDS = 15;

/** Octaves as fastnoise-lite adds them. */
const octaves = (noise, count) => (x, y) => {
  let sum = 0;
  for (let i = 0, amplitude = 1; i < count; i++, amplitude *= 0.5, x *= 2, y *= 2) sum += amplitude * noise(x, y);
  return sum;
};
const fast = (count) => {
  const noise = new FastNoiseLite(1);
  noise.SetNoiseType(FastNoiseLite.NoiseType.OpenSimplex2);
  noise.SetFrequency(1);
  if (count > 1) noise.SetFractalType(FastNoiseLite.FractalType.FBm);
  noise.SetFractalOctaves(count);
  return (x, y) => noise.GetNoise(x, y);
};
const ours = (count) => (count === 1 ? simplex({ wavelength: WAVELENGTH }) : simplex({ wavelength: WAVELENGTH }).fractal({ octaves: count }));
const s = 1 / WAVELENGTH;
const out = new Float32Array(SIZE * SIZE);
const field = (at) => () => {
  for (let y = 0; y < SIZE; y++) for (let x = 0; x < SIZE; x++) out[y * SIZE + x] = at(x * s, y * s);
};
let sink = 0;
const points = (at) => () => {
  for (let i = 0; i < SIZE * 64; i++) sink += at(i * 1.7 * s, i * 0.3 * s);
};

function compare(name, samples, all) {
  const times = Object.fromEntries(Object.keys(all).map((key) => [key, []]));
  for (let round = 0; round < ROUNDS; round++) {
    for (const [key, run] of Object.entries(all)) {
      const begun = performance.now();
      run();
      // The first rounds compile.
      if (round >= 5) times[key].push(performance.now() - begun);
    }
  }
  const median = (list) => list.sort((a, b) => a - b)[list.length >> 1];
  const speeds = Object.entries(times).map(([key, list]) => [key, samples / median(list) / 1000]);
  const best = Math.max(...speeds.filter(([key]) => key !== "orogen").map(([, speed]) => speed));
  const [[, own]] = speeds;
  console.log(`${name.padEnd(22)}${speeds.map(([key, speed]) => `${key} ${speed.toFixed(2)}`).join(", ")} M/s; ${(own / best).toFixed(2)} × the best`);
}

console.log(`orogen: ${Engine.shared().adapter}, Node ${process.version}`);
for (const count of [1, 8]) {
  const noise = ours(count);
  const peers = { "simplex-noise": octaves(createNoise2D(), count), "fastnoise-lite": fast(count), "open-simplex-noise": octaves(open.makeNoise2D(1), count) };
  const region = { width: SIZE, height: SIZE };
  const apply = (how) => Object.fromEntries(Object.entries(peers).map(([key, at]) => [key, how(at)]));
  compare(`field, ${count} octaves`, SIZE * SIZE, { orogen: () => noise.field(region, out), ...apply(field) });
  compare(`points, ${count} octaves`, SIZE * 64, { orogen: points((x, y) => noise.value(x / s, y / s)), ...apply(points) });
}
if (sink === 0.123) console.log(sink);
