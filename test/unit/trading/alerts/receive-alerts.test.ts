import { describe, expect, test } from "vitest";
import type { WebhookOptions } from "../../../../src/domain/alert.ts";
import { intentId } from "../../../../src/domain/ids.ts";
import { errors, GatewayError } from "../../../../src/errors.ts";
import { asTest } from "../../../../src/http/alerts/delivery.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  delivery,
  ES,
  FILLED,
  FOREIGN,
  NOW,
  openReception,
  STOPPED,
  webhook,
  withOptions,
} from "./alerts-kit.ts";
import type { HandledAlert } from "../../../../src/trading/alerts/alert-uses.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

const buyOne = { action: "buy", symbol: "ES1!", qty: 1 };
const READ = {
  kind: "order",
  ticket: { symbol: "ES1!", side: "BUY", orderQty: 1, ordType: "MARKET", timeInForce: "DAY" },
};

const codeOf = (alert: HandledAlert | undefined) =>
  alert !== undefined && "error" in alert ? alert.error.spec.code : undefined;

describe("one alert", () => {
  test("is submitted as what it asks for, with what the log keeps of it", async () => {
    const kit = await openReception(() => ({ outcome: FILLED }));
    const body = { ...buyOne, alertId: "mine", comment: "x", token: "tops3cret" };
    const { isArray, alerts } = await kit.receiveAlerts(webhook, delivery(body));
    expect([isArray, alerts]).toEqual([
      false,
      [{ alertId: "a1", settled: expect.anything(), unread: expect.any(Array) }],
    ]);
    expect(kit.submissions).toMatchObject([
      {
        accountId: "paper-1",
        userId: "u_1",
        requestId: "r_1",
        receivedAt: NOW,
        source: { kind: "webhook", credentialId: "wh_1" },
        intent: { kind: "PLACE", order: { contract: ES, side: "BUY", orderQty: 1 } },
        alert: {
          entry: {
            alertId: "a1",
            webhookId: "wh_1",
            sender: "192.0.2.1",
            profile: "native",
            body: JSON.stringify({ ...body, token: "***" }),
            bodyBytes: JSON.stringify(body).length,
            request: READ,
            senderAlertId: "mine",
            unread: ["comment", "token"],
            contract: ES,
            decisions: [],
          },
        },
      },
    ]);
    expect(kit.submissions[0]?.alert?.entry).not.toHaveProperty("place");
    expect([kit.answered, kit.endings]).toEqual([["done"], []]);
  });

  test("is answered as pending when its time runs out before it is settled", async () => {
    const kit = await openReception();
    const { alerts } = await kit.receiveAlerts(webhook, delivery(buyOne));
    expect(alerts).toEqual([{ alertId: "a1", unread: [] }]);
    expect(kit.answered).toEqual(["pending"]);
  });

  test("waits for what is left of the time since it came in", async () => {
    const kit = await openReception(() => {
      kit.clock.elapsed += 600;
      return {};
    });
    await kit.receiveAlerts(webhook, delivery([buyOne, buyOne, buyOne, buyOne]));
    expect(kit.submissions.map(({ waitMs }) => waitMs)).toEqual([1_500, 900, 300, 0]);
  });

  test("a repeat is answered as the first one, and logged as a duplicate of it", async () => {
    const kit = await openReception(() => ({ outcome: FILLED, of: "first" }));
    const { alerts } = await kit.receiveAlerts(webhook, delivery(buyOne));
    expect(alerts).toMatchObject([{ alertId: "first", settled: { replayed: true } }]);
    expect(kit.endings).toMatchObject([
      { entry: { alertId: "a1", request: READ }, ending: { kind: "duplicate", of: "first" } },
    ]);
    expect(kit.answered).toEqual(["duplicate"]);
  });

  test("the webhook's options are applied, and what they decided is logged", async () => {
    const kit = await openReception();
    const options: WebhookOptions = {
      symbolMap: { ES: "MES" },
      multiplier: "2",
      allowedSide: "BUY",
    };
    await kit.receiveAlerts(withOptions(options), delivery(buyOne));
    expect(kit.submissions).toMatchObject([
      {
        intent: { order: { contract: "MESZ2026", orderQty: 2 } },
        entrySide: "BUY",
        alert: { entry: { request: READ, contract: "MESZ2026" } },
      },
    ]);
    const [first = "", second = ""] = kit.submissions[0]?.alert?.entry.decisions ?? [];
    expect(first).toBe("ES1! is traded as MES1!");
    expect(second).toContain("2");
  });

  test("exits are asked of whatever the lane finds held, their levels in ticks", async () => {
    const kit = await openReception();
    const stopLoss = { ticks: 8 };
    await kit.receiveAlerts(webhook, delivery({ action: "protect", symbol: "ES", stopLoss }));
    expect(kit.submissions[0]?.intent).toEqual({
      kind: "PROTECT",
      contract: "ESZ2026",
      isFrontMonth: true,
      levels: { stopLoss: { by: "distance", distance: 8 } },
    });
  });

  test.each([
    ["between two ticks", { symbol: "ES", stopLoss: { price: 4000.1 } }, "VALIDATION_FAILED"],
    [
      "at 0, in a contract that has no such price",
      { symbol: "ES", stopLoss: { price: 0 } },
      "VALIDATION_FAILED",
    ],
    ["of an unknown symbol", { symbol: "XXX", stopLoss: { ticks: 8 } }, "UNKNOWN_SYMBOL"],
  ])("exits %s are refused before the lane", async (_, legs, code) => {
    const kit = await openReception();
    const { alerts } = await kit.receiveAlerts(webhook, delivery({ action: "protect", ...legs }));
    expect(alerts.map(codeOf)).toEqual([code]);
    expect(kit.submissions).toEqual([]);
  });
});

