// Bakes of a page without a server: a worker of their own computes, and its finished files go into a zip file or a folder.

import { download } from "../look/download";
import type { BakeNews, LiveMessage } from "../protocol";
import type { Baked } from "./messages";
import { folderStore, type Store, zipStore } from "./stores";

declare function showDirectoryPicker(options: { mode: "readwrite" }): Promise<FileSystemDirectoryHandle>;

/** A worker, as the page starts it for a bake. */
interface Baker {
  worker: Worker;
  stop(reason: string): void;
}

let running: Baker | null = null;
let listener: (message: LiveMessage) => void = () => {};
/** The folder that the next bake goes to; without one, a zip file. */
let folder: FileSystemDirectoryHandle | null = null;

export function listen(take: (message: LiveMessage) => void): void {
  listener = take;
}

/** Whether this browser lets a page write to a folder. */
export const writesFolders = "showDirectoryPicker" in window;

/** Chooses where the next bake goes. A browser asks for a folder only at a click. */
export async function bakeInto(where: "zip" | "folder"): Promise<void> {
  folder = where === "folder" ? await showDirectoryPicker({ mode: "readwrite" }) : null;
}

const say = (bake: BakeNews) => listener({ bake });
const fault = (message: string) => ({ message, line: null, column: null, table: null, name: null, param: null });
const message = (error: unknown) => (error instanceof Error ? error.message : String(error));

/** `POST /api/bake`: answers once the bake has begun, or is refused. */
export async function startBake(body: string, start: () => Worker, first: object): Promise<Response> {
  if (running) return Response.json({ error: { message: "a bake is running; allowed: one at a time" } }, { status: 409 });
  const name = (JSON.parse(body) as { folder: string }).folder;
  let store: Store;
  try {
    store = folder ? await folderStore(folder, name) : zipStore(`${name}.zip`, download);
  } catch (error) {
    return Response.json({ error: { message: message(error) } }, { status: 400 });
  }
  return new Promise((resolve) => {
    const worker = start();
    const end = () => {
      worker.terminate();
      running = null;
    };
    const failed = async (reason: string) => {
      end();
      await store.drop().catch(() => {});
      say({ error: fault(reason) });
      resolve(new Response(null, { status: 202 }));
    };
    running = { worker, stop: (reason) => void failed(reason) };
    const hear = async (baked: Baked) => {
      if ("file" in baked) return baked.bytes ? store.add(baked.file, baked.bytes) : store.remove(baked.file);
      if ("refused" in baked) {
        end();
        await store.drop();
        return resolve(new Response(baked.refused.bytes, { status: baked.refused.status }));
      }
      resolve(new Response(null, { status: 202 }));
      const { bake } = JSON.parse(baked.message) as { bake: BakeNews };
      if ("error" in bake) return failed(bake.error.message);
      if ("root" in bake) {
        const at = await store.end();
        end();
        return say({ ...bake, folder: at });
      }
      say(bake);
    };
    // In order: a file is written before the next message is looked at.
    let turn = Promise.resolve();
    worker.onmessage = (event: MessageEvent<Baked>) => {
      turn = turn.then(() => (running?.worker === worker ? hear(event.data) : undefined)).catch((error: unknown) => failed(message(error)));
    };
    worker.onerror = (event) => void failed(`the worker stopped: ${event.message || "it could not be started"}`);
    worker.postMessage({ start: first, method: "POST", path: "/api/bake", query: "", body });
  });
}

/** `DELETE /api/bake`: the files that were written are removed. */
export function stopBake(): Response {
  running?.stop("stopped before the end; its files were removed");
  return new Response(null, { status: 204 });
}
