// The recipe of a page without a server: one of the gallery, or one that is kept in this browser, by its name in the address:
// `#gallery=alps` or `#file=land.toml`.

import type { FileText } from "../protocol";

const FIRST = "alps";
const kept = (name: string) => `orogen-file:${name}`;
const draft = (name: string) => `orogen-unsaved:${name}`;

function named(): { name: string; gallery: string | null } {
  const [, what, name = ""] = /^#(gallery|file)=(.+)$/.exec(decodeURIComponent(location.hash)) ?? [];
  if (what === "file") return { name, gallery: null };
  const gallery = what === "gallery" && /^\w+$/.test(name) ? name : FIRST;
  return { name: `${gallery}.toml`, gallery };
}

/** Distinguishes versions; saving over another version than the last one is a conflict. */
function version(text: string): string {
  let hash = 0;
  for (let i = 0; i < text.length; i++) hash = (Math.imul(hash, 31) + text.charCodeAt(i)) | 0;
  return `${text.length}-${hash >>> 0}`;
}

let original: Promise<string> | undefined;

async function ofGallery(name: string): Promise<string> {
  const answer = await fetch(new URL(`../recipes/${name}.toml`, document.baseURI));
  if (!answer.ok) throw new Error(`the gallery has no recipe '${name}'`);
  return answer.text();
}

/** The document, as the server would give it. */
export async function documentOf(): Promise<FileText> {
  const { name, gallery } = named();
  const text = localStorage.getItem(kept(name)) ?? (gallery === null ? "" : await (original ??= ofGallery(gallery)));
  return { name, text, saved: version(text), draft: localStorage.getItem(draft(name)) };
}

export function fileOf({ name }: FileText): { name: string; id: string; writable: boolean } {
  return { name: name ?? "", id: `page:${name}`, writable: true };
}

/** `/api/document` and `/api/draft`. */
export async function changeDocument(method: string, path: string, body: string): Promise<Response> {
  const before = await documentOf();
  const name = before.name ?? "";
  if (method === "GET") return Response.json(before);
  const { text = "", over = null } = body ? (JSON.parse(body) as { text?: string; over?: string | null }) : {};
  try {
    if (path === "/api/draft") {
      if (method === "DELETE") localStorage.removeItem(draft(name));
      else localStorage.setItem(draft(name), text);
      return new Response(null, { status: 204 });
    }
    if (over !== before.saved) return Response.json(before, { status: 409 });
    localStorage.setItem(kept(name), text);
    localStorage.removeItem(draft(name));
    return Response.json({ saved: version(text) });
  } catch {
    return Response.json({ error: { message: "This browser keeps no data for this page; use Export to copy the text." } }, { status: 403 });
  }
}

/** Keeps a copy of a recipe's file in this browser, and opens it. */
export async function openFile(file: File): Promise<void> {
  localStorage.setItem(kept(file.name), await file.text());
  localStorage.removeItem(draft(file.name));
  location.hash = `#file=${encodeURIComponent(file.name)}`;
  location.reload();
}
