// Files that the page gives, and the clipboard.

import { tell } from "../state/store";

export function download(name: string, blob: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(blob);
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

export async function copy(text: string, what: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text);
    tell(`${what} copied.`);
  } catch {
    tell("The browser does not let this page write to the clipboard; select the text and copy it.", true);
  }
}
