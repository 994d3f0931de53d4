// Links that hold a recipe: its text, deflated, in the URL's fragment, which browsers do not send to servers.

async function through(bytes: Uint8Array<ArrayBuffer>, way: CompressionStream | DecompressionStream): Promise<Uint8Array<ArrayBuffer>> {
  const stream = new Blob([bytes]).stream().pipeThrough(way);
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

export async function shareLink(text: string): Promise<string> {
  const packed = await through(new TextEncoder().encode(text), new CompressionStream("deflate-raw"));
  let letters = "";
  for (const byte of packed) letters += String.fromCharCode(byte);
  const safe = btoa(letters).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
  return `${location.origin}${location.pathname}#recipe=${safe}`;
}

/** The text in this page's link; null if there is no readable one. */
export async function sharedText(): Promise<string | null> {
  const found = /^#recipe=([\w-]+)$/.exec(location.hash)?.[1];
  if (!found) return null;
  try {
    const letters = atob(found.replaceAll("-", "+").replaceAll("_", "/"));
    const packed = Uint8Array.from(letters, (c) => c.charCodeAt(0));
    return new TextDecoder().decode(await through(packed, new DecompressionStream("deflate-raw")));
  } catch {
    return null;
  }
}
