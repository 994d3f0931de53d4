// Checks that neither the page nor the server grows with use: `OROGEN=path node endure.mjs [MINUTES]`. A round is 100 movements
// of a slider in drags of ten, pans, opening and closing the relief, and five steps of undo and redo. It runs three rounds, or
// the number that fits into the given minutes.

import { readFile } from "node:fs/promises";
import { browse, hand, open, recipe, serve, whole } from "./tests/studio.mjs";

const browser = await browse();
const server = await serve(await recipe("alps"));
const { page, context, errors } = await open(browser, server.url);
await whole(page);
const cdp = await context.newCDPSession(page);

async function sizes() {
  // Drafts and small pictures, which wait for an idle moment, are finished first.
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
      await slide(300 + (i % 300));
      if (i % 10 === 9) slider.dispatchEvent(new PointerEvent("pointerup", { bubbles: true }));
      if (i % 6 === 0) {
        const key = ["ArrowRight", "ArrowDown"][(i / 6) % 2];
        document.querySelector(".map").dispatchEvent(new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true }));
        await whole();
      }
    }
  }, [first, first + count]);
}

/** The other actions of a person between drags. */
async function look() {
  const relief = page.locator('button[aria-label="3D relief"]');
  await relief.click();
  await page.locator("canvas.mesh[data-drawn]").waitFor();
  await relief.click();
  await page.locator(".map").focus();
  for (let i = 0; i < 5; i++) await page.keyboard.press("Control+z");
  for (let i = 0; i < 5; i++) await page.keyboard.press("Control+Shift+Z");
  await whole(page);
}

await page.locator("select.layer").selectOption("output");
const minutes = Number(process.argv[2] ?? 0);
const start = Date.now();
let said = -Infinity;
for (let round = 0; ; round++) {
  const past = (Date.now() - start) / 60_000;
  const last = minutes > 0 ? past >= minutes : round === 3;
  if (minutes === 0 || last || past >= said + minutes / 12) {
    const { heap, nodes, rss } = await sizes();
    const [ofPage, ofServer] = [`${heap.toFixed(1)} MiB, ${nodes} DOM nodes`, `${rss.toFixed(0)} MiB`];
    console.log(`${past.toFixed(1)} min, ${100 * round} movements: heap of the page ${ofPage}; the server ${ofServer}`);
    said = past;
  }
  if (last) break;
  await move(100 * round, 100);
  await look();
}
console.log(errors.length === 0 ? "no errors" : errors.join("\n"));
await browser.close();
await server.stop();
