// The goal: no key, token or body of anybody's ends up in a log, an answer, a metric or the data folder.
// The method: push unique words through every input of the whole gateway, and search all that it wrote.
import { randomBytes } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { call, type Reply } from "../support/http-client.ts";
import { waitUntil } from "../support/wait.ts";

const ORDERS = "/v1/accounts/paper-1/orders";
const BUY = { symbol: "ES1!", action: "buy", qty: 1 };

const random = () => randomBytes(32).toString("base64url");
/** Never to be seen again outside of the request that carried it. */
const secrets: string[] = [];
/** What callers write: not for logs and metrics, though an answer may name what is wrong with it. */
const words: string[] = [];
let count = 0;

function secret(prefix = ""): string {
  const value = `${prefix}${random()}`;
  secrets.push(value);
  return value;
}

/** Short enough that nothing takes it for a key by its length. */
function word(): string {
  const value = `canary${(count += 1)}x${randomBytes(4).toString("hex")}`;
  words.push(value);
  return value;
}

let gateway: TestGateway;
const answers: string[] = [];

function keep(reply: Reply): Reply {
  answers.push(JSON.stringify([...reply.headers]), reply.text);
  return reply;
}

async function ask(method: string, where: string, more: Parameters<typeof call>[3] = {}) {
  return keep(
    await call(gateway.url, method, where, {
      ...more,
      headers: { "x-api-key": gateway.key, ...more.headers },
    }),
  );
}

beforeAll(async () => {
  gateway = await startGateway({ settings: { LOG_LEVEL: "debug", PAPER_ACCOUNTS: "1-3" } });
  secrets.push(gateway.key, gateway.webhook.split("/").at(-1) ?? "");
  const trader = await gateway.createKey("trade");
  secrets.push(trader.secret);
  const hook = await gateway.createWebhook("paper-2");
  secrets.push(hook.url.split("/").at(-1) ?? "");

  await pushHeaders(trader.secret);
  await pushPaths(hook.url);
  await pushBodies();
  await pushWhileRedisIsFrozen();
  await pushWhileTheBrokerIsAway();
  return gateway.stop;
});

async function pushHeaders(traderSecret: string): Promise<void> {
  for (const key of [secret("gwk_"), secret(), secret("Bearer "), `${gateway.key}x`]) {
    await ask("GET", "/v1/accounts", { headers: { "x-api-key": key } });
  }
  await ask("GET", "/v1/accounts", { headers: { "x-api-key": traderSecret } });
  const headers = {
    authorization: `Bearer ${secret()}`,
    cookie: `session=${secret()}`,
    "user-agent": word(),
    referer: `https://x.example/${word()}`,
    "x-forwarded-for": word(),
  };
  await ask("GET", "/v1/user", { headers });
  await ask("POST", ORDERS, { body: BUY, headers: { ...headers, "idempotency-key": word() } });
  await ask("POST", ORDERS, { body: { ...BUY, qty: 2 }, headers: { "idempotency-key": word() } });
  await ask("POST", ORDERS, { body: BUY, headers: { "idempotency-key": `${word()} ${word()}` } });
  await ask("GET", "/v1/user", { headers: { "x-request-id": `${word()} with a blank` } });
  await ask("POST", ORDERS, { body: BUY, headers: { "content-type": `text/${word()}` } });
}

async function pushPaths(hookUrl: string): Promise<void> {
  const hook = new URL(hookUrl).pathname;
  for (const token of [secret("gwh_"), secret(), secret("%67")]) {
    await ask("POST", `/hooks/${token}`, { body: BUY });
    await ask("GET", `/hooks/${token}`);
  }
  await ask("POST", `${hook}?${word()}=${word()}`, { body: { ...BUY, comment: word() } });
  await ask("PUT", hook, { body: BUY });
  await ask("POST", `${hook}/${word()}`, { body: BUY });
  await ask("POST", `/hooks/${gateway.key}`, { body: BUY });
  for (const where of [
    `/v1/accounts/${secret()}/positions`,
    `/v1/accounts/paper-1/orders/${word()}`,
    `/v1/accounts/paper-1/intents/${word()}`,
    `/v1/webhooks/${word()}`,
    `/v1/user?${word()}=${word()}`,
    `/v1/accounts/paper-1/orders?cursor=${word()}`,
    `/v1/accounts/paper-1/positions?symbol=${word()}`,
    `/${word()}/${word()}`,
    `/${secret("gwk_")}`,
  ]) {
    for (const method of ["GET", "DELETE"]) await ask(method, where);
  }
}

