// The file: loading, saving, drafts, what other programs do to it meanwhile.

import * as server from "../server";
import { Conflict, faultOf } from "../server";
import { openText, recheck, setText } from "./actions";
import { dirty, get, subscribe, tell, update } from "./store";
import { sharedText } from "../share";
import { transport } from "../transport";

function draftKey(): string {
  return `orogen-draft:${get().about?.file?.id ?? ""}`;
}

export function remember(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The browser stores nothing; drafts next to the file remain.
  }
}

export function recall(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

export async function load(): Promise<void> {
  try {
    const [about, file] = await Promise.all([server.about(), server.fileText()]);
    update({ about, file: { name: file.name, saved: file.saved, text: file.text } });
    const shared = await sharedText();
    // A draft that never reached the server is newer than the server's.
    const draft = recall(draftKey()) ?? file.draft;
    if (shared !== null) {
      await openText(file.text, "opened");
      setText(shared, "opened from a link");
      history.replaceState(null, "", location.pathname);
      tell("Opened from a link; not saved yet.");
    } else {
      await openText(file.text, "opened");
      if (draft !== null && draft !== file.text) update({ draft });
    }
    // A file with a mistake has no graph yet.
    if (get().good === null && get().text.trim() !== "") update({ left: "text" });
    watchDraft();
  } catch (error) {
    update({ loadError: faultOf(error).message });
  }
}

export function takeDraft(): void {
  const { draft } = get();
  update({ draft: null });
  if (draft !== null) setText(draft, "draft taken up");
}

export function dropDraft(): void {
  update({ draft: null });
  remember(draftKey(), null);
  void server.keepDraft(null).catch((error: unknown) => tell(faultOf(error).message, true));
}

let draftTimer: ReturnType<typeof setTimeout> | undefined;

/** Stored in the browser until the server confirms it, so that a lost server loses nothing. */
function keepDraft(): void {
  const now = get();
  const text = dirty(now) ? now.text : null;
  // An offered draft is overwritten only after a decision, or once new work has begun.
  if (now.draft !== null && text === null) return;
  const key = draftKey();
  remember(key, text);
  server.keepDraft(text).then(() => {
    if (recall(key) === text) remember(key, null);
  }, () => {});
}

function watchDraft(): void {
  let last = get().text;
  let lastFile = get().file.text;
  subscribe(() => {
    const s = get();
    if (s.text === last && s.file.text === lastFile) return;
    last = s.text;
    lastFile = s.file.text;
    clearTimeout(draftTimer);
    draftTimer = setTimeout(keepDraft, 1000);
  });
  // A page that is closed within that second.
  addEventListener("pagehide", () => {
    const s = get();
    if (dirty(s)) remember(draftKey(), s.text);
  });
}

export async function save(): Promise<void> {
  const s = get();
  if (!s.about?.file) {
    tell("The studio was started without a recipe, so there is no file to save to. Use Export to copy the text.", true);
    return;
  }
  if (!s.about.file.writable) {
    tell(`${s.about.file.name} cannot be written.`, true);
    return;
  }
  const text = s.text;
  try {
    const saved = await server.saveFile(text, s.file.saved);
    update((now) => ({ file: { ...now.file, saved, text }, draft: null }));
    tell(transport().served ? "Saved." : "Saved in this browser. Export gives a file.");
  } catch (error) {
    if (error instanceof Conflict) conflict(error.theirs.text, error.theirs.saved);
    else tell(faultOf(error).message, true);
  }
}

function conflict(theirs: string, saved: string | null): void {
  update({ dialog: { kind: "conflict", theirs, saved } });
}

/** The file was changed by another program or page. */
export function fileChanged(text: string, saved: string): void {
  const s = get();
  if (saved === s.file.saved) return;
  if (text === s.text || !dirty(s)) {
    update({ file: { ...s.file, saved, text } });
    if (text !== s.text) {
      setText(text, "file changed", null, true);
      tell("The file was changed elsewhere; this is its new text. Undo restores the old one.");
    }
  } else {
    conflict(text, saved);
  }
}

/** Overwrites the other version, after confirmation. */
export async function keepMine(saved: string | null): Promise<void> {
  update((s) => ({ dialog: null, file: { ...s.file, saved } }));
  await save();
}

export function takeTheirs(theirs: string, saved: string | null): void {
  update((s) => ({ dialog: null, file: { ...s.file, saved, text: theirs } }));
  setText(theirs, "theirs taken");
  void recheck();
}

export function leaveBoth(theirs: string, saved: string | null): void {
  update((s) => ({ dialog: null, file: { ...s.file, saved, text: theirs } }));
}
