// The messages between the page and its workers.

/** A request; the first message to a worker holds the module and the files of heights that recipes may name. */
export interface Asked {
  start?: { module: WebAssembly.Module; files: Record<string, Uint8Array<ArrayBuffer>> };
  method: string;
  path: string;
  query: string;
  body: string;
}

/** A message during a bake: a finished file, the name of one that is removed, a message of `/live`, or a refusal. */
export type Baked = { file: string; bytes?: Uint8Array<ArrayBuffer> } | { message: string } | { refused: Answered };

export interface Answered {
  status: number;
  kind: string;
  channels: string | null;
  bytes: Uint8Array<ArrayBuffer>;
}