describe("a refusal", () => {
  const refusal = new GatewayError("RATE_LIMITED", "too many");
  const paused = { ...webhook, paused: true };
  const gone = { ...webhook, accountId: STOPPED };
  const foreign = { ...webhook, accountId: FOREIGN };

  test.each([
    ["whatever else is wrong", { ...gone, paused: true }, "nonsense", refusal, "RATE_LIMITED"],
    [
      "before its account is looked at",
      { ...gone, paused: true },
      "nonsense",
      undefined,
      "WEBHOOK_PAUSED",
    ],
    ["before its body is judged", gone, "nonsense", undefined, "ACCOUNT_INACTIVE"],
    ["for another user's account too", foreign, "nonsense", undefined, "ACCOUNT_INACTIVE"],
    ["of what cannot be read", webhook, "nonsense", undefined, "VALIDATION_FAILED"],
  ])("%s: its own code", async (_, hook, body, given, code) => {
    const kit = await openReception();
    const received = delivery(body, given === undefined ? {} : { refusal: given });
    const { isArray, alerts } = await kit.receiveAlerts(hook, received);
    expect([isArray, alerts.map(codeOf)]).toEqual([false, [code]]);
    expect(kit.endings).toMatchObject([{ entry: { alertId: "a1" }, ending: { code } }]);
    expect([kit.submissions, kit.answered]).toEqual([[], ["refused"]]);
  });

  test("before the reading still logs how it was read", async () => {
    const kit = await openReception();
    await kit.receiveAlerts(paused, delivery({ ...buyOne, test: true }));
    expect(kit.endings).toMatchObject([
      {
        entry: { request: READ, test: true },
        ending: { status: 403, message: expect.any(String) },
      },
    ]);
  });

  test("of an array is one answer, and a line in the log for each of its alerts", async () => {
    const kit = await openReception();
    const { isArray, alerts } = await kit.receiveAlerts(
      paused,
      delivery([buyOne, { action: "flatten" }]),
    );
    expect([isArray, alerts.length]).toEqual([false, 1]);
    expect(kit.endings).toMatchObject([
      { entry: { alertId: "00", place: 0, request: READ } },
      { entry: { alertId: "01", place: 1, request: { kind: "flatten" } } },
    ]);
  });

  test.each([
    ["a paused webhook", paused, buyOne],
    ["an account that is inactive now", gone, buyOne],
    ["a contract that cannot be had any more", webhook, { ...buyOne, symbol: "ESZ2019" }],
  ])("of %s is not for what was carried out before", async (_, hook, body) => {
    const kit = await openReception(undefined, async () => intentId("a0"));
    const { alerts } = await kit.receiveAlerts(hook, delivery(body));
    expect(alerts).toEqual([{ alertId: "a0", unread: [], duplicate: true }]);
    expect(kit.endings).toMatchObject([{ ending: { kind: "duplicate", of: "a0" } }]);
    expect([kit.submissions, kit.answered]).toEqual([[], ["duplicate"]]);
    expect(kit.looked).toMatchObject([[hook.accountId, "wh_1", { place: 0 }]]);
  });

  test("of an array leaves out what of it was carried out before", async () => {
    const kit = await openReception(undefined, async (_account, _webhook, { place }) =>
      place === 0 ? intentId("a0") : undefined,
    );
    const { isArray, alerts } = await kit.receiveAlerts(paused, delivery([buyOne, buyOne]));
    expect([isArray, alerts[0], codeOf(alerts[1])]).toEqual([
      true,
      { alertId: "a0", unread: [], duplicate: true },
      "WEBHOOK_PAUSED",
    ]);
  });

  test("is not told as one while the store does not say what was carried out before", async () => {
    const kit = await openReception(undefined, async () => {
      throw new StoreError("away", { certainlyNotWritten: false });
    });
    const { alerts } = await kit.receiveAlerts(gone, delivery(buyOne));
    expect(alerts.map(codeOf)).toEqual(["STORE_UNAVAILABLE"]);
  });

  test("asks for an earlier one only then, and never for a test", async () => {
    const kit = await openReception(() => ({ outcome: FILLED }));
    await kit.receiveAlerts(webhook, delivery(buyOne));
    await kit.receiveAlerts(paused, delivery({ ...buyOne, test: true }));
    expect(kit.looked).toEqual([]);
  });

  test("of entries in a symbol that is not allowed is the lane's, which knows what is held", async () => {
    const kit = await openReception(() => ({ outcome: FILLED }));
    await kit.receiveAlerts(withOptions({ allowedSymbols: ["NQ"] }), delivery(buyOne));
    expect(kit.submissions).toMatchObject([{ exitsOnly: expect.stringContaining("NQ only") }]);
  });

  test("names every problem in the log", async () => {
    const kit = await openReception();
    await kit.receiveAlerts(webhook, delivery({ action: "buy" }));
    expect(kit.endings[0]?.ending).toMatchObject({
      status: 400,
      details: [{ path: "symbol" }, { path: "qty" }],
    });
    expect(kit.endings[0]?.entry).not.toHaveProperty("request");
  });

  test.each([
    ["a symbol that is none", { ...buyOne, symbol: "ZZZ" }, {}, "UNKNOWN_SYMBOL"],
    [
      "a price between two ticks",
      { ...buyOne, type: "limit", limitPrice: 5000.1 },
      {},
      "VALIDATION_FAILED",
    ],
  ] as const)(
    "of %s: nothing is submitted, and it is logged as read",
    async (_, body, options, code) => {
      const kit = await openReception();
      const { alerts } = await kit.receiveAlerts(withOptions(options), delivery(body));
      expect(alerts.map(codeOf)).toEqual([code]);
      expect(kit.submissions).toEqual([]);
      expect(kit.endings).toMatchObject([
        { entry: { request: { kind: "order" } }, ending: { kind: "refused", code } },
      ]);
    },
  );

  test.each([
    [errors.storeUnavailable(undefined), "STORE_UNAVAILABLE", "notSent"],
    // Whatever was done before it: it may have been accepted by then.
    [new BrokerReadError("away"), "INTERNAL_ERROR", "unknown"],
    [new StoreError("lost", { certainlyNotWritten: false }), "INTERNAL_ERROR", "unknown"],
    [new GatewayError("INTERNAL_ERROR", "no answer"), "INTERNAL_ERROR", "unknown"],
    [new GatewayError("NO_POSITION", "flat"), "NO_POSITION", "refused"],
  ])("%s on the way is told, logged and counted", async (error, code, counted) => {
    const kit = await openReception(() => ({ error }));
    const { alerts } = await kit.receiveAlerts(webhook, delivery(buyOne));
    expect(alerts.map(codeOf)).toEqual([code]);
    expect(kit.endings).toMatchObject([{ ending: { code } }]);
    expect(kit.answered).toEqual([counted]);
  });

  test("a fault of our own is thrown on, once the log has it without its words", async () => {
    const kit = await openReception(() => ({ error: new Error("secret detail") }));
    await expect(kit.receiveAlerts(webhook, delivery(buyOne))).rejects.toThrow("secret detail");
    expect(kit.endings).toMatchObject([{ ending: { code: "INTERNAL_ERROR", status: 500 } }]);
    expect(JSON.stringify(kit.endings)).not.toContain("secret detail");
  });
});

