// Serves this folder on this machine, since browsers load no modules from files: node serve.mjs [PORT]

import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { extname, join, normalize } from "node:path";
import { fileURLToPath } from "node:url";

const HERE = fileURLToPath(new URL(".", import.meta.url));
const TYPES = { ".html": "text/html", ".js": "text/javascript", ".glsl": "text/plain" };

export async function serve(port = 0) {
  const server = createServer(async (question, answer) => {
    const name = normalize(decodeURIComponent(new URL(question.url, "http://host").pathname));
    try {
      const file = name.endsWith("/") ? `${name}index.html` : name;
      const bytes = await readFile(join(HERE, file));
      answer.writeHead(200, { "content-type": TYPES[extname(file)] ?? "application/octet-stream" }).end(bytes);
    } catch {
      answer.writeHead(404).end();
    }
  });
  await new Promise((ready, failed) => server.once("error", failed).listen(port, "127.0.0.1", ready));
  return { server, url: `http://127.0.0.1:${server.address().port}/` };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log((await serve(Number(process.argv[2] ?? 8080))).url);
}
