// A worker of the studio without a server: answers one request after the other.

import { initSync, Studio } from "#module";
import type { Answered, Asked } from "./messages";

const port = self as unknown as { postMessage(message: Answered, moved: ArrayBuffer[]): void };
let studio: Studio | undefined;

function answer({ start, method, path, query, body }: Asked): Answered {
  if (start) {
    initSync({ module: start.module });
    studio = new Studio((file) => (Object.hasOwn(start.files, file) ? start.files[file] : undefined));
  }
  const found = studio!.answer(method, path, query, body);
  const answered = { status: found.status(), kind: found.kind(), channels: found.channels() ?? null, bytes: found.take() };
  found.free();
  return answered;
}

self.addEventListener("message", (event: MessageEvent<Asked>) => {
  const answered = answer(event.data);
  port.postMessage(answered, [answered.bytes.buffer]);
});
