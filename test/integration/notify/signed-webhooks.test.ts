// The goal: a receiver that keeps to Standard Webhooks can trust, and understand, what it gets.
// The method: the standard's own library reads what the look-alike of a receiver was sent.
import assert from "node:assert/strict";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { GatewayEvent } from "../../../src/domain/notify/event.ts";
import { accountId } from "../../../src/domain/ids.ts";
import { openChannels } from "../../../src/notify/open-channels.ts";
import type { OpenedSettings } from "../../../src/trading/notify/ports.ts";
import { ACCOUNT, eventOf, openOn, SECRET } from "../../conformance/channel-kit.ts";
import type { Behaviour, Seen } from "../../simulators/notify/behaviour.ts";
import { HOOK_PATH } from "../../simulators/notify/receivers.ts";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";

const OTHER = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
const UNKNOWN = `whsec_${Buffer.alloc(64, 9).toString("base64")}`;
const signal = new AbortController().signal;

let simulator: NotifySimulator;

beforeAll(async () => {
  simulator = await startNotifySimulator();
  return simulator.stop;
});

const to = (secrets: readonly string[], origin = simulator.url): OpenedSettings => ({
  kind: "webhook",
  settings: { url: `${origin}${HOOK_PATH}` },
  secrets,
});

async function send(
  { event = eventOf() as GatewayEvent, count = 1, now = Date.now },
  destination = to([SECRET]),
) {
  const { channels } = openOn(simulator, { now });
  return await channels.webhook.send({ event, count, isSilent: false }, destination, { signal });
}

async function arrived(...sent: Parameters<typeof send>): Promise<Seen> {
  expect(await send(...sent)).toEqual({ kind: "delivered", status: 204 });
  const seen = (await simulator.seen("webhook")).at(-1);
  assert(seen !== undefined);
  return seen;
}

const verify = ({ body, headers }: Seen, secret: string): unknown =>
  new Webhook(secret).verify(body, { ...headers });

const turn = async (behaviour: Behaviour) => {
  onTestFinished(() => simulator.turn("webhook", { as: "documented" }));
  await simulator.turn("webhook", behaviour);
};

