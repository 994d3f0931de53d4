import type { Layer } from "./engine.js";
import { theModule } from "./load.js";
import type { Jets, Noise } from "./noise.js";
import type { Pipeline } from "./pipeline.js";
import { platform } from "./platform.js";
import type { Portable } from "./portable.js";
import type { Region } from "./region.js";
import { keyOf, Latest, type Remote, type Reply, type Task, type Work } from "./remote.js";

/** Options of a call of a pool. */
export interface CallOptions {
  /** Cancels the call: it then fails with the signal's reason. */
  signal?: AbortSignal;
}

interface Call {
  task: Task;
  files: Portable["files"];
  signal: AbortSignal | undefined;
  resolve(result: never): void;
  reject(reason: unknown): void;
}

/** A worker and the call that it computes. */
interface Seat {
  remote: Remote | undefined;
  call: Call | undefined;
  /** The noises and pipelines that the worker keeps, whose files need not be sent. */
  known: Latest<true>;
}

/**
 * Workers that compute away from the page's own thread. Results move to the page without a copy. Calls begin in order; a cancelled
 * call ends at once, and its worker is replaced.
 */
export class Pool {
  readonly #seats: Seat[];
  #waiting: Call[] = [];
  #closed = false;

  /** Workers start when they are needed. `size`: their largest number, by default one per core but one. */
  constructor(size = Math.max(1, platform().parallelism() - 1)) {
    if (!Number.isInteger(size) || size < 1 || size > 64) throw new Error(`pool: size = ${size} is not allowed; allowed: 1 to 64`);
    this.#seats = Array.from({ length: size }, () => ({ remote: undefined, call: undefined, known: new Latest() }));
  }

  /** Values of a noise on a region. */
  field(noise: Noise, region: Region, options: CallOptions = {}): Promise<Float32Array> {
    return this.#call({ what: "field", region, gradient: false }, noise, options);
  }

  /** Values and gradients of a noise on a region. */
  fieldWithGradient(noise: Noise, region: Region, options: CallOptions = {}): Promise<Jets> {
    return this.#call({ what: "field", region, gradient: true }, noise, options);
  }

  /** Layers of a pipeline on a region. */
  layers(pipeline: Pipeline, outputs: readonly string[], region: Region, options: CallOptions = {}): Promise<Record<string, Layer>> {
    return this.#call({ what: "layers", outputs: [...outputs], region }, pipeline, options);
  }

  /** Ends all workers. Open calls fail. */
  close(): void {
    this.#closed = true;
    const reason = new Error("the pool is closed");
    for (const seat of this.#seats) this.#vacate(seat, reason);
    for (const call of this.#waiting.splice(0)) call.reject(reason);
  }

  #call<T>(work: Work, of: Noise | Pipeline, { signal }: CallOptions): Promise<T> {
    const { json, files } = of.portable();
    return new Promise<T>((resolve, reject) => {
      if (this.#closed) return reject(new Error("the pool is closed"));
      if (signal?.aborted) return reject(signal.reason);
      const call: Call = { task: { ...work, json }, files, signal, resolve: resolve as Call["resolve"], reject };
      signal?.addEventListener("abort", () => this.#cancel(call), { once: true });
      this.#waiting.push(call);
      this.#next();
    });
  }

  #cancel(call: Call): void {
    const reason = call.signal?.reason as unknown;
    const seat = this.#seats.find((seat) => seat.call === call);
    if (seat) {
      this.#vacate(seat, reason);
    } else if (this.#waiting.includes(call)) {
      this.#waiting = this.#waiting.filter((other) => other !== call);
      call.reject(reason);
    }
    this.#next();
  }

  /** Ends a worker, and fails its call. */
  #vacate(seat: Seat, reason: unknown): void {
    seat.remote?.end();
    seat.remote = undefined;
    seat.known = new Latest();
    const call = seat.call;
    seat.call = undefined;
    call?.reject(reason);
  }

  #next(): void {
    for (const seat of this.#seats) {
      if (seat.call) continue;
      const call = this.#waiting.shift();
      if (!call) return;
      seat.call = call;
      const fresh = !seat.remote;
      let unknown = false;
      try {
        seat.remote ??= this.#started(seat);
        seat.known.take(keyOf(call.task), () => (unknown = true));
        seat.remote.post({ id: 0, task: call.task, ...(unknown ? { files: call.files } : {}), ...(fresh ? { module: theModule() } : {}) });
      } catch (error) {
        this.#vacate(seat, error);
      }
    }
  }

  #started(seat: Seat): Remote {
    const remote = platform().startWorker();
    remote.onMessage((reply: Reply) => {
      // A worker that was replaced may still speak.
      if (seat.remote !== remote) return;
      const call = seat.call;
      seat.call = undefined;
      if (reply.error === undefined) {
        call?.resolve(reply.result as never);
      } else {
        // The worker has forgotten it, too.
        if (call) seat.known.drop(keyOf(call.task));
        call?.reject(new Error(reply.error));
      }
      this.#next();
    });
    remote.onError((error) => {
      if (seat.remote === remote) this.#vacate(seat, error);
      this.#next();
    });
    return remote;
  }
}
