// Whether the page or the server grows with use: `OROGEN=path node endure.mjs`. 300 movements of a slider, in drags of ten, and 50 pans.

import { readFile } from "node:fs/promises";
import { browse, hand, open, recipe, serve, whole } from "./tests/studio.mjs";

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
  await hand(page);
  await page.evaluate(async ([from, to]) => {
    const { slide, slider, whole } = window.hand;
    for (let i = from; i < to; i++) {
      await slide(300 + i);
      if (i % 10 === 9) slider.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
      if (i % 6 === 0) {
        const key = ["ArrowRight", "ArrowDown"][(i / 6) % 2];
        document.querySelector(".map").dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
        await whole();
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
