// Measures the speed of the studio: `OROGEN=path node measure.mjs`. Times are from the page's own clock.

import { browse, hand, open, recipe, serve, whole } from "./tests/studio.mjs";

const text = await recipe("alps");
const browser = await browse();
const sorted = (list) => [...list].sort((a, b) => a - b);
const at = (list, share) => sorted(list)[Math.min(list.length - 1, Math.floor(share * list.length))];

for (const size of [512, 1024]) {
  const server = await serve(text);
  const started = performance.now();
  const { page, context } = await open(browser, server.url, { viewport: { width: size + 760, height: size + 220 } });
  // The canvas has the measured size, regardless of the page around it.
  await page.addStyleTag({ content: `.map { right: auto !important; bottom: auto !important; width: ${size}px; height: ${size}px; }` });
  await page.waitForFunction(() => document.querySelector("canvas.pixels")?.dataset.key, null, { polling: 10 });
  const first = performance.now() - started;
  await whole(page);
  const settled = performance.now() - started;
  await page.waitForTimeout(4000);
  await page.locator("select.layer").selectOption("output");
  await whole(page);
  // From one movement of a slider to the next picture: coarse picture painted, the following frame (certainly visible),
  // complete picture.
  await hand(page);
  const [painted, seen, fine] = await page.evaluate(async () => {
    const times = [[], [], []];
    for (let i = 0; i < 30; i++) {
      const begun = performance.now();
      times[0].push((await window.hand.slide(520 + 7 * i)) - begun);
      times[1].push(performance.now() - begun);
      await window.hand.whole();
      times[2].push(performance.now() - begun);
    }
    return times;
  });
  const rate = await page.evaluate(async () => {
    const { text: source } = await (await fetch("/api/document")).json();
    const { id } = await (await fetch("/api/check", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify({ text: source }) })).json();
    const begun = performance.now();
    let next = 0;
    const worker = async () => {
      while (next < 48) {
        const i = next++;
        await (await fetch(`/api/samples/${id}/height?x=${(i % 8) * 256 + 10_000}&y=${(i >> 3) * 256}&width=256&height=256&spacing=1&level=0&z=0`)).arrayBuffer();
      }
    };
    await Promise.all([worker(), worker(), worker()]);
    return (48 * 1000) / (performance.now() - begun);
  });
  const ms = (n) => `${n.toFixed(0)} ms`;
  console.log(`${size}²: first picture ${ms(first)}, whole ${ms(settled)}; slider to pixels: median ${ms(at(painted, 0.5))}, p95 ${ms(at(painted, 0.95))}; ` +
    `to the frame after: median ${ms(at(seen, 0.5))}, p95 ${ms(at(seen, 0.95))}; ` +
    `to the whole picture: median ${ms(at(fine, 0.5))}, p95 ${ms(at(fine, 0.95))}; ${rate.toFixed(0)} tiles of 256² a second`);
  await context.close();
  await server.stop();
}
await browser.close();
