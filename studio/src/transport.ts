// The way from the page's requests to their answers: over HTTP to `orogen serve`, or by messages to workers of the page itself.

import type { LiveMessage } from "./protocol";

export interface Transport {
  /** Answers a request of PROTOCOL.md, as `fetch` does. Fails with the reason if there is no answer. */
  ask(path: string, init: RequestInit): Promise<Response>;
  /** The address of one of the page's own files. */
  asset(name: string): string;
  /** Whether there is a server: its events, its files and its folder for bakes. */
  served: boolean;
  /** Opens a recipe that the user chooses, if the page keeps its own files. */
  choose?(file: File): Promise<void>;
  /** Without a server: receives the messages about bakes. */
  listen?(take: (message: LiveMessage) => void): void;
  /** Without a server: chooses where the next bake goes, at a click. */
  bakeInto?(where: "zip" | "folder"): Promise<void>;
  /** Whether that can be a folder. */
  writesFolders?: boolean;
}

let chosen: Transport | undefined;

/** Called once, before anything is asked. */
export function useTransport(transport: Transport): void {
  chosen = transport;
}

export function transport(): Transport {
  if (!chosen) throw new Error("the page has no transport");
  return chosen;
}
