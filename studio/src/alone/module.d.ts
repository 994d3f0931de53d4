// The module of `web/` with its feature `studio`; site.mjs resolves its name.
declare module "#module" {
  export function initSync(from: { module: WebAssembly.Module }): unknown;
  export class Studio {
    constructor(
      bytes: (file: string) => Uint8Array | undefined,
      exported: (noise: string, files: Map<string, Uint8Array>, target: string, name: string) => string,
    );
    answer(method: string, path: string, query: string, body: string): StudioAnswer;
    bake(body: string, file: (name: string, bytes?: Uint8Array<ArrayBuffer>) => void, message: (text: string) => void): StudioAnswer | undefined;
  }
  export class StudioAnswer {
    free(): void;
    status(): number;
    kind(): string;
    channels(): string | undefined;
    take(): Uint8Array<ArrayBuffer>;
  }
}

// The module of `web/export/`.
declare module "#export" {
  export function initSync(from: { module: WebAssembly.Module }): unknown;
  export function exported(
    noise: string, bytes: (file: string) => Uint8Array | undefined, language: string, name: string, prefix: string, anchor: Float64Array,
  ): string;
}
