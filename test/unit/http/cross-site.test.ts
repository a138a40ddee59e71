import { describe, expect, test } from "vitest";
import { credentialId, userId } from "../../../src/domain/ids.ts";
import type { Session } from "../../../src/domain/people/session.ts";
import { hasName, isSameSite, siteOf } from "../../../src/http/server/own-site.ts";
import { account, admitted, NOW, routes, startApp } from "./http-kit.ts";

const OWN = "https://gateway.example";
const COOKIE = { cookie: `other=1; __Host-session=gws_${"a".repeat(43)}; more=2` };
const JSON_TYPE = { "content-type": "application/json" };

const session: Session = {
  id: credentialId("sess_1"),
  userId: userId("u_1"),
  signedInAt: NOW,
  confirmedAt: NOW,
  lastUsedAt: NOW - 5_000,
  endsAt: NOW + 43_200_000,
};

const start = async () =>
  await startApp({
    admitSession: async () => admitted(session),
    gateway: { listAccounts: async () => ({ items: [account] }) },
  });

describe("requests that a cookie proves", () => {
  test.each([
    // method, what the browser says, whether it is let through
    ["GET", {}, true],
    ["GET", { "sec-fetch-site": "same-origin" }, true],
    ["GET", { "sec-fetch-site": "none" }, true],
    ["GET", { "sec-fetch-site": "same-site" }, false],
    ["GET", { "sec-fetch-site": "cross-site" }, false],
    ["GET", { "sec-fetch-site": "cross-site", origin: OWN }, false],
    ["GET", { origin: "https://evil.example" }, false],
    ["POST", {}, false],
    ["POST", { "sec-fetch-site": "same-origin" }, true],
    ["POST", { "sec-fetch-site": "none" }, false],
    ["POST", { "sec-fetch-site": "same-site" }, false],
    ["POST", { origin: OWN }, true],
    ["POST", { origin: "https://gateway.example.evil" }, false],
    ["POST", { origin: "http://gateway.example" }, false],
    ["POST", { origin: "null" }, false],
    ["DELETE", {}, false],
    ["DELETE", { origin: OWN }, true],
  ] as const)("%s with %j is let through: %s", (method, headers, isLet) => {
    const site = { origin: OWN, rpId: "gateway.example" };
    expect(isSameSite(method, { host: "127.0.0.1:8080", ...headers }, site)).toBe(isLet);
  });

  test.each([
    ["localhost:8080", true],
    ["127.0.0.1:8080", true],
    ["192.168.1.5:8080", true],
    ["[fe80::1]:8080", true],
    ["evil.example:8080", false],
    ["localhost.evil.example:8080", false],
    [undefined, false],
  ])("of a gateway on this machine, what was found at %s is its own: %s", (host, isOwn) => {
    const site = { origin: "http://localhost:8080", rpId: "localhost" };
    const headers = { "sec-fetch-site": "same-origin", ...(host !== undefined && { host }) };
    expect(isSameSite("POST", headers, site)).toBe(isOwn);
  });

  test("a page of no site is not let through where a proxy left the host out", () => {
    const site = { origin: OWN, rpId: "gateway.example" };
    expect(isSameSite("POST", { origin: "null" }, site)).toBe(false);
  });

  test("from another site they are refused before anything is looked up", async () => {
    const app = await start();
    const headers = { ...COOKIE, ...JSON_TYPE, "sec-fetch-site": "cross-site" };
    const forPeople = routes.filter(({ kind }) => kind !== "open" && kind !== "hook");
    const answers = await Promise.all(
      forPeople.map(async ({ id, method, path }) => {
        const asked = path.replaceAll(/\{\w+\}/g, "paper-1");
        const { status, body } = await app.request(method, asked, { headers });
        return [id, status, body.error.code];
      }),
    );
    expect(answers).toEqual(forPeople.map(({ id }) => [id, 403, "CROSS_SITE_REFUSED"]));
    expect(app.calls).toEqual([]);
  });

  test("a key in the header needs no word about the site, and no cookie is read", async () => {
    const app = await start();
    const { status } = await app.get("/v1/accounts", { ...COOKIE, "sec-fetch-site": "cross-site" });
    expect(status).toBe(200);
    expect(app.calls[0]?.args[0]).toMatchObject({ credentialId: "key_1" });
  });

  test("a use case is told which session asks, and from where", async () => {
    const app = await start();
    const headers = { ...COOKIE, "sec-fetch-site": "same-origin" };
    expect((await app.request("GET", "/v1/accounts", { headers })).status).toBe(200);
    expect(app.calls[0]?.args[0]).toMatchObject({
      userId: "u_1",
      credentialId: "sess_1",
      scopes: ["read", "trade", "manage", "notify"],
      receivedAt: NOW,
      session: { ...session, lastUsedAt: NOW },
      visit: { address: "127.0.0.1", site: { origin: OWN, rpId: "gateway.example" } },
    });
  });

  test("what a person may do no key may, whatever its scopes", async () => {
    const app = await start();
    for (const route of routes) {
      if (route.kind !== "person") continue;
      const { status, body } = await app.send(route.method, route.path);
      expect([route.id, status, body.error.code]).toEqual([route.id, 403, "INSUFFICIENT_SCOPE"]);
    }
    expect(app.calls).toEqual([]);
  });
});

