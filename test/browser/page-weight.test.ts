// The goal: the console is there at once, also over a slow line.
// The method: what a browser that was never there fetches, as it came over the wire; printed too.
import type { Page, Request } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { ConsoleSite } from "./console-kit.ts";

let site: ConsoleSite;

beforeAll(async () => {
  site = await ConsoleSite.open();
});
afterAll(async () => await site.close());

interface Weight {
  /** The console's own files, compressed as they came. */
  readonly bytes: number;
  /** The answers with data, each address once. They grow with the minutes and the hour of the day. */
  readonly dataBytes: number;
  /** Each address of data once, and all else as often as it was asked for. */
  readonly requests: number;
}

/** Weighs one load, and prints it; the time is this machine's, and nothing is asserted of it. */
async function weigh(what: string, page: Page, load: () => Promise<void>): Promise<Weight> {
  const asked = new Set<Request>();
  const weighed = new Set<string>();
  const sizes: Promise<{ url: string; size: number }>[] = [];
  page.on("request", (request) => asked.add(request));
  const weighOne = (request: Request) => {
    // Of the page before, something may still be under way.
    if (!asked.has(request) || weighed.has(request.url())) return;
    weighed.add(request.url());
    // What the browser still had is counted without its headers, below nothing.
    sizes.push(
      request.sizes().then(({ responseBodySize }) => ({
        url: request.url(),
        size: Math.max(0, responseBodySize),
      })),
    );
  };
  page.on("requestfinished", weighOne);
  await load();
  // What comes now would be asked for its size while its window closes.
  page.off("requestfinished", weighOne);
  const ms = Math.round(Number(await page.evaluate("performance.now()")));
  const came = await Promise.all(sizes);
  const total = (some: typeof came) => some.reduce((sum, { size }) => sum + size, 0);
  const bytes = total(came.filter(({ url }) => !isData(url)));
  const dataBytes = total(came.filter(({ url }) => isData(url)));
  // The page asks again for data that changes: on a slow machine, more often while it loads.
  const urls = [...asked].map((request) => request.url());
  const data = urls.filter(isData);
  const requests = urls.length - data.length + new Set(data).size;
  process.stdout.write(
    `${what}: ${bytes} and ${dataBytes} bytes in ${requests} requests, ready in ${ms} ms\n`,
  );
  return { bytes, dataBytes, requests };
}

const isData = (url: string) => new URL(url).pathname.startsWith("/v1/");

test("the first visit to the sign-in", async () => {
  const page = await site.openNew();
  const { bytes, requests } = await weigh("Sign-in", page, async () => {
    await page.goto("/console/");
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  });
  expect(bytes).toBeLessThan(71_000);
  expect(requests).toBeLessThanOrEqual(6);
});

test("the first visit to the overview with its charts", async () => {
  await site.gateway.alert({ action: "buy", symbol: "MNQ1!", qty: 1 });
  const page = await site.openFresh();
  await page.getByRole("img", { name: "Received to acknowledged" }).waitFor();
  const browser = await page.context().newCDPSession(page);
  await browser.send("Network.clearBrowserCache");
  const { bytes, dataBytes, requests } = await weigh("Overview", page, async () => {
    const charts = page.waitForEvent("requestfinished", (request) =>
      request.url().includes("/assets/uPlot"),
    );
    await page.reload();
    await page.getByRole("img", { name: "Received to acknowledged" }).waitFor();
    await charts;
  });
  expect(bytes).toBeLessThan(93_000);
  expect(dataBytes).toBeLessThan(10_000);
  expect(requests).toBeLessThanOrEqual(14);
});

test("a second visit fetches nothing again that has not changed", async () => {
  const page = await site.openNew();
  await page.goto("/console/#/sign-in");
  await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  const { bytes } = await weigh("Sign-in again", page, async () => {
    await page.reload();
    await page.getByRole("button", { name: "Sign in", exact: true }).waitFor();
  });
  expect(bytes).toBeLessThan(2_000);
});
