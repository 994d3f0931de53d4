// The messages between the page and its workers.

/** A request; the first message to a worker holds the module and the files of heights that recipes may name. */
export interface Asked {
  start?: { module: WebAssembly.Module; files: Record<string, Uint8Array<ArrayBuffer>> };
  method: string;
  path: string;
  query: string;
  body: string;
}

export interface Answered {
  status: number;
  kind: string;
  channels: string | null;
  bytes: Uint8Array<ArrayBuffer>;
}
