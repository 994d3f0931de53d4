// Several pages on one recipe, and servers that come and go.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { browse, card, drag, open, SMALL, studio as opened, text, until, whole } from "./studio.mjs";

let browser;
before(async () => {
  browser = await browse();
});
after(() => browser.close());

const studio = (t) => opened(t, browser, SMALL);

/** Another page in a window of its own: of two in one window, the hidden one is slow. */
async function second(t, server) {
  const { page, context } = await open(browser, server.url);
  t.after(() => context.close());
  await whole(page);
  return page;
}

/** Counts the edits that a page requests, and collects the page identifiers of the requests. */
function listen(page) {
  const heard = { edits: 0, pages: new Set() };
  page.on("request", (request) => {
    if (!request.url().endsWith("/api/edit")) return;
    heard.edits++;
    heard.pages.add(request.headers()["x-orogen-page"]);
  });
  return heard;
}

const steps = (page) => page.locator(".history li").count();

test("two pages work on one recipe; only the one where something is done makes edits", async (t) => {
  const { server, page, errors } = await studio(t);
  const other = await second(t, server);
  const [here, there] = [listen(page), listen(other)];
  await page.click(card("bumps"));
  await page.keyboard.press("F2");
  await page.keyboard.type("waves");
  await page.keyboard.press("Enter");
  await other.waitForSelector(card("waves"));
  assert.equal(await text(other), await text(page));
  // A live parameter too: its text is taken, and nothing is edited a second time.
  await page.click(card("hills"));
  await drag(page, "hills gain", 0.9);
  await until(async () => /gain = /.test(await text(page)) && (await text(other)) === (await text(page)), "the other page's slider");
  assert.ok(here.edits >= 2);
  assert.equal(there.edits, 0);
  assert.equal(here.pages.size, 1);
  assert.match([...here.pages][0], /^\d+$/);
  // A page's own edits come back as messages, which are not new steps: a rename and a drag are two steps.
  await page.click("#tab-panel-history");
  assert.equal(await steps(page), 3);
  // And back: what the other page does is taken here.
  await other.click(card("hills"));
  await drag(other, "hills gain", 0.2);
  await until(async () => (await text(other)) === (await text(page)), "its answer");
  assert.ok(there.edits > 0);
  assert.notDeepEqual([...there.pages], [...here.pages]);
  assert.deepEqual(errors, []);
});

test("a slider does not move by itself while it is dragged", async (t) => {
  const { server, page } = await studio(t);
  const other = await second(t, server);
  await page.click(card("hills"));
  await other.click(card("hills"));
  await Promise.all([drag(page, "hills gain", 0.9, 20), drag(other, "hills octaves", 0.2, 12)]);
  const mine = Number(await page.locator('input[type=range][aria-label="hills gain"]').inputValue());
  assert.ok(mine > 0.5, `the hand left it at ${mine}`);
  await until(async () => (await text(other)) === (await text(page)), "both pages at rest");
});

test("after a restart of the server the page shows a message and loses nothing", async (t) => {
  const { server, page, context } = await studio(t);
  await page.click(card("hills"));
  await drag(page, "hills gain", 0.9);
  await page.waitForSelector(".savestate.changed");
  await server.again();
  await page.waitForSelector(".offer:has-text('new token')");
  // Text that is typed meanwhile reaches no server.
  await page.click("#tab-text");
  await page.click(".cm-line:has-text('octaves = 5')");
  await page.keyboard.press("End");
  await page.keyboard.press("Backspace");
  await page.keyboard.type("4");
  const mine = await text(page);
  assert.match(mine, /octaves = 4/);
  await page.waitForTimeout(1200);
  const { page: next } = await open(browser, server.url, {}, context);
  await next.waitForSelector(".offer:has-text('unsaved work')");
  await next.click(".offer >> text=Take it up");
  await until(async () => (await text(next)) === mine, "the draft");
  // The new address is the browser's now: the old page comes back, too.
  await page.bringToFront();
  await page.waitForSelector(".offer", { state: "detached", timeout: 15_000 });
  await until(async () => (await text(page)) === mine, "the old page's text");
  await page.click(card("hills"));
  await drag(page, "hills gain", 0.3);
  await whole(page);
  const last = await text(page);
  await next.bringToFront();
  await until(async () => (await text(next)) === last, "the new page follows the old");
});
