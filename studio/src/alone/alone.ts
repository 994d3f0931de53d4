// The studio as a static page: requests are answered by the WebAssembly module in workers, and the recipe is kept in this browser.

import type { Checked } from "../protocol";
import type { Transport } from "../transport";
import { bakeInto, listen, startBake, stopBake, writesFolders } from "./bakes";
import { changeDocument, documentOf, fileOf, openFile } from "./files";
import type { Asked } from "./messages";
import { Workers } from "./workers";

/** The texts of recipes by their identifiers, for workers that have not read them: those of the last revisions. */
const texts = new Map<string, string>();
const MOST = 256;

function keepText(checked: Checked, text: string): void {
  if (!checked.ok) return;
  texts.delete(checked.id);
  texts.set(checked.id, text);
  const [oldest] = texts.keys();
  if (texts.size > MOST && oldest !== undefined) texts.delete(oldest);
}

async function bytes(address: URL): Promise<Uint8Array<ArrayBuffer>> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`${address.pathname} could not be fetched: ${answer.status} ${answer.statusText}`);
  return new Uint8Array(await answer.arrayBuffer());
}

const here = (name: string) => new URL(name, document.baseURI);

// The smallest module with a SIMD instruction: a function that drops a vector.
const PROBE = Uint8Array.of(0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11);

/** The pictures that recipes of the gallery read, by their names. */
async function pictures(): Promise<Record<string, Uint8Array<ArrayBuffer>>> {
  const at = (name: string) => bytes(here(`../recipes/${name}`));
  const names = JSON.parse(new TextDecoder().decode(await at("pictures.json"))) as string[];
  return Object.fromEntries(await Promise.all(names.map(async (name) => [name, await at(name)] as const)));
}

interface Opened {
  workers: Workers;
  start(): Worker;
  /** The first message to a worker. */
  first: NonNullable<Asked["start"]>;
}

async function open(): Promise<Opened> {
  const name = WebAssembly.validate(PROBE) ? "simd.wasm" : "scalar.wasm";
  const [module, files] = await Promise.all([bytes(here(name)).then((code) => WebAssembly.compile(code)), pictures()]);
  const size = Math.max(1, Math.min(4, (navigator.hardwareConcurrency || 2) - 1));
  const first = { module, files };
  const start = () => new Worker(here("worker.js"), { type: "module" });
  return { workers: new Workers(size, start, first), start, first };
}

let opened: Promise<Opened> | undefined;

const json = (value: unknown, status = 200) => Response.json(value, { status });
const refusal = (message: string, status = 404) => json({ error: { message } }, status);

/** `/api/samples/{id}/{layer}`: the identifier. */
const about = (path: string) => /^\/api\/(?:samples|layers|probe|measure|seams|rivers|drainage|surface|export|code|places)\/([^/]+)/.exec(path)?.[1];

async function ask(address: string, init: RequestInit): Promise<Response> {
  const method = init.method ?? "GET";
  const [path = "", query = ""] = address.split("?", 2);
  const body = typeof init.body === "string" ? init.body : "";
  if (path === "/api/document" || path === "/api/draft") return changeDocument(method, path, body);
  if (path === "/api/bake" && method === "DELETE") return stopBake();
  const id = about(path);
  const text = id === undefined ? undefined : texts.get(decodeURIComponent(id));
  if (id !== undefined && text === undefined) return refusal(`recipe ${id} is no longer known; check its text again`, 410);
  const { workers, start, first } = await (opened ??= open());
  init.signal?.throwIfAborted();
  if (path === "/api/bake") return startBake(body, start, first);
  const order = query.includes("priority=low") || init.priority === "low" ? 2 : method === "POST" && id === undefined ? 0 : 1;
  const recipe = id !== undefined && text !== undefined ? { id: decodeURIComponent(id), text } : null;
  const answered = await workers.ask({ method, path, query, body, recipe, order, signal: init.signal ?? null });
  const headers = { "content-type": answered.kind, ...(answered.channels === null ? {} : { "x-orogen-channels": answered.channels }) };
  const answer = new Response(answered.bytes, { status: answered.status, headers });
  if (!answer.ok) return answer;
  if (path === "/api/check") keepText((await answer.clone().json()) as Checked, (JSON.parse(body) as { text: string }).text);
  if (path === "/api/edit") {
    const edited = (await answer.clone().json()) as { text: string; checked: Checked };
    keepText(edited.checked, edited.text);
  }
  if (path === "/api/about") return json({ ...(await answer.json()) as object, file: fileOf(await documentOf()) });
  return answer;
}

export const alone: Transport = { ask, asset: (name) => here(name).href, served: false, choose: openFile, listen, bakeInto, writesFolders };
