import type * as glue from "./module/orogen.js";
import { platform } from "./platform.js";
import { source } from "./source.js";

/** Options of `init`. */
export interface InitOptions {
  /** The compiled module, its bytes, or an address to fetch it from; by default the file in this package. */
  module?: WebAssembly.Module | BufferSource | URL | string;
  /** Whether to use the module with SIMD instructions; by default if this machine has them. The bits are the same. */
  simd?: boolean;
}

let exports: glue.InitOutput | undefined;
let compiled: WebAssembly.Module | undefined;
let pending: Promise<void> | undefined;

// The smallest module with a SIMD instruction: a function that drops a vector.
const PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** Whether this machine runs modules with SIMD instructions. */
export const hasSimd = (): boolean => WebAssembly.validate(PROBE);

/**
 * Loads the module. Await it once before anything else; further calls do nothing.
 *
 * A page with a content-security policy has to allow `'wasm-unsafe-eval'` for scripts. Nothing uses `eval`, and nothing is fetched
 * but the module itself.
 */
export function init(options: InitOptions = {}): Promise<void> {
  pending ??= started(options).catch((error: unknown) => {
    pending = undefined;
    throw error;
  });
  return pending;
}

async function started({ module, simd = hasSimd() }: InitOptions): Promise<void> {
  if (module instanceof WebAssembly.Module) {
    await use(module);
  } else if (module === undefined || module instanceof URL || typeof module === "string") {
    await use(await platform().readModule(module ?? source().address(simd)));
  } else {
    await use(await WebAssembly.compile(module));
  }
}

// Chromium makes no instance of a large module on a page's own thread at once, only when it is awaited.
async function use(module: WebAssembly.Module): Promise<void> {
  exports = await source().glue.default({ module_or_path: module });
  compiled = module;
}

/** The module's functions. */
export function loaded(): typeof glue {
  if (!exports) throw new Error("orogen is not loaded; await init() first");
  return source().glue;
}

/** The compiled module, for workers. */
export function theModule(): WebAssembly.Module {
  loaded();
  return compiled as WebAssembly.Module;
}

/** Numbers in the module's memory. They change with the next call, and the view ends when the memory grows. */
export function view(address: number, count: number): Float32Array<ArrayBuffer> {
  loaded();
  return new Float32Array((exports as glue.InitOutput).memory.buffer as ArrayBuffer, address, count);
}
