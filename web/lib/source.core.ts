import * as glue from "./core/orogen.js";
import { setSource, type Source } from "./source.js";

setSource({
  // A part of the whole module: what core.ts exports calls nothing else.
  glue: glue as unknown as Source["glue"],
  address: (simd) => (simd ? new URL("./core/simd.wasm", import.meta.url) : new URL("./core/scalar.wasm", import.meta.url)),
});
