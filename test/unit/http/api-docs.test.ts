import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { createHttpApp } from "../../../src/http/http-app.ts";
import { StaticFiles } from "../../../src/http/server/static-files.ts";
import { temporaryFolder } from "../../support/temporary-folder.ts";
import { call } from "../../support/http-client.ts";
import { startApp } from "./http-kit.ts";

const PAGE = "<!doctype html><title>API</title>";
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** The app with a page, as the build would have made it. */
async function start() {
  const folder = await temporaryFolder();
  await mkdir(path.join(folder, "assets"));
  await writeFile(path.join(folder, "index.html"), PAGE);
  await writeFile(path.join(folder, "schema.ts"), "export interface paths {}\n");
  const { deps } = await startApp();
  const app = createHttpApp({ ...deps, apiDocs: StaticFiles.read(folder) });
  const { port } = await app.start({ host: "127.0.0.1", port: 0 });
  onTestFinished(() => app.stop({ deadlineMs: 0 }));
  return (route: string, accept: string, method = "GET") =>
    call(`http://127.0.0.1:${port}`, method, route, { headers: { accept } });
}

test.each([
  ["a browser", BROWSER, "text/html; charset=utf-8"],
  ["who wants HTML", "text/html", "text/html; charset=utf-8"],
  ["a program", "application/json", "application/json; charset=utf-8"],
  ["who takes anything", "*/*", "application/json; charset=utf-8"],
  ["who takes neither", "image/png", "application/json; charset=utf-8"],
])("/api-docs answers %s in its own way", async (_, accept, type) => {
  const { status, headers, text } = await (await start())("/api-docs", accept);
  expect([status, headers.get("content-type")]).toEqual([200, type]);
  expect(headers.get("vary")).toContain("Accept");
  expect(text.startsWith(type.startsWith("text/html") ? PAGE : '{"openapi":"3.1.0"')).toBe(true);
});

test("the page may load and ask nothing but what is here, and is nobody's frame", async () => {
  const { headers } = await (await start())("/api-docs", BROWSER);
  const policy = headers.get("content-security-policy") ?? "";
  expect(policy).toContain("default-src 'none'");
  expect(policy).toContain("frame-ancestors 'none'");
  expect(policy).not.toMatch(/unsafe|https?:|\*/);
  expect(headers.get("x-content-type-options")).toBe("nosniff");
});

test("the types lie beside it, and the page under one address only", async () => {
  const get = await start();
  const types = await get("/api-docs/schema.ts", "*/*");
  expect([types.status, types.headers.get("content-type")]).toEqual([
    200,
    "text/plain; charset=utf-8",
  ]);
  expect((await get("/api-docs/index.html", BROWSER)).status).toBe(404);
  expect((await get("/api-docs", BROWSER, "POST")).status).toBe(405);
});

test("without a build, a browser gets the document", async () => {
  const { url } = await startApp();
  const { headers } = await call(url, "GET", "/api-docs", { headers: { accept: BROWSER } });
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
});
