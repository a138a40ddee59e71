import { mkdtempSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { StaticFiles } from "../../../src/http/server/static-files.ts";
import { rawExchange, startApp } from "./http-kit.ts";

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(path.join(tmpdir(), "console-"));
  mkdirSync(path.join(folder, "assets"));
  writeFileSync(path.join(folder, "index.html"), "<!doctype html>the console");
  writeFileSync(path.join(folder, "assets/index-4f.js"), "export const one = 1;");
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const start = async (console = StaticFiles.read(folder)) => {
  const { url } = await startApp({ console });
  return async (method: string, asked: string, headers: Record<string, string> = {}) =>
    await fetch(`${url}${asked}`, { method, headers, redirect: "manual" });
};

describe("the console's pages", () => {
  test.each(["/", "/console"])("%s leads to them", async (asked) => {
    const ask = await start();
    for (const method of ["GET", "HEAD"]) {
      const { status, headers } = await ask(method, asked);
      expect([status, headers.get("location")]).toEqual([302, "/console/"]);
    }
  });

  test("they may load nothing of others, be in no frame, and make no text into code", async () => {
    const ask = await start();
    const { status, headers } = await ask("GET", "/console/");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("no-cache");
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
    expect(headers.get("permissions-policy")).toContain("publickey-credentials-get=(self)");
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      "script-src 'self'",
      "style-src 'self'",
      "img-src 'self' data:",
      "connect-src 'self'",
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
      "require-trusted-types-for 'script'",
      "trusted-types 'none'",
    ]);
  });

  test("what is named by its content is asked for once", async () => {
    const { port } = await startApp({ console: StaticFiles.read(folder) });
    const ask = async (more = "") => {
      const line = "GET /console/assets/index-4f.js HTTP/1.1\r\nHost: a\r\n";
      return await rawExchange(port, [`${line}${more}Connection: close\r\n\r\n`]);
    };
    const { head, body } = await ask();
    expect(body).toBe("export const one = 1;");
    expect(head).toContain("Cache-Control: public, max-age=31536000, immutable");
    const etag = /^ETag: (.*)$/m.exec(head)?.[1]?.trim() ?? "";
    const again = await ask(`If-None-Match: ${etag}\r\n`);
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test.each([
    ["GET", "/console/nope", 404],
    ["GET", "/console/assets/", 404],
    ["GET", "/console/..%2fpackage.json", 404],
    ["GET", "/consolation", 404],
    ["POST", "/console/", 405],
    ["DELETE", "/", 405],
    ["OPTIONS", "/console/", 204],
  ])("%s %s is a %s", async (method, asked, expected) => {
    const ask = await start();
    const { status, headers } = await ask(method, asked);
    expect(status).toBe(expected);
    expect(headers.get("allow")).toBe(expected === 404 ? null : "GET, HEAD, OPTIONS");
  });

  test("where nothing was built, that is what it says", async () => {
    const ask = await start(StaticFiles.read(path.join(folder, "none")));
    const answer = await ask("GET", "/console/");
    expect([answer.status, await answer.text()]).toEqual([
      503,
      "The console is not built. Run: npm run build\n",
    ]);
  });
});