describe("an array", () => {
  const several = [{ action: "cancel", symbol: "ES" }, buyOne, { position: 0, symbol: "ES" }];

  test("is submitted in its order, each alert with its place", async () => {
    const kit = await openReception(() => ({ outcome: FILLED }));
    const { isArray, alerts } = await kit.receiveAlerts(webhook, delivery(several));
    expect([isArray, alerts.map(({ alertId }) => alertId)]).toEqual([true, ["00", "01", "02"]]);
    expect(
      kit.submissions.map(({ intent, alert }) => [
        intent.kind,
        alert?.entry.place,
        alert?.sameAs?.place,
      ]),
    ).toEqual([
      ["CANCEL_ENTRIES", 0, 0],
      ["PLACE", 1, 1],
      ["ADJUST", 2, 2],
    ]);
  });

  test("of one alert is still an array", async () => {
    const kit = await openReception();
    const { isArray, alerts } = await kit.receiveAlerts(webhook, delivery([buyOne]));
    expect([isArray, alerts.length, kit.submissions[0]?.alert?.entry.place]).toEqual([true, 1, 0]);
  });

  test("of which one cannot be read is refused as a whole", async () => {
    const kit = await openReception();
    const bad = { ...buyOne, qty: 0 };
    const { isArray, alerts } = await kit.receiveAlerts(webhook, delivery([buyOne, bad]));
    expect([isArray, alerts.map(codeOf)]).toEqual([false, ["VALIDATION_FAILED"]]);
    expect(kit.submissions).toEqual([]);
    expect(kit.endings).toMatchObject([{ ending: { details: [{ path: "1.qty" }] } }]);
  });

  test.each([
    errors.storeUnavailable(undefined),
    new GatewayError("INTERNAL_ERROR", "The store did not answer"),
  ])("after %s nothing that follows is tried", async (error) => {
    const kit = await openReception((place) => (place === 1 ? { error } : { outcome: FILLED }));
    const { alerts } = await kit.receiveAlerts(webhook, delivery([...several, buyOne]));
    expect(alerts.map(codeOf)).toEqual([
      undefined,
      error.spec.code,
      "STORE_UNAVAILABLE",
      "STORE_UNAVAILABLE",
    ]);
    expect(kit.submissions.length).toBe(2);
    expect(kit.endings.map(({ entry }) => entry.alertId)).toEqual(["01", "02", "03"]);
  });

  test("after a refusal that is final the rest goes on", async () => {
    const kit = await openReception();
    const { alerts } = await kit.receiveAlerts(
      webhook,
      delivery([{ ...buyOne, symbol: "ZZZ" }, buyOne]),
    );
    expect(alerts.map(codeOf)).toEqual(["UNKNOWN_SYMBOL", undefined]);
    expect(kit.submissions.length).toBe(1);
  });
});

