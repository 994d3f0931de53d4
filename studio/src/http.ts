// The studio with a server: `orogen serve`.

import type { Transport } from "./transport";

export const http: Transport = {
  async ask(path, init) {
    try {
      return await fetch(path, { credentials: "same-origin", ...init });
    } catch (error) {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new Error("the server does not answer; is `orogen serve` still running?");
    }
  },
  asset: (name) => `/assets/${name}`,
  served: true,
};
