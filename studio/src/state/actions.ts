// All changes of the recipe: edits made by the server, typed text, undo. The text is authoritative; everything else follows
// from it.

import type { Checked, Edit } from "../protocol";
import * as server from "../server";
import { faultOf } from "../server";
import { get, tell, update, type Revision } from "./store";
import { items, same } from "./recipe";

let revisionKey = 0;
/** Steps with the same key become one: a drag of a slider, a run of typing. */
let lastMerge: { key: string; time: number } | null = null;
/** A pause in typing begins another step; a drag ends when it is let go. */
const PAUSE = 1500;
const HELD = 15_000;

/** Called with every text that this page has made, so that the server and other pages learn of it. */
let announce: (byEdit: boolean) => void = () => {};

export function onText(listener: (byEdit: boolean) => void): void {
  announce = listener;
}

function pushed(text: string, label: string, merge: string | null, id: string | null): { history: Revision[]; at: number } {
  const { history, at } = get();
  const now = Date.now();
  const merges = merge !== null && lastMerge?.key === merge && now - lastMerge.time < (merge === "typing" ? PAUSE : HELD) && at === history.length - 1 && at > 0;
  lastMerge = merge === null ? null : { key: merge, time: now };
  const revision = { key: ++revisionKey, text, label, time: now, id };
  const kept = history.slice(0, merges ? at : at + 1);
  return { history: [...kept, revision], at: kept.length };
}

/** Identifies a drag: pending edits that belong to it stay with it, and do not join the next one. */
let serial = 0;

/** The end of a drag: what comes next is a step of its own. */
export function endStep(): void {
  serial++;
}

function take(checked: Checked, text: string): void {
  if (text !== get().text) return;
  if (!checked.ok) {
    update({ fault: checked.error, checking: false });
    return;
  }
  update((s) => {
    const alive = items(checked.recipe);
    const selection = s.selection.filter((item) => alive.some((other) => same(item, other)));
    const history = s.history.map((r, i) => (i === s.at && r.id === null ? { ...r, id: checked.id } : r));
    return { good: checked, fault: null, checking: false, history, ...(selection.length === s.selection.length ? {} : { selection }) };
  });
}

let checks = 0;
let checkLater: ReturnType<typeof setTimeout> | undefined;

/** Checks the text in work; a later check wins over an earlier one. */
export async function recheck(): Promise<void> {
  clearTimeout(checkLater);
  const mine = ++checks;
  const text = get().text;
  update({ checking: true });
  try {
    const checked = await server.check(text);
    if (mine === checks) take(checked, text);
  } catch (error) {
    if (mine === checks) update({ fault: faultOf(error), checking: false });
  }
}

/** Another text, typed or opened: one more step of history. */
export function setText(text: string, label: string, merge: string | null = null, quiet = false): void {
  if (text === get().text && get().at >= 0) return;
  update({ text, ...pushed(text, label, merge, null) });
  if (!quiet) announce(false);
  clearTimeout(checkLater);
  if (merge === "typing") {
    lastEdit = Date.now();
    checkLater = setTimeout(() => void recheck(), 120);
  } else {
    void recheck();
  }
}

/** The first text: nothing to undo before it. */
export function openText(text: string, label: string): Promise<void> {
  update({ text, history: [{ key: ++revisionKey, text, label, time: Date.now(), id: null }], at: 0 });
  lastMerge = null;
  return recheck();
}

function goTo(at: number): void {
  const revision = get().history[at];
  if (!revision) return;
  lastMerge = null;
  update({ text: revision.text, at });
  announce(false);
  void recheck();
}

export function undo(): void {
  if (queue.length === 0 && !busy) goTo(get().at - 1);
  else void settled().then(() => goTo(get().at - 1));
}

export function redo(): void {
  goTo(get().at + 1);
}

export function goToRevision(key: number): void {
  goTo(get().history.findIndex((r) => r.key === key));
}

/** Whether the recipe is being edited in this page, or was a moment ago. */
export function atWork(): boolean {
  return Date.now() - lastEdit < 1500;
}

interface Pending { edits: Edit[]; label: string; merge: string | null; done: (made: boolean) => void }

const queue: Pending[] = [];
let busy = false;
let lastEdit = 0;
let waiting: (() => void)[] = [];

export function settled(): Promise<void> {
  return busy || queue.length > 0 ? new Promise((resolve) => waiting.push(resolve)) : Promise.resolve();
}

/**
 * Asks the server for the text after these edits. One request is in flight at a time; edits with the same `merge` that wait
 * give way to the latest.
 */
export function change(edits: Edit[], label: string, drag: string | null = null): Promise<boolean> {
  lastEdit = Date.now();
  const merge = drag === null ? null : `${drag}#${serial}`;
  return new Promise((done) => {
    const last = queue.at(-1);
    if (merge !== null && last?.merge === merge) {
      last.done(true);
      queue[queue.length - 1] = { edits, label, merge, done };
    } else {
      queue.push({ edits, label, merge, done });
    }
    void work();
  });
}

async function work(): Promise<void> {
  if (busy) return;
  busy = true;
  for (let next = queue.shift(); next; next = queue.shift()) next.done(await make(next));
  busy = false;
  for (const resolve of waiting.splice(0)) resolve();
}

async function make(pending: Pending): Promise<boolean> {
  for (let tries = 0; tries < 3; tries++) {
    const before = get().text;
    try {
      const { text, checked } = await server.edit(before, pending.edits);
      // The text was edited in the meantime: the edit is repeated on the current text.
      if (get().text !== before) continue;
      clearTimeout(checkLater);
      checks++;
      lastEdit = Date.now();
      if (text !== before) {
        update({ text, ...pushed(text, pending.label, pending.merge, checked.ok ? checked.id : null) });
        announce(true);
      }
      take(checked, text);
      return true;
    } catch (error) {
      tell(faultOf(error).message, true);
      return false;
    }
  }
  return false;
}
