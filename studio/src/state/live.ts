// The socket: what happens elsewhere. It comes back by itself when it is lost.

import type { LiveMessage, Value } from "../protocol";
import { atWork, change, onText, setText, settled } from "./actions";
import { fileChanged } from "./document";
import { get, tell, update } from "./store";

/** Texts that this page has made lately: the server tells of them too, and they are no news here. */
const own: string[] = [];
let socket: WebSocket | null = null;
let wait = 500;

function note(text: string): void {
  own.push(text);
  if (own.length > 64) own.shift();
}

export function connect(): void {
  onText((text, byEdit) => {
    note(text);
    if (!byEdit && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify({ work: { text } }));
  });
  open();
}

function open(): void {
  const made = new WebSocket(`${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/live`);
  socket = made;
  made.onopen = () => {
    wait = 500;
    update({ online: true });
  };
  made.onmessage = (event) => {
    try {
      hear(JSON.parse(String(event.data)) as LiveMessage);
    } catch (error) {
      console.warn("a live message that could not be read", error);
    }
  };
  made.onclose = () => {
    update({ online: false });
    setTimeout(open, wait);
    wait = Math.min(wait * 2, 10_000);
  };
}

function hear(message: LiveMessage): void {
  const s = get();
  if (message.engine && s.about) {
    update({ about: { ...s.about, engine: message.engine } });
    tell(`Now computing on ${message.engine.backend}${message.engine.why ? `: ${message.engine.why}` : ""}.`);
  }
  if (message.bake) update({ bake: message.bake });
  if (message.file) fileChanged(message.file.text, message.file.saved);
  if (message.recipe) adopt(message.recipe.text);
  if (message.set) follow(message.set.name, message.set.value);
}

/** Another page's text. One's own edits are told of too, often before their answer has come. */
function adopt(text: string): void {
  void settled().then(() => {
    if (text === get().text || own.includes(text)) return;
    note(text);
    setText(text, "another page", "another page", true);
  });
}

let followTimer: ReturnType<typeof setTimeout> | undefined;

/** Another page moved a parameter. Who moves one here does not want it moved under the hand. */
function follow(name: string, value: Value): void {
  const dot = name.lastIndexOf(".");
  const [item, param] = [name.slice(0, dot), name.slice(dot + 1)];
  const recipe = get().good?.recipe;
  const table = recipe?.node[item] ? "node" : "stage";
  const row = recipe?.[table][item];
  if (!row || JSON.stringify(row[param]) === JSON.stringify(value) || atWork()) return;
  clearTimeout(followTimer);
  followTimer = setTimeout(() => {
    const now = get().good?.recipe[table][item];
    if (!now || atWork() || JSON.stringify(now[param]) === JSON.stringify(value)) return;
    void change([{ op: "set", table, name: item, param, value }], "another page", `another ${name}`, false);
  }, 300);
}
