import "./source.full.js";
import { work } from "./work.js";

const port = self as unknown as { postMessage(message: unknown, moved: ArrayBuffer[]): void };
self.addEventListener("message", (event) => void work(event.data, (reply, moved) => port.postMessage(reply, moved)));
