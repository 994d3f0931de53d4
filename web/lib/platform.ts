import type { Remote } from "./remote.js";

/** The functions that differ between browsers and Node. */
export interface Platform {
  /** Reads and compiles a module. */
  readModule(from: URL | string): Promise<WebAssembly.Module>;
  /** Starts a worker. */
  startWorker(): Remote;
  /** The number of workers that this machine runs at once. */
  parallelism(): number;
}

let chosen: Platform | undefined;

/** Set by the package's entry point, so that neither a browser nor a bundler for one sees the modules of Node. */
export function setPlatform(platform: Platform): void {
  chosen = platform;
}

/** The platform. */
export function platform(): Platform {
  // A worker has none: it receives the module, and starts no other workers.
  if (!chosen) throw new Error("orogen: a worker starts from a compiled module, and cannot have workers itself");
  return chosen;
}
