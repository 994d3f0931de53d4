// Firefox without a window, driven by WebDriver BiDi: Debian has neither geckodriver nor Playwright's Firefox. Needs Node's WebSocket
// (`--experimental-websocket` before Node 22).

import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Starts Firefox with an empty profile. */
export async function firefox({ width = 1280, height = 800 } = {}) {
  const profile = await mkdtemp(join(tmpdir(), "orogen-firefox-"));
  const args = ["--headless", "--no-remote", "--profile", profile, "--remote-debugging-port", "0", "about:blank"];
  const child = spawn(process.env.FIREFOX ?? "firefox-esr", args, { stdio: ["ignore", "ignore", "pipe"] });
  const ended = new Promise((resolve) => child.once("exit", resolve));
  const address = await new Promise((resolve, reject) => {
    let said = "";
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`firefox ended with ${code}: ${said}`)));
    child.stderr.on("data", (bytes) => {
      said += bytes;
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said);
      if (found) resolve(found[1]);
    });
  });
  const socket = new WebSocket(`${address}/session`);
  await new Promise((resolve, reject) => Object.assign(socket, { onopen: resolve, onerror: () => reject(new Error(`no connection to ${address}`)) }));
  const waiting = new Map();
  const errors = [];
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(data);
    const call = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.type === "success") call?.resolve(message.result);
    else if (message.type === "error") call?.reject(new Error(`${call.method}: ${message.message}`));
    else if (message.method === "log.entryAdded" && message.params.level === "error") errors.push(message.params.text);
  };
  let last = 0;
  const send = (method, params = {}) => new Promise((resolve, reject) => {
    waiting.set(++last, { method, resolve, reject });
    socket.send(JSON.stringify({ id: last, method, params }));
  });
  await send("session.new", { capabilities: {} });
  await send("session.subscribe", { events: ["log.entryAdded"] });
  const { contexts: [{ context }] } = await send("browsingContext.getTree");
  await send("browsingContext.setViewport", { context, viewport: { width, height } });

  /** The value of an expression in the page, as JSON carries it; a promise is awaited. */
  const evaluate = async (expression) => {
    const text = `(async () => JSON.stringify(await (${expression})) ?? "null")()`;
    const found = await send("script.evaluate", { expression: text, target: { context }, awaitPromise: true });
    if (found.type === "exception") throw new Error(`${expression}: ${found.exceptionDetails.text}`);
    return JSON.parse(found.result.value);
  };
  return {
    errors,
    evaluate,
    open: (url) => send("browsingContext.navigate", { context, url, wait: "complete" }),
    async until(expression, limit = 60_000) {
      for (const start = performance.now(); performance.now() - start < limit;) {
        const found = await evaluate(expression);
        if (found) return found;
        await new Promise((resolve) => setTimeout(resolve, 100));
      }
      throw new Error(`not within ${limit} ms: ${expression}; errors: ${errors.join("; ")}`);
    },
    async picture() {
      const { data } = await send("browsingContext.captureScreenshot", { context });
      return Buffer.from(data, "base64");
    },
    async close() {
      await send("browser.close").catch(() => {});
      socket.close();
      if (child.exitCode === null) setTimeout(() => child.kill("SIGKILL"), 5000).unref();
      await ended;
      await rm(profile, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
