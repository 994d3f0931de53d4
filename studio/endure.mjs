// Whether the page or the server grows with use: `OROGEN=path node endure.mjs`. 300 movements of a slider, in drags of ten, and 50 pans.

import { readFile } from "node:fs/promises";
import { browse, open, recipe, serve, whole } from "./tests/studio.mjs";

const browser = await browse();
const server = await serve(await recipe("alps"));
const { page, context, errors } = await open(browser, server.url);
await whole(page);
const cdp = await context.newCDPSession(page);

async function sizes() {
  // What waits for a rest, such as drafts and small pictures, is done first.
  await page.waitForTimeout(3000);
  await whole(page);
  for (let i = 0; i < 3; i++) await cdp.send("HeapProfiler.collectGarbage");
  const { usedSize } = await cdp.send("Runtime.getHeapUsage");
  const { nodes } = await cdp.send("Memory.getDOMCounters");
  const rss = Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${server.child.pid}/status`, "utf8"))[1]) / 1024;
  return { heap: usedSize / 2 ** 20, nodes, rss };
}

async function move(first, count) {
  await page.evaluate(async ([from, to]) => {
    const canvas = document.querySelector("canvas.pixels");
    const map = document.querySelector(".map");
    const set = Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, "value").set;
    const until = (check) => new Promise((resolve) => {
      const look = () => (check() ? resolve() : requestAnimationFrame(look));
      look();
    });
    document.querySelector('.react-flow__node[data-id="node.bent"] header').dispatchEvent(new MouseEvent("click", { bubbles: true }));
    await until(() => document.querySelector('input[aria-label="bent strength"]'));
    const slider = document.querySelector('input[aria-label="bent strength"]');
    for (let i = from; i < to; i++) {
      const before = canvas.dataset.key;
      set.call(slider, String(300 + i));
      slider.dispatchEvent(new Event("input", { bubbles: true }));
      await until(() => canvas.dataset.key !== before && canvas.dataset.key !== "");
      if (i % 10 === 9) slider.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
      if (i % 6 === 0) {
        const key = ["ArrowRight", "ArrowDown"][(i / 6) % 2];
        map.dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
        await until(() => canvas.dataset.whole === "true");
      }
    }
  }, [first, first + count]);
}

await page.locator("select.layer").selectOption("output");
for (let done = 0; done <= 300; done += 100) {
  const { heap, nodes, rss } = await sizes();
  const [ofPage, ofServer] = [`${heap.toFixed(1)} MiB, ${nodes} DOM nodes`, `${rss.toFixed(0)} MiB`];
  console.log(`after ${String(done).padStart(3)} movements: heap of the page ${ofPage}; the server ${ofServer}`);
  if (done < 300) await move(done, 100);
}
console.log(errors.length === 0 ? "no errors" : errors.join("\n"));
await browser.close();
await server.stop();
