// All requests of the page. An error answer becomes a `Refused` with its message.

import type { About, BakeWanted, Checked, Edit, FileText, Fault, Measured, Planned, Probe } from "./protocol";
import { transport } from "./transport";

export class Refused extends Error {
  constructor(readonly status: number, readonly fault: Fault) {
    super(fault.message);
  }
}

/** The file is not what the page last saw. */
export class Conflict extends Error {
  constructor(readonly theirs: FileText) {
    super("the file was changed elsewhere");
  }
}

export function plainFault(message: string): Fault {
  return { message, line: null, column: null, table: null, name: null, param: null };
}

async function refusal(answer: Response): Promise<Refused> {
  const text = await answer.text();
  try {
    const fault = (JSON.parse(text) as { error?: Fault }).error;
    if (fault?.message) return new Refused(answer.status, { ...plainFault(""), ...fault });
  } catch {
    // Not JSON: use the text itself.
  }
  return new Refused(answer.status, plainFault(text.slice(0, 300) || `the server answered ${answer.status}`));
}

async function ask(path: string, init: RequestInit = {}): Promise<Response> {
  let answer: Response;
  try {
    answer = await transport().ask(path, init);
  } catch (error) {
    if (error instanceof DOMException && error.name === "AbortError") throw error;
    throw new Refused(0, plainFault(error instanceof Error ? error.message : String(error)));
  }
  if (!answer.ok && answer.status !== 409) throw await refusal(answer);
  return answer;
}

function body(value: unknown, method = "POST"): RequestInit {
  return { method, headers: { "content-type": "application/json" }, body: JSON.stringify(value) };
}

export function aborted(error: unknown): boolean {
  return error instanceof DOMException && error.name === "AbortError";
}

export function faultOf(error: unknown): Fault {
  return error instanceof Refused ? error.fault : plainFault(error instanceof Error ? error.message : String(error));
}

export async function about(): Promise<About> {
  return (await ask("/api/about")).json() as Promise<About>;
}

export async function fileText(): Promise<FileText> {
  return (await ask("/api/document")).json() as Promise<FileText>;
}

export async function saveFile(text: string, over: string | null): Promise<string> {
  const answer = await ask("/api/document", body({ text, over }, "PUT"));
  if (answer.status === 409) throw new Conflict((await answer.json()) as FileText);
  return ((await answer.json()) as { saved: string }).saved;
}

export async function keepDraft(text: string | null): Promise<void> {
  await ask("/api/draft", text === null ? { method: "DELETE" } : body({ text }, "PUT"));
}

export async function check(text: string, signal?: AbortSignal): Promise<Checked> {
  return (await ask("/api/check", { ...body({ text }), signal })).json() as Promise<Checked>;
}

let page: number | null = null;

/** The number of this page, as received over the socket; null without a socket. */
export function iAm(number: number | null): void {
  page = number;
}

/** The text after these edits. `preview`: the recipe in work stays as it is, and other pages learn nothing. */
export async function edit(text: string, edits: Edit[], preview = false): Promise<{ text: string; checked: Checked }> {
  const made = body(preview ? { text, edits, preview } : { text, edits });
  const headers = { ...made.headers, ...(page === null ? {} : { "x-orogen-page": String(page) }) };
  const answer = await ask("/api/edit", { ...made, headers });
  if (!answer.ok) throw await refusal(answer);
  return answer.json() as Promise<{ text: string; checked: Checked }>;
}

/** A rectangle of samples; `x` and `y` are indices of samples at that spacing and level. */
export interface Window {
  id: string;
  layer: string;
  x: bigint;
  y: bigint;
  width: number;
  height: number;
  spacing: number;
  level: number;
  z: number;
}

function query(w: Omit<Window, "id" | "layer">): string {
  return `x=${w.x}&y=${w.y}&width=${w.width}&height=${w.height}&spacing=${w.spacing}&level=${w.level}&z=${w.z}`;
}

function windowPath(what: string, w: Window): string {
  return `/api/${what}/${encodeURIComponent(w.id)}/${encodeURIComponent(w.layer)}?${query(w)}`;
}

export interface Samples { width: number; height: number; channels: number; values: Float32Array }

export async function samples(w: Window, signal: AbortSignal): Promise<Samples> {
  const answer = await ask(windowPath("samples", w), { signal });
  if (!answer.ok) throw await refusal(answer);
  const values = new Float32Array(await answer.arrayBuffer());
  const channels = Number(answer.headers.get("x-orogen-channels")) || Math.round(values.length / (w.width * w.height));
  return { width: w.width, height: w.height, channels, values };
}

/** The same window of several layers: what they have in common is computed once. `low`: after what is urgent. */
export async function layers(names: string[], w: Omit<Window, "layer">, signal: AbortSignal, low = false): Promise<Samples[]> {
  const path = `/api/layers/${encodeURIComponent(w.id)}?layers=${names.map(encodeURIComponent).join(",")}&${query(w)}${low ? "&priority=low" : ""}`;
  const answer = await ask(path, { signal, priority: low ? "low" : "auto" });
  if (!answer.ok) throw await refusal(answer);
  const bytes = await answer.arrayBuffer();
  const { width, height } = w;
  let from = 0;
  return (answer.headers.get("x-orogen-channels") ?? "").split(",").map(Number).map((channels) => {
    const values = new Float32Array(bytes, from, width * height * channels);
    from += values.byteLength;
    return { width, height, channels, values };
  });
}