async function pushBodies(): Promise<void> {
  const bodies = [
    `{"symbol":"${word()}","action":`,
    `${word()}=${word()}`,
    { ...BUY, symbol: word() },
    { ...BUY, action: word() },
    { ...BUY, qty: word() },
    { ...BUY, [word()]: word() },
    { ...BUY, bracket: { [word()]: { price: word() } } },
    `{"${word()}":1,"${word()}":{"${word()}":[`,
  ];
  for (const body of bodies) {
    for (const where of [ORDERS, "/v1/accounts/paper-1/protect", "/v1/webhooks"]) {
      await ask("POST", where, { body });
    }
    await ask("PUT", "/v1/accounts/paper-1/limits", { body });
    await ask("PUT", "/v1/kill-switch", { body });
    keep(await gateway.alert(body));
  }
  keep(await gateway.alert({ ...BUY, comment: word(), passphrase: secret(), [word()]: word() }));
  keep(await gateway.alert({ action: "flatten", symbol: word() }));
  await ask("POST", "/v1/webhooks", { body: { accountId: "paper-1", name: word() } }).then(
    ({ body }) => secrets.push(body.url.split("/").at(-1)),
  );
  // The one answer that shows it.
  answers.pop();
}

/** Errors of libraries carry the commands that failed. */
async function pushWhileRedisIsFrozen(): Promise<void> {
  const pid = await gateway.redisPid();
  process.kill(pid, "SIGSTOP");
  try {
    await Promise.all([
      ask("GET", "/v1/accounts", { headers: { "x-api-key": secret("gwk_") } }),
      ask("POST", `/hooks/${secret("gwh_")}`, { body: BUY }),
      ask("POST", ORDERS, { body: BUY, headers: { "idempotency-key": word() } }),
      gateway.alert({ ...BUY, comment: word() }).then(keep),
    ]);
  } finally {
    process.kill(pid, "SIGCONT");
  }
  await waitUntil("the gateway is ready", async () => (await ask("GET", "/readyz")).status === 200);
}

async function pushWhileTheBrokerIsAway(): Promise<void> {
  gateway.paper.breakSession(new Error(`The link to https://x.example/${word()} is lost`));
  await ask("POST", ORDERS, { body: BUY, headers: { "idempotency-key": word() } });
  await waitUntil("the gateway is ready", async () => (await ask("GET", "/readyz")).status === 200);
}

const found = (text: string, canaries: readonly string[]) =>
  canaries.filter((canary) => text.includes(canary));

describe("after words and secrets came in by every way", () => {
  test("something was logged and answered", () => {
    expect(gateway.log.length).toBeGreaterThan(100);
    expect(answers.length).toBeGreaterThan(100);
    expect([secrets.length > 15, words.length > 40]).toEqual([true, true]);
    for (const line of gateway.log) expect(line.startsWith("{")).toBe(true);
  });

  test("the log holds no secret, no body and no URL", () => {
    const log = gateway.log.join("");
    expect(found(log, secrets)).toEqual([]);
    expect(found(log, words)).toEqual([]);
    expect(log).not.toMatch(/gw[kh]_/);
    expect(log).not.toMatch(/\/hooks\/(?!\{token\}|…)/);
    expect(log).not.toContain('"action"');
  });

  test("every answered request is one line of the log, by its request id and its route", () => {
    const lines = gateway.log.map((line) => JSON.parse(line) as Record<string, unknown>);
    const answered = lines.filter(({ msg }) => msg === "Request answered");
    expect(answered.length).toBeGreaterThan(50);
    for (const { requestId, route } of answered) {
      expect(requestId).toEqual(expect.any(String));
      expect(route).toMatch(/^(\/[a-z{]|unmatched|unreadable)/);
    }
  });

  test("no answer holds a secret, or a way into the program", () => {
    const all = answers.join("\n");
    expect(found(all, secrets)).toEqual([]);
    expect(all).not.toMatch(/node_modules|\.ts:\d|at \w+ \(|ioredis|EVALSHA/);
  });

  test("the metrics hold none of it", async () => {
    const { text } = await call(gateway.url, "GET", "/metrics");
    expect(found(text, [...secrets, ...words])).toEqual([]);
    expect(text).not.toMatch(/gw[kh]_/);
    expect(text).toContain('route="/hooks/{token}"');
  });

  test("the data folder holds no secret, not even of what is valid", async () => {
    const folder = path.join(gateway.dataDir, "redis/appendonlydir");
    const files = await Promise.all(
      (await readdir(folder)).map(
        async (file) => await readFile(path.join(folder, file), "latin1"),
      ),
    );
    const all = files.join("");
    expect(all).toContain("paper-1");
    expect(found(all, secrets)).toEqual([]);
    expect(all).not.toMatch(/gw[kh]_/);
  });
});

describe("a request id that the caller chose", () => {
  test("is on every line of its request, and in its answer", async () => {
    const { headers, body } = await ask("GET", "/v1/nothing", {
      headers: { "x-request-id": "my-request.1" },
    });
    expect([headers.get("x-request-id"), body.error.requestId]).toEqual([
      "my-request.1",
      "my-request.1",
    ]);
    const isItsLine = (line: string) => line.includes('"requestId":"my-request.1"');
    await waitUntil("its line is there", () => gateway.log.some(isItsLine));
  });

  test("is not logged when it is a key", async () => {
    await ask("POST", ORDERS, { body: BUY, headers: { "x-request-id": gateway.key } });
    expect(found(gateway.log.join(""), secrets)).toEqual([]);
  });
});
