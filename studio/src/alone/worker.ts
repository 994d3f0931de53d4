// A worker of the studio without a server: answers one request after the other, or bakes.

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

self.addEventListener("message", ({ data: { start, method, path, query, body } }: MessageEvent<Asked>) => {
  if (start) {
    initSync({ module: start.module });
    studio = new Studio((file) => (Object.hasOwn(start.files, file) ? start.files[file] : undefined));
  }
  if (path === "/api/bake") return bake(studio!, body);
  const answered = taken(studio!.answer(method, path, query, body));
  port.postMessage(answered, [answered.bytes.buffer]);
});
