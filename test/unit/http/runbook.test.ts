import { hash } from "node:crypto";
import path from "node:path";
import { describe, expect, test } from "vitest";
import { StaticFiles } from "../../../src/http/server/static-files.ts";
import { ROOT } from "../../support/source-tree.ts";
import { rawExchange, startApp } from "./http-kit.ts";

const FOLDER = path.join(ROOT, "grafana/prometheus/consoles");

async function start(runbook = StaticFiles.read(FOLDER)) {
  const { url, port } = await startApp({ runbook });
  return { port, ask: async (method: string) => await fetch(`${url}/runbook`, { method }) };
}

describe("the runbook's page", () => {
  test("it is read again only if it has changed", async () => {
    const { ask, port } = await start();
    const { status, headers } = await ask("GET");
    expect([status, headers.get("content-type")]).toEqual([200, "text/html; charset=utf-8"]);
    expect(headers.get("cache-control")).toBe("no-cache");
    const again = await rawExchange(port, [
      `GET /runbook HTTP/1.1\r\nHost: a\r\nIf-None-Match: ${headers.get("etag")}\r\nConnection: close\r\n\r\n`,
    ]);
    expect([again.status, again.body]).toEqual([304, ""]);
  });

  test("it may load and run nothing, and its own style is the only one", async () => {
    const { ask } = await start();
    const answer = await ask("GET");
    const [, style = ""] = /<style>(.*?)<\/style>/s.exec(await answer.text()) ?? [];
    expect(style).toContain("h2:target");
    const { headers } = answer;
    expect(headers.get("content-security-policy")?.split("; ")).toEqual([
      "default-src 'none'",
      `style-src 'sha256-${hash("sha256", style, "base64")}'`,
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get("x-content-type-options")).toBe("nosniff");
    expect(headers.get("referrer-policy")).toBe("no-referrer");
    expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
    expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
  });

  test.each([
    ["HEAD", 200],
    ["POST", 405],
    ["OPTIONS", 204],
  ])("%s is a %s", async (method, expected) => {
    const { ask } = await start();
    expect((await ask(method)).status).toBe(expected);
  });

  test("where it was not shipped, there is none", async () => {
    const { ask } = await start(StaticFiles.read(path.join(FOLDER, "none")));
    expect((await ask("GET")).status).toBe(404);
  });
});