/** A cube of samples, whose first has these indices, and the level of its surface. */
export interface Cube { x: bigint; y: bigint; z: bigint; size: number; spacing: number; at: number }
/** Positions from the first sample, y up; three numbers for a vertex or a triangle. */
export interface Surface { positions: Float32Array; normals: Float32Array; triangles: Uint32Array }

export async function surface(id: string, layer: string, { x, y, z, size, spacing, at }: Cube, signal: AbortSignal): Promise<Surface> {
  const path = `/api/surface/${encodeURIComponent(id)}/${encodeURIComponent(layer)}?x=${x}&y=${y}&z=${z}&size=${size}&spacing=${spacing}&at=${at}`;
  const bytes = await (await ask(path, { signal })).arrayBuffer();
  const [vertices, triangles] = new Uint32Array(bytes, 0, 2) as unknown as [number, number];
  return {
    positions: new Float32Array(bytes, 8, 3 * vertices), normals: new Float32Array(bytes, 8 + 12 * vertices, 3 * vertices),
    triangles: new Uint32Array(bytes, 8 + 24 * vertices, 3 * triangles),
  };
}

export async function measure(w: Window, signal: AbortSignal): Promise<Measured> {
  return (await ask(windowPath("measure", w), { signal })).json() as Promise<Measured>;
}

export async function seams(w: Window, signal: AbortSignal): Promise<{ samples: number; different: number }> {
  return (await ask(windowPath("seams", w), { signal })).json() as Promise<{ samples: number; different: number }>;
}

export async function probe(id: string, layer: string, at: [number, number, number], signal: AbortSignal): Promise<Probe> {
  const path = `/api/probe/${encodeURIComponent(id)}/${encodeURIComponent(layer)}?x=${at[0]}&y=${at[1]}&z=${at[2]}`;
  return (await ask(path, { signal })).json() as Promise<Probe>;
}

export async function places(
  box: { x0: number; y0: number; x1: number; y1: number }, distance: number, seed: number, signal: AbortSignal,
): Promise<[number, number][]> {
  const path = `/api/places?x0=${box.x0}&y0=${box.y0}&x1=${box.x1}&y1=${box.y1}&distance=${distance}&seed=${seed}`;
  return (await ask(path, { signal })).json() as Promise<[number, number][]>;
}

/** Places of several kinds: the index of its kind, x and y of each. */
export interface Placed { kinds: string[]; places: [number, number, number][] }
export type PlaceForm = "csv" | "geojson" | "unreal" | "unity" | "godot";

export async function ruledPlaces(id: string, rules: string, area: [number, number, number, number], signal: AbortSignal): Promise<Placed> {
  const init = { ...body({ rules, area }), signal, priority: "low" as const };
  return (await ask(`/api/places/${encodeURIComponent(id)}`, init)).json() as Promise<Placed>;
}

/** All places of the recipe's tiles as a file. */
export async function placeFile(id: string, rules: string, list: PlaceForm): Promise<Blob> {
  return (await ask(`/api/places/${encodeURIComponent(id)}`, body({ rules, list }))).blob();
}

/** Rivers and lakes in world units: lines with their widths, and rings. */
export interface Rivers { lines: { width: number; points: [number, number, number][] }[]; lakes: [number, number][][] }

export async function rivers(id: string, stage: string, signal: AbortSignal): Promise<Rivers> {
  type Feature = { properties: { kind: string; width: number }; geometry: { coordinates: unknown } };
  const answer = await ask(`/api/rivers/${encodeURIComponent(id)}/${encodeURIComponent(stage)}`, { signal, priority: "low" });
  const { features } = await answer.json() as { features: Feature[] };
  const of = (kind: string) => features.filter((feature) => feature.properties.kind === kind);
  return {
    lines: of("river").map(({ properties, geometry }) => ({ width: properties.width, points: geometry.coordinates as [number, number, number][] })),
    lakes: of("lake").flatMap(({ geometry }) => (geometry.coordinates as [number, number][][][]).flat()),
  };
}

/** The check of a stage `drainage`: the first rule that is broken as a sentence, and the indices of the sample that breaks it. */
export interface DrainageCheck { stage: string; samples: number; outlets: number; broken: string | null; at: [number, number] | null }

export async function drainage(id: string, signal: AbortSignal): Promise<DrainageCheck[]> {
  return (await ask(`/api/drainage/${encodeURIComponent(id)}`, { signal, priority: "low" })).json() as Promise<DrainageCheck[]>;
}

export async function shader(id: string, layer: string, target: string): Promise<string> {
  return (await ask(`/api/export/${encodeURIComponent(id)}/${encodeURIComponent(layer)}?target=${target}`)).text();
}

export async function code(id: string, as: string): Promise<string> {
  return (await ask(`/api/code/${encodeURIComponent(id)}?as=${as}`)).text();
}

export async function planBake(text: string, wanted: BakeWanted, signal: AbortSignal): Promise<Planned> {
  return (await ask("/api/bake/plan", { ...body({ text, ...wanted }), signal })).json() as Promise<Planned>;
}

export async function startBake(text: string, wanted: BakeWanted): Promise<void> {
  const answer = await ask("/api/bake", body({ text, ...wanted }));
  if (!answer.ok) throw await refusal(answer);
}

export async function stopBake(): Promise<void> {
  await ask("/api/bake", { method: "DELETE" });
}
