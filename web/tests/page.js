// The page of the tests, with the package as its bundler or server delivers it. The result is a global, which the tests read.

import { Engine, hasSimd, init, Pool, Recipe, simplex } from "orogen";
import { different, values } from "./tile.mjs";

const hills = () => simplex({ wavelength: 300, seed: 7 }).fractal({ octaves: 5 });
const region = { width: 64, height: 64 };

async function refused(call) {
  try {
    await call();
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
  return null;
}

/** Whether the page's policy refuses code made of text: otherwise the test of the package would show nothing. */
function strict() {
  try {
    return Boolean(new Function("return false")());
  } catch {
    return true;
  }
}

async function run() {
  // A page whose bundler does not emit the module names its address.
  const module = document.documentElement.dataset.module;
  await init(module ? { module } : {});
  const pool = new Pool(2);
  const own = hills().field(region);
  const elsewhere = await Promise.all([0, 1, 2, 3].map((x) => pool.field(hills(), { ...region, x: 64 * x })));
  const stop = new AbortController();
  const begun = performance.now();
  const long = pool.field(hills().fractal({ octaves: 30 }), { width: 8192, height: 8192 }, { signal: stop.signal });
  setTimeout(() => stop.abort(new Error("enough")), 100);
  const cancelled = await refused(() => long);
  const waited = performance.now() - begun;
  const again = await pool.field(hills(), region);
  pool.close();
  return {
    strict: strict(), adapter: Engine.shared().adapter, simd: hasSimd(), count: own.length, colours: new Set(own).size,
    pool: [...elsewhere.slice(0, 1), again].map((field) => different(field, own)),
    shifted: different(elsewhere[1], hills().field({ ...region, x: 64 })),
    cancelled, waited,
    wrong: await refused(() => simplex({ wavelength: -1 })),
  };
}

/** The number of values of a recipe's tile that differ from the command's. */
globalThis.compare = ({ name, text, files, expected }) => {
  const bytes = Object.fromEntries(Object.entries(files).map(([file, numbers]) => [file, Uint8Array.from(numbers)]));
  return values({ Engine, Recipe }, name, text, bytes).map((found) => different(found, Float32Array.from(expected)));
};
globalThis.result = run().catch((error) => ({ failed: error instanceof Error ? `${error.message}\n${error.stack}` : String(error) }));
