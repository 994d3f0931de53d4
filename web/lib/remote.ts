import type { Portable } from "./portable.js";
import type { Region } from "./region.js";

/** A worker, as browsers and Node have it. */
export interface Remote {
  post(message: unknown): void;
  onMessage(take: (reply: Reply) => void): void;
  onError(take: (error: Error) => void): void;
  end(): void;
}

/** The work of one call: a field of a noise, or layers of a pipeline. */
export type Work = { what: "field"; region: Region; gradient: boolean } | { what: "layers"; outputs: string[]; region: Region };

/** The work of one call, and the JSON of the noise or pipeline. */
export type Task = Work & { json: string };

/** A message to a worker. */
export interface Request {
  id: number;
  task: Task;
  /** The files that the JSON names, unless the worker keeps that noise or pipeline. */
  files?: Portable["files"];
  /** With the first message. */
  module?: WebAssembly.Module;
}

// A page asks for many regions of few noises.
const MOST = 8;

/** The latest values by their keys: a worker's noises and pipelines, and the pool's record of them, by the same rule. */
export class Latest<T> {
  readonly #all = new Map<string, T>();

  /** The value of a key, which becomes the latest; `make` makes a missing one. */
  take(key: string, make: () => T): T {
    const found = this.#all.get(key) ?? make();
    this.#all.delete(key);
    this.#all.set(key, found);
    const [oldest] = this.#all.keys();
    if (this.#all.size > MOST && oldest !== undefined) this.#all.delete(oldest);
    return found;
  }

  /** Forgets a key. */
  drop(key: string): void {
    this.#all.delete(key);
  }
}

/** The key of a task's noise or pipeline. */
export const keyOf = ({ what, json }: Task): string => `${what} ${json}`;

/** A worker's reply. */
export interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}
