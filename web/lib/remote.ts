import type { Region } from "./region.js";

/** A worker, as browsers and Node have it. */
export interface Remote {
  post(message: unknown): void;
  onMessage(take: (reply: Reply) => void): void;
  onError(take: (error: Error) => void): void;
  end(): void;
}

/** The work of one call: a field of a noise, or layers of a pipeline, both as JSON. */
export type Task =
  | { what: "field"; noise: string; region: Region; gradient: boolean }
  | { what: "layers"; pipeline: string; outputs: string[]; region: Region };

/** A message to a worker; the first one carries the module. */
export interface Request {
  id: number;
  task: Task;
  module?: WebAssembly.Module;
}

/** A worker's reply. */
export interface Reply {
  id: number;
  result?: unknown;
  error?: string;
}