describe("a test", () => {
  test.each([
    ["by its own word", delivery({ ...buyOne, test: "true", alertId: "x" })],
    ["asked for by a person", asTest(delivery({ ...buyOne, alertId: "x" }))],
  ])("%s is submitted as one, and compared with no other alert", async (_, received) => {
    const kit = await openReception();
    await kit.receiveAlerts(webhook, received);
    expect(kit.submissions).toMatchObject([{ test: true, alert: { entry: { test: true } } }]);
    expect(kit.submissions[0]?.alert).not.toHaveProperty("sameAs");
  });

  test("of an array is one for each of its alerts", async () => {
    const kit = await openReception();
    await kit.receiveAlerts(webhook, asTest(delivery([buyOne, { ...buyOne, test: "no" }])));
    expect(kit.submissions.map(({ test: isTest }) => isTest)).toEqual([true, true]);
  });
});

describe("what tells an alert from the ones before", () => {
  const sameAs = async (body: unknown, options: WebhookOptions = {}) => {
    const kit = await openReception();
    await kit.receiveAlerts(withOptions(options), delivery(body));
    return kit.submissions[0]?.alert?.sameAs;
  };

  test("without an id: its body, within the webhook's window or the gateway's", async () => {
    expect(await sameAs(buyOne)).toEqual({
      body: expect.any(String),
      place: 0,
      windowMs: 30_000,
      until: "otherBody",
    });
    expect(await sameAs(buyOne, { duplicateWindowSeconds: 5 })).toMatchObject({ windowMs: 5_000 });
    expect(await sameAs(buyOne, { duplicateWindowSeconds: 0 })).toMatchObject({ windowMs: 0 });
    expect(await sameAs(`${JSON.stringify(buyOne)}\r\n`)).toEqual(await sameAs(buyOne));
    expect((await sameAs({ ...buyOne, qty: 2 }))?.body).not.toBe((await sameAs(buyOne))?.body);
  });

  test("an exit is compared while it is under way, before others in a message until more came", async () => {
    const close = { action: "close" };
    expect(await sameAs(close)).toMatchObject({ until: "ended" });
    expect(await sameAs([close, buyOne])).toMatchObject({ until: "otherIntent" });
    expect(await sameAs([close, { action: "cancel" }, buyOne])).toMatchObject({
      until: "otherIntent",
    });
  });

  test("an exit behind which nothing opens is compared as if it came alone", async () => {
    const close = { action: "close" };
    expect(await sameAs([close])).toMatchObject({ until: "ended" });
    expect(await sameAs([close, { action: "cancel" }])).toMatchObject({ until: "ended" });
    const kit = await openReception();
    await kit.receiveAlerts(webhook, delivery([buyOne, close]));
    expect(kit.submissions[1]?.alert?.sameAs).toMatchObject({ place: 1, until: "ended" });
  });

  test("with an id: the id and what the alert means", async () => {
    const first = await sameAs({ ...buyOne, alertId: "x" });
    expect(first?.id).toEqual(expect.any(String));
    const again = await sameAs({ alertId: "x", ...buyOne, comment: "once more" });
    expect(again?.id).toBe(first?.id);
    for (const other of [
      { ...buyOne, alertId: "y" },
      { ...buyOne, alertId: "x", qty: 2 },
      { ...buyOne, alertId: "x", action: "sell" },
      // Two fills of one bar share the order's id, its size and the second.
      { ...buyOne, alertId: "x", prev_market_position_size: "2" },
      { ...buyOne, alertId: "x", prev_market_position_size: "1" },
    ]) {
      expect((await sameAs(other))?.id).not.toBe(first?.id);
    }
    const filled = await sameAs({ ...buyOne, alertId: "x", prev_market_position_size: "2" });
    expect([filled?.formerId, first?.formerId]).toEqual([first?.id, undefined]);
  });
});

