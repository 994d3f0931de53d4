import type { Remote } from "./remote.js";

/** Fetches and compiles the module. */
export async function readModule(simd: boolean, from?: URL | string): Promise<WebAssembly.Module> {
  // Bundlers look for these expressions as they are.
  const address = from ?? (simd ? new URL("./module/simd.wasm", import.meta.url) : new URL("./module/scalar.wasm", import.meta.url));
  const response = await fetch(address);
  if (!response.ok) throw new Error(`orogen: ${String(address)} could not be fetched: ${response.status} ${response.statusText}`);
  // A server may send another type than application/wasm, which streaming refuses.
  return WebAssembly.compile(await response.arrayBuffer());
}

/** Starts a worker. */
export function startWorker(): Remote {
  const worker = new Worker(new URL("./worker.web.js", import.meta.url), { type: "module" });
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (take) => worker.addEventListener("message", (event) => take(event.data)),
    onError: (take) => worker.addEventListener("error", (event) => take(new Error(event.message || "the worker could not be started"))),
    end: () => worker.terminate(),
  };
}

/** The number of workers that this machine runs at once. */
export const parallelism = (): number => navigator.hardwareConcurrency || 2;
