import { readFile } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { Worker } from "node:worker_threads";
import { setPlatform } from "./platform.js";

setPlatform({
  async readModule(from) {
    return WebAssembly.compile(await readFile(from));
  },
  startWorker() {
    const worker = new Worker(new URL("./worker.node.js", import.meta.url));
    worker.unref();
    return {
      post: (message) => worker.postMessage(message),
      onMessage: (take) => void worker.on("message", take),
      onError: (take) => void worker.on("error", take),
      end: () => void worker.terminate(),
    };
  },
  parallelism: availableParallelism,
});
