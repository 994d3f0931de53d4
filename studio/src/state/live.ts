// The socket: what happens elsewhere. It comes back by itself when it is lost.

import type { LiveMessage } from "../protocol";
import { fileText, iAm, Refused } from "../server";
import { atWork, onText, recheck, setText, settled } from "./actions";
import { fileChanged } from "./document";
import { transport } from "../transport";
import { dirty, get, tell, update } from "./store";

let socket: WebSocket | null = null;
let wait = 500;
let first = true;
/** The number of this page at the server: events caused by this page are ignored here. */
let me: number | null = null;

function tellWork(): void {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ work: { text: get().text } }));
}

export function connect(): void {
  const { served, listen } = transport();
  listen?.(hear);
  if (!served) return;
  onText((byEdit) => {
    if (!byEdit) tellWork();
  });
  open();
}

function open(): void {
  const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  socket = made;
  made.onopen = () => {
    wait = 500;
    update({ online: true, stale: false });
    if (!first) void again();
    first = false;
  };
  made.onmessage = (event) => {
    try {
      hear(JSON.parse(String(event.data)) as LiveMessage);
    } catch (error) {
      console.warn("a live message that could not be read", error);
    }
  };
  made.onclose = () => {
    iAm((me = null));
    update({ online: false });
    void whyNot();
    setTimeout(open, wait);
    wait = Math.min(wait * 2, 5000);
  };
}

/** A socket does not say why it was refused; a request does: a server that was started anew has another token. */
async function whyNot(): Promise<void> {
  try {
    await fileText();
  } catch (error) {
    if (error instanceof Refused && error.status === 403) update({ stale: true });
  }
}

/** The server may have been restarted: it receives the current recipe, and the file may have changed in the meantime. */
async function again(): Promise<void> {
  await settled();
  await recheck();
  try {
    const { text, saved } = await fileText();
    if (saved !== null) fileChanged(text, saved);
  } catch {
    // The socket is lost again, and so will this come again.
  }
  if (dirty(get())) tellWork();
}

function hear(message: LiveMessage): void {
  const s = get();
  if (message.hello) iAm((me = message.hello.page));
  if (message.engine && s.about) {
    update({ about: { ...s.about, engine: message.engine } });
    tell(`Now computing on ${message.engine.backend}${message.engine.why ? `: ${message.engine.why}` : ""}.`);
  }
  if (message.bake) update({ bake: message.bake });
  if (message.file) fileChanged(message.file.text, message.file.saved);
  const news = message.set ?? message.recipe;
  if (news) adopt(message.by !== null && message.by === me ? null : news.text);
}

/** The latest text of another page, until it is taken; null where the latest is this page's own. */
let theirs: string | null = null;
let taking = false;

/**
 * All pages receive all changes in the same order, and the last one wins. During edits in this page, a change from another waits
 * until they pause; it is dropped if the last change was made here.
 */
function adopt(text: string | null): void {
  theirs = text;
  if (text !== null && !taking) void take();
}

async function take(): Promise<void> {
  taking = true;
  do {
    await settled();
    // Changes in quick succession are taken at once, and the picture follows the last.
    await new Promise((resolve) => setTimeout(resolve, atWork() ? 200 : 30));
  } while (atWork() && theirs !== null);
  taking = false;
  if (theirs !== null && theirs !== get().text) setText(theirs, "another page", "another page", true);
  theirs = null;
}