describe("the site that a browser found us at", () => {
  const PUBLIC = "https://alerts.example.com/";
  const LOCAL = "http://127.0.0.1:8080";
  test.each([
    // public URL, what the request says, where it is
    [PUBLIC, { host: "alerts.example.com" }, "https://alerts.example.com"],
    [
      PUBLIC,
      { host: "evil.example", origin: "https://evil.example" },
      "https://alerts.example.com",
    ],
    // A proxy that tells its own name for us.
    [PUBLIC, { host: "127.0.0.1:8080" }, "https://alerts.example.com"],
    [
      PUBLIC,
      { host: "127.0.0.1:8080", origin: "https://alerts.example.com" },
      "https://alerts.example.com",
    ],
    [PUBLIC, { host: "localhost:8080", origin: "http://localhost:8080" }, "http://localhost:8080"],
    [LOCAL, { host: "localhost:8080" }, "http://localhost:8080"],
    [LOCAL, { host: "localhost:9000", origin: "http://localhost:9000" }, "http://localhost:9000"],
    [LOCAL, { host: "127.0.0.1:8080" }, LOCAL],
    [LOCAL, { host: "[::1]:8080" }, "http://[::1]:8080"],
    [LOCAL, { host: "evil.example:8080" }, LOCAL],
    [LOCAL, { host: "localhost:8080", origin: "http://localhost:9999" }, LOCAL],
    [LOCAL, { host: "not a host" }, LOCAL],
    [LOCAL, {}, LOCAL],
  ])("of %s for %j is %s", (publicUrl, headers, origin) => {
    expect(siteOf(headers, publicUrl).origin).toBe(origin);
  });

  test.each([
    ["localhost", true],
    ["alerts.example.com", true],
    ["127.0.0.1", false],
    ["[::1]", false],
  ])("%s is a name: %s", (rpId, isName) => {
    expect(hasName({ origin: "", rpId })).toBe(isName);
  });
});

test("only a session's own page is believed that it asks by itself", async () => {
  const app = await start();
  const poll = { "x-unattended": "true", "sec-fetch-site": "same-origin" };
  await app.request("GET", "/v1/accounts", { headers: { ...COOKIE, ...poll } });
  await app.get("/v1/accounts", poll);
  const finished = app.seen.filter(({ name }) => name === "requestFinished");
  expect(finished.map(({ value }) => (value as { isUnattended?: true }).isUnattended)).toEqual([
    true,
    undefined,
  ]);
});
