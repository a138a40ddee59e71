// The goal: a webhook that is remembered saves a step, and whatever changes it holds for the next alert.
// The method: a gateway that has seen the webhook; then it is changed, and the commands of Redis are read.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { admit } from "../../src/store/people/admit.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { postAlert } from "../support/http-client.ts";
import { monitorRedis } from "../support/redis-monitor.ts";
import { waitUntil } from "../support/wait.ts";

let gateway: TestGateway;
beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-40" } });
});
afterAll(() => gateway.stop());

const ES = frontMonth("ES");
const nextAccount = accountNames(40);

async function openWebhook(options: object = {}) {
  const accountId = nextAccount();
  const { status, body } = await gateway.api.post("/v1/webhooks", {
    name: "one",
    accountId,
    ...options,
  });
  expect(status).toBe(201);
  let last = 0;
  const send = async (change: object = {}) =>
    await postAlert(body.url, {
      action: "buy",
      symbol: ES.symbol,
      qty: 1,
      alertId: `a${(last += 1)}`,
      ...change,
    });
  const patch = async (change: object) => {
    expect((await gateway.api.patch(`/v1/webhooks/${body.id}`, change)).status).toBe(200);
  };
  return { ...body, accountId, send, patch };
}

/** How often each alert of these asked for its admission in a step of its own. */
async function admissionsOf(work: () => Promise<unknown>): Promise<number> {
  const seen: (readonly string[])[] = [];
  const close = await monitorRedis(gateway.redis, ({ words }) => seen.push(words));
  await work();
  await gateway.redis.echo("the end");
  await waitUntil("all was seen", () => seen.some((args) => args[1] === "the end"));
  close();
  return seen.filter(([name, sha]) => name === "evalsha" && sha === admit.sha1).length;
}

describe("a webhook that is remembered", () => {
  test("is admitted with its alert, and its quota is told", async () => {
    const hook = await openWebhook();
    const first = await hook.send();
    const left = Number(first.headers.get("x-ratelimit-remaining"));
    expect(first.body.outcome).toBe("done");
    const told: (string | null)[] = [];
    const asked = await admissionsOf(async () => {
      for (const name of ["second", "third"]) {
        const { status, body, headers } = await hook.send({ alertId: name });
        expect([status, body.outcome]).toEqual([200, "done"]);
        told.push(headers.get("x-ratelimit-remaining"));
        expect(headers.get("ratelimit-policy")).toBe(first.headers.get("ratelimit-policy"));
      }
    });
    expect(asked).toBe(0);
    expect(told).toEqual([`${left - 1}`, `${left - 2}`]);
    expect((await gateway.broker.filled(hook.accountId)).orders).toBe(3);
  });

  test("tells the same alert again from a new one", async () => {
    const hook = await openWebhook();
    await hook.send({ alertId: "x" });
    const again = await hook.send({ alertId: "x" });
    expect([again.status, again.body.duplicate]).toEqual([200, true]);
    expect((await gateway.broker.filled(hook.accountId)).orders).toBe(1);
  });

  const UNUSUAL: [string, object | string][] = [
    ["a dry run", { test: true }],
    ["what cannot be read", { action: "hold" }],
    ["an unknown symbol", { symbol: "NOPE1!" }],
  ];
  test.each(UNUSUAL)("is asked first for %s", async (_what, change) => {
    const hook = await openWebhook();
    await hook.send();
    expect(await admissionsOf(() => hook.send(change as object))).toBe(1);
  });
});

describe("holds for the very next alert:", () => {
  const CHANGES: [
    string,
    (hook: Awaited<ReturnType<typeof openWebhook>>) => Promise<unknown>,
    string,
  ][] = [
    ["its deletion", (hook) => gateway.api.delete(`/v1/webhooks/${hook.id}`), "NOT_FOUND"],
    ["its pause", (hook) => hook.patch({ paused: true }), "WEBHOOK_PAUSED"],
    [
      "a sender that is not allowed",
      (hook) => hook.patch({ allowedSenders: ["192.0.2.1"] }),
      "SENDER_NOT_ALLOWED",
    ],
    [
      "the only side it may enter on",
      (hook) => hook.patch({ allowedSide: "short" }),
      "SIDE_NOT_ALLOWED",
    ],
    [
      "a limit of requests that is used up",
      (hook) => hook.patch({ rateLimitPerMinute: 1 }),
      "RATE_LIMITED",
    ],
    [
      "a limit of the account",
      (hook) => gateway.api.put(`/v1/accounts/${hook.accountId}/limits`, { maxPositionQty: 1 }),
      "LIMIT_EXCEEDED",
    ],
    [
      "the account's kill switch",
      (hook) => gateway.api.put("/v1/kill-switch", { accountId: hook.accountId, active: true }),
      "KILL_SWITCH_ON",
    ],
  ];
  test.each(CHANGES)("%s", async (_what, change, code) => {
    const hook = await openWebhook();
    expect((await hook.send()).body.outcome).toBe("done");
    await change(hook);
    const { body } = await hook.send();
    expect(body.error.code).toBe(code);
    expect((await gateway.broker.filled(hook.accountId)).orders).toBe(1);
  });

  test("another account that it points to", async () => {
    const hook = await openWebhook();
    await hook.send();
    const accountId = nextAccount();
    await hook.patch({ accountId });
    expect((await hook.send()).body.outcome).toBe("done");
    expect((await gateway.broker.filled(hook.accountId)).orders).toBe(1);
    expect((await gateway.broker.filled(accountId)).orders).toBe(1);
  });

  test("its requests of this minute: exactly as many as the limit are let through", async () => {
    const hook = await openWebhook({ rateLimitPerMinute: 5 });
    const replies = await Promise.all(Array.from({ length: 20 }, () => hook.send()));
    const admitted = replies.filter(({ status }) => status !== 429);
    expect(admitted).toHaveLength(5);
    expect((await gateway.broker.filled(hook.accountId)).orders).toBe(5);
  });
});
