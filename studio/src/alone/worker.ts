// A worker of the studio without a server: answers one request after the other, or bakes.

import { exported, initSync as initExport } from "#export";
import { initSync, Studio, type StudioAnswer } from "#module";
import type { Answered, Asked, Baked } from "./messages";

const port = self as unknown as { postMessage(message: Answered | Baked, moved?: ArrayBuffer[]): void };
let studio: Studio | undefined;

function taken(found: StudioAnswer): Answered {
  const answered = { status: found.status(), kind: found.kind(), channels: found.channels() ?? null, bytes: found.take() };
  found.free();
  return answered;
}

function bake(studio: Studio, body: string): void {
  const file = (name: string, bytes?: Uint8Array<ArrayBuffer>) =>
    bytes ? port.postMessage({ file: name, bytes }, [bytes.buffer]) : port.postMessage({ file: name });
  const refused = studio.bake(body, file, (message) => port.postMessage({ message }));
  if (refused) port.postMessage({ refused: taken(refused) });
}

let translator: Promise<void> | undefined;

/** Loads the module that writes source code, once. */
function loadExport(): Promise<void> {
  const address = new URL("export.wasm", self.location.href);
  translator ??= fetch(address).then(async (found) => {
    if (!found.ok) throw new Error(`${address.pathname} could not be fetched: ${found.status} ${found.statusText}`);
    initExport({ module: await WebAssembly.compile(await found.arrayBuffer()) });
  });
  return translator.catch((error: unknown) => {
    translator = undefined;
    throw error;
  });
}

const refusal = (message: string): Answered =>
  ({ status: 503, kind: "application/json", channels: null, bytes: new TextEncoder().encode(JSON.stringify({ error: { message } })) });

async function answer({ method, path, query, body }: Asked): Promise<Answered> {
  try {
    if (path.startsWith("/api/export/")) await loadExport();
  } catch (error) {
    return refusal(`exports are not available: ${error instanceof Error ? error.message : String(error)}`);
  }
  return taken(studio!.answer(method, path, query, body));
}

self.addEventListener("message", ({ data: asked }: MessageEvent<Asked>) => {
  const { start } = asked;
  if (start) {
    initSync({ module: start.module });
    const file = (name: string) => (Object.hasOwn(start.files, name) ? start.files[name] : undefined);
    const bytes = (files: Map<string, Uint8Array>) => (name: string) => files.get(name);
    studio = new Studio(file, (noise, files, target, name) => exported(noise, bytes(files), target, name, "orogen", new Float64Array(3)));
  }
  if (asked.path === "/api/bake") return bake(studio!, asked.body);
  // A module that stops reaches the page as the worker's error.
  void answer(asked).then((answered) => port.postMessage(answered, [answered.bytes.buffer]), (error: unknown) => setTimeout(() => { throw error; }));
});