describe("how old an alert may become unsent", () => {
  const submissionOf = async (fields: object, options: WebhookOptions = {}) => {
    const kit = await openReception();
    await kit.receiveAlerts(withOptions(options), delivery({ ...buyOne, ...fields }));
    const [submission] = kit.submissions;
    if (submission === undefined) throw new Error("it was not submitted");
    return submission;
  };
  const agoSeconds = (seconds: number) => new Date(NOW - seconds * 1000).toISOString();

  test.each([
    ["the gateway's limits", {}, {}, [60_000, 600_000]],
    ["the webhook's", {}, { entryMaxAgeSeconds: 5, exitMaxAgeSeconds: 900 }, [5_000, 900_000]],
    ["the sender's", { maxAgeSeconds: 20 }, {}, [20_000, 20_000]],
    ["never longer than the webhook's", { maxAgeSeconds: 300 }, {}, [60_000, 300_000]],
    [
      "the sender's, from when it fired; an exit's from when it came",
      { maxAgeSeconds: 20, firedAt: agoSeconds(8) },
      {},
      [12_000, 20_000],
    ],
    [
      "the webhook's, from when it fired; an exit's from when it came",
      { firedAt: agoSeconds(3) },
      { entryMaxAgeSeconds: 5, exitMaxAgeSeconds: 900 },
      [2_000, 900_000],
    ],
    ["the usual time on its way costs nothing", { firedAt: agoSeconds(59) }, {}, [60_000, 600_000]],
    [
      "a clock ahead of ours adds nothing",
      { maxAgeSeconds: 20, firedAt: agoSeconds(-90) },
      {},
      [20_000, 20_000],
    ],
    ["a millisecond before", { maxAgeSeconds: 20, firedAt: agoSeconds(19.999) }, {}, [1, 20_000]],
  ] as const)("%s", async (_, fields, options, expected) => {
    const { entryMaxAgeMs, exitMaxAgeMs, exitsOnly } = await submissionOf(fields, options);
    expect([entryMaxAgeMs, exitMaxAgeMs, exitsOnly]).toEqual([...expected, undefined]);
  });

  test.each([
    ["as old as its sender lets it be", { maxAgeSeconds: 20 }, {}, 20, /20 s .* 20 s/],
    ["older than its sender lets it be", { maxAgeSeconds: 20 }, {}, 95, /95 s .* 20 s/],
    ["as old as the webhook lets it be", {}, { entryMaxAgeSeconds: 5 }, 5, /5 s .* 5 s/],
    ["older than alerts usually are on their way", {}, {}, 60, /60 s .* 60 s/],
    ["three days old", {}, {}, 259_200, /3 days .* 60 s/],
  ] as const)("opens nothing once it is %s", async (_, fields, options, ago, words) => {
    const late = await submissionOf({ ...fields, firedAt: agoSeconds(ago) }, options);
    expect([late.exitsOnlyCode, late.exitsOnly]).toEqual([
      "ALERT_TOO_OLD",
      expect.stringMatching(words),
    ]);
    // It may turn out to be a way out, which waits as any other does.
    expect(late.exitMaxAgeMs).toBeGreaterThanOrEqual(20_000);
  });
});
