import { setPlatform } from "./platform.js";

setPlatform({
  async readModule(from) {
    const response = await fetch(from);
    if (!response.ok) throw new Error(`orogen: ${String(from)} could not be fetched: ${response.status} ${response.statusText}`);
    // A server may send another type than application/wasm, which streaming refuses.
    return WebAssembly.compile(await response.arrayBuffer());
  },
  startWorker() {
    // Bundlers look for this expression as it is.
    const worker = new Worker(new URL("./worker.web.js", import.meta.url), { type: "module" });
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (take) => worker.addEventListener("message", (event) => take(event.data)),
      onError: (take) => worker.addEventListener("error", (event) => take(new Error(event.message || "the worker could not be started"))),
      end: () => worker.terminate(),
    };
  },
  parallelism: () => navigator.hardwareConcurrency || 2,
});