describe("the signature", () => {
  test("is what the library makes and takes", async () => {
    const seen = await arrived({});
    expect(verify(seen, SECRET)).toEqual(JSON.parse(seen.body));
    const { "webhook-id": id = "", "webhook-timestamp": at = "" } = seen.headers;
    const own = new Webhook(SECRET).sign(id, new Date(Number(at) * 1_000), seen.body);
    expect(seen.headers["webhook-signature"]).toBe(own);
    expect(id).toBe(eventOf().id);
  });

  test("of a secret that is being changed holds for the new one and the old one", async () => {
    const seen = await arrived({}, to([OTHER, SECRET]));
    expect(seen.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    for (const secret of [OTHER, SECRET]) expect(verify(seen, secret)).toBeDefined();
    expect(() => verify(seen, UNKNOWN)).toThrow(WebhookVerificationError);
  });

  test("holds for nothing else", async () => {
    const seen = await arrived({});
    const id = { ...seen.headers, "webhook-id": "ev_other" };
    expect(() => verify({ ...seen, body: `${seen.body} ` }, SECRET)).toThrow("No matching");
    expect(() => verify({ ...seen, headers: id }, SECRET)).toThrow("No matching");
  });

  test("has the time of the attempt, and the same id each time", async () => {
    const now = Date.now() - 3_600_000;
    const [early, late] = [await arrived({ now: () => now }), await arrived({})];
    expect(early.headers["webhook-timestamp"]).toBe(String(Math.floor(now / 1_000)));
    expect(() => verify(early, SECRET)).toThrow("timestamp too old");
    expect(late.headers["webhook-id"]).toBe(early.headers["webhook-id"]);
    expect(late.body).toBe(early.body);
  });

  test("is missing nowhere: without a secret nothing is sent", async () => {
    const before = await simulator.seen("webhook");
    expect(await send({}, to([]))).toMatchObject({ kind: "unacceptable" });
    expect(await simulator.seen("webhook")).toEqual(before);
  });
});

describe("the body", () => {
  test("has the event, and account numbers in full", async () => {
    const event = eventOf({ advice: "Add margin" });
    const { body, headers } = await arrived({ event });
    const { type, at, userId: _, facts, ...frame } = event;
    const data = { ...frame, ...facts };
    const timestamp = new Date(at).toISOString();
    expect(JSON.parse(body)).toEqual({ type, timestamp, apiVersion: "1", data });
    expect(body).toContain(ACCOUNT);
    expect(headers["content-type"]).toBe("application/json");
  });

  const summary = (accounts: number, name: string): GatewayEvent => ({
    ...eventOf(),
    type: "summary.daily",
    facts: {
      date: "2026-11-26",
      accounts: Array.from({ length: accounts }, (_, n) => ({
        accountId: accountId(`DEMO${n}`),
        accountName: name,
        environment: "demo",
        trades: 1,
        tradingDay: "2026-11-26",
        refusals: 0,
        day: [{ currency: "USD", net: "1.25", fees: "0.5" }],
      })),
    },
  });

  test.each([
    ["a long sentence", eventOf({ message: "€".repeat(30_000) }), true],
    ["a long sentence to be escaped", eventOf({ message: '"\u0001'.repeat(30_000) }), true],
    ["many accounts", summary(2_000, "One"), true],
    ["long names of accounts", summary(90, "😀".repeat(5_000)), true],
    ["an ordinary day", summary(20, "One"), false],
  ] as const)("of %s is below 20 KB, and says if it was cut", async (_, event, isCut) => {
    const { body } = await arrived({ event });
    expect(Buffer.byteLength(body)).toBeLessThan(20_000);
    const { data } = JSON.parse(body) as { data: { id: string; isCut?: boolean } };
    expect(data.isCut).toBe(isCut || undefined);
    expect(data.id).toBe(event.id);
  });
});

describe("an answer", () => {
  test.each([400, 401, 403, 404, 405, 409, 413, 422, 429, 500, 502, 503, 504])(
    "%i may be mended, and is to be tried again",
    async (status) => {
      await turn({ as: "answering", status });
      expect(await send({})).toMatchObject({ kind: "failed", status });
    },
  );

  test.each([200, 201, 202, 204, 299])("%i is a success", async (status) => {
    await turn({ as: "answering", status });
    expect(await send({})).toEqual({ kind: "delivered", status });
  });

  /** In whole seconds, as the header has it. */
  const inMinutes = (minutes: number) => Math.floor(Date.now() / 1_000) * 1_000 + minutes * 60_000;
  const wishing = (at: number) =>
    ({
      as: "answering",
      status: 429,
      headers: { "retry-after": new Date(at).toUTCString() },
    }) as const;

  test.each([
    ["120", 120_000],
    ["0", 0],
    ["1.5", 1_500],
    ["99999999999", 86_400_000],
    ["-5", undefined],
    ["soon", undefined],
    ["", undefined],
    ["2027", 2_027_000],
  ])("Retry-After: %s", async (wish, retryAfterMs) => {
    await turn({ as: "answering", status: 503, headers: { "retry-after": wish } });
    const expected = { kind: "failed", status: 503, reason: "It answered 503" };
    expect(await send({})).toEqual({
      ...expected,
      ...(retryAfterMs !== undefined && { retryAfterMs }),
    });
  });

  test("Retry-After as a date", async () => {
    const at = inMinutes(10);
    await turn(wishing(at));
    const later = await send({});
    assert(later.kind === "failed");
    expect(later.retryAfterMs).toBeGreaterThanOrEqual(at - Date.now());
    expect(later.retryAfterMs).toBeLessThanOrEqual(600_000);
    await turn(wishing(inMinutes(-10)));
    expect(await send({})).toMatchObject({ retryAfterMs: 0 });
  });

  test("counts with TLS, where the certificate is trusted", async () => {
    const destination = to([SECRET], simulator.secureUrl);
    expect(await send({}, destination)).toEqual({ kind: "delivered", status: 204 });
    const { channels } = openChannels({ privateNetworks: ["127.0.0.1"], now: Date.now });
    const notice = { event: eventOf(), count: 1, isSilent: false };
    expect(await channels.webhook.send(notice, destination, { signal })).toMatchObject({
      kind: "failed",
      reason: expect.stringMatching(/^The certificate is not trusted \(\w*SELF_SIGNED\w*\)$/),
    });
  });
});
