import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import type { Remote } from "./remote.js";

/** Reads and compiles the module. */
export async function readModule(simd: boolean, from?: URL | string): Promise<WebAssembly.Module> {
  const file = from ?? new URL(simd ? "./module/simd.wasm" : "./module/scalar.wasm", import.meta.url);
  return WebAssembly.compile(await readFile(file));
}

/** Starts a worker. */
export function startWorker(): Remote {
  const worker = new Worker(new URL("./worker.node.js", import.meta.url));
  worker.unref();
  return {
    post: (message) => worker.postMessage(message),
    onMessage: (take) => void worker.on("message", take),
    onError: (take) => void worker.on("error", take),
    end: () => void worker.terminate(),
  };
}

/** The number of workers that this machine runs at once. */
export const parallelism = (): number => availableParallelism();
