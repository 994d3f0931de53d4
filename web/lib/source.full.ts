import * as glue from "./module/orogen.js";
import { setSource } from "./source.js";

setSource({
  glue,
  // Bundlers look for these expressions as they are.
  address: (simd) => (simd ? new URL("./module/simd.wasm", import.meta.url) : new URL("./module/scalar.wasm", import.meta.url)),
});
