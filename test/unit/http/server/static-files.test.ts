import { mkdir, writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { gzipSync } from "node:zlib";
import Koa from "koa";
import { expect, onTestFinished, test } from "vitest";
import type { RequestState } from "../../../../src/http/answer.ts";
import { StaticFiles } from "../../../../src/http/server/static-files.ts";
import { temporaryFolder } from "../../../support/temporary-folder.ts";

const PAGE = "<!doctype html><title>Page</title>";
const SCRIPT = "export const answer = 42;\n".repeat(20);

/** Node's fetch would ask for no answer from any memory once a tag is named. */
const AS_BROWSERS = { "cache-control": "max-age=0" };

/** Serves a folder with a page, a script that the build has compressed, and what is no page's. */
async function serve() {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "assets"));
  const files: readonly (readonly [string, string | Buffer])[] = [
    ["index.html", PAGE],
    ["assets/index-4f.js", SCRIPT],
    ["assets/index-4f.js.gz", gzipSync(SCRIPT)],
    ["secrets.pem", "not for the world"],
  ];
  for (const [name, content] of files) await writeFile(path.join(folder, name), content);
  const served = StaticFiles.read(folder);
  const app = new Koa<RequestState>();
  app.use(async (ctx) => {
    if (!served.answer(ctx, ctx.path.slice(1), { "X-Page": "yes" })) ctx.status = 404;
  });
  const handle = app.callback();
  const server = createServer((request, response) => void handle(request, response));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return (name: string, headers: Record<string, string> = {}, method = "GET") =>
    fetch(`http://127.0.0.1:${port}/${name}`, {
      method,
      headers: { "accept-encoding": "identity", ...headers },
    });
}

test("a page is asked for anew each time, an asset never", async () => {
  const get = await serve();
  const page = await get("index.html");
  expect(await page.text()).toBe(PAGE);
  expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
  expect(page.headers.get("cache-control")).toBe("no-cache");
  expect(page.headers.get("x-page")).toBe("yes");
  const script = await get("assets/index-4f.js");
  expect(script.headers.get("content-type")).toBe("text/javascript; charset=utf-8");
  expect(script.headers.get("cache-control")).toContain("immutable");
});

test("one that is known already is not sent again", async () => {
  const get = await serve();
  const tag = (await get("index.html")).headers.get("etag") ?? "";
  const known = await get("index.html", { "if-none-match": tag, ...AS_BROWSERS });
  expect([known.status, await known.text()]).toEqual([304, ""]);
  expect(known.headers.get("etag")).toBe(tag);
  expect((await get("index.html", { "if-none-match": '"other"', ...AS_BROWSERS })).status).toBe(
    200,
  );
});

test("a compressed copy goes to those who take it, under a tag of its own", async () => {
  const get = await serve();
  const zipped = await get("assets/index-4f.js", { "accept-encoding": "br, gzip" });
  expect(zipped.headers.get("content-encoding")).toBe("gzip");
  expect(zipped.headers.get("vary")).toBe("Accept-Encoding");
  // The client has unpacked it.
  expect(await zipped.text()).toBe(SCRIPT);
  expect(Number(zipped.headers.get("content-length"))).toBe(gzipSync(SCRIPT).length);
  const plain = await get("assets/index-4f.js", { "accept-encoding": "gzip;q=0" });
  expect(plain.headers.get("content-encoding")).toBeNull();
  expect(plain.headers.get("etag")).not.toBe(zipped.headers.get("etag"));
});

test("HEAD tells the length alone", async () => {
  const get = await serve();
  const head = await get("index.html", {}, "HEAD");
  expect([head.status, await head.text()]).toEqual([200, ""]);
  expect(head.headers.get("content-length")).toBe(String(PAGE.length));
});

test.each([
  "secrets.pem",
  "assets/../index.html/..%2f..%2fetc/passwd",
  "%2e%2e/package.json",
  "assets",
  "",
  "index.html%00.js",
  "INDEX.html",
  "__proto__",
])("%j is not there", async (name) => {
  expect((await (await serve())(name)).status).toBe(404);
});

test.each(["POST", "DELETE"])("%s changes nothing", async (method) => {
  expect((await (await serve())("index.html", {}, method)).status).toBe(404);
});

test("a folder that was never built has no files", async () => {
  const folder = path.join(await temporaryFolder(), "nothing");
  expect(StaticFiles.read(folder).has("index.html")).toBe(false);
});
