import { describe, expect, test } from "vitest";
import type { CommandFailure } from "../../src/trading/ports.ts";
import type { Fault } from "../simulators/projectx/faults.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted, atDistance, atPrice, px } from "./broker-under-test.ts";
import { projectXCases } from "./projectx-case.ts";

const { connected } = projectXCases();

const numberOf = (account: string): number => Number(account.split("-").at(-1));
/** `CON.F.US.EP.Z26` of `ESZ2026`. */
const idOf = (code: string): string =>
  `CON.F.US.${code.startsWith("MES") ? "MES" : "EP"}.${code.at(-5)}${code.slice(-2)}`;

/** A failure of that kind, in words. */
const failed = (kind: CommandFailure["kind"]) => ({ kind, reason: expect.stringMatching(/\w/) });
const UNKNOWN = failed("unknown");
const ACCEPTED = { kind: "accepted" };

const each = (faults: readonly [string, (isCarriedOut: boolean) => Fault][]) =>
  faults.flatMap(([name, fault]) =>
    [true, false].map((isCarriedOut) => ({ name, isCarriedOut, fault: fault(isCarriedOut) })),
  );

/** What says nothing of what became of a command, whether it was carried out or not. */
const UNCERTAIN = each([
  ["a connection that is cut", (isCarriedOut) => ({ kind: "drop", isCarriedOut })],
  ["a server error", (isCarriedOut) => ({ kind: "status", status: 502, isCarriedOut })],
  ["a redirect", (isCarriedOut) => ({ kind: "status", status: 302, isCarriedOut })],
  ["an empty answer", (isCarriedOut) => ({ kind: "empty", isCarriedOut })],
  ["no JSON", (isCarriedOut) => ({ kind: "garbage", isCarriedOut })],
  ["a code that nobody knows", (isCarriedOut) => ({ kind: "code", code: 77, isCarriedOut })],
]);
const ERROR_7 = each([["code 7", (isCarriedOut) => ({ kind: "code", code: 7, isCarriedOut })]]);
const ERROR_5 = each([["code 5", (isCarriedOut) => ({ kind: "code", code: 5, isCarriedOut })]]);

describe.concurrent("an order whose answer proves nothing", () => {
  test.each([...UNCERTAIN, ...ERROR_7])(
    "is unknown, and the look-up tells: $name, carried out: $isCarriedOut",
    async ({ fault, isCarriedOut }) => {
      const { trader, broker, fault: plan, asked } = await connected();
      await plan(fault, "Order/place");
      const clOrdId = trader.newId();
      expect(await trader.submit({ clOrdId })).toEqual(UNKNOWN);
      const found = await trader.adapter.findOrder(broker.account, clOrdId);
      expect(found?.ordStatus).toBe(isCarriedOut ? "FILLED" : undefined);
      expect(await trader.netQty()).toBe(isCarriedOut ? 1 : 0);
      expect(await asked("Order/place")).toBe(1);
    },
  );

  test.each([...UNCERTAIN, ...ERROR_7])(
    "is one order after it was sent again: $name, carried out: $isCarriedOut",
    async ({ fault }) => {
      const { trader, broker, fault: plan } = await connected();
      await plan(fault, "Order/place");
      const clOrdId = trader.newId();
      await trader.submit({ clOrdId });
      const { orderId } = accepted(await trader.submit({ clOrdId }));
      await trader.waitForPosition(1);
      const fills = await trader.adapter.fills(broker.account, 0);
      expect(fills.map((fill) => [fill.orderId, fill.clOrdId])).toEqual([[orderId, clOrdId]]);
      expect((await trader.submit({ clOrdId })).kind).toBe("rejected");
    },
  );

  test.each([true, false])(
    "is found in the next session where the link breaks over it, carried out: %s",
    async (isCarriedOut) => {
      const { trader, broker, fault } = await connected();
      await fault({ kind: "drop", isCarriedOut, cutsHubs: true }, "Order/place");
      const clOrdId = trader.newId();
      expect(await trader.submit({ clOrdId })).toEqual(UNKNOWN);
      await trader.broken();
      await trader.connect();
      const found = await trader.adapter.findOrder(broker.account, clOrdId);
      expect(found?.ordStatus).toBe(isCarriedOut ? "FILLED" : undefined);
    },
  );

  test.each([true, false])(
    "that is pending is looked for, carried out: %s",
    async (isCarriedOut) => {
      const { trader, fault, asked } = await connected();
      await fault({ kind: "code", code: 6, isCarriedOut }, "Order/place");
      expect((await trader.submit()).kind).toBe(isCarriedOut ? "accepted" : "unknown");
      expect(await trader.netQty()).toBe(isCarriedOut ? 1 : 0);
      expect(await asked("Order/place")).toBe(1);
    },
  );

  test("and of which the hub is silent too is looked for by its number", async () => {
    const { trader, broker, turn, asked } = await connected();
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    const { orderId } = accepted(await trader.limit("BUY", 990));
    expect(await trader.workingOrder(orderId)).toMatchObject({ price: 990, leavesQty: 1 });
    expect(await asked("Order/searchById")).toBeGreaterThan(0);
  });

  test("and that the hub tells in words that nobody knows is asked for, and changed", async () => {
    const { trader, set } = await connected();
    await set({ callsStatus: { 1: 99, 6: 99 } });
    const { orderId } = accepted(await trader.limit("BUY", 990));
    expect(await trader.modify({ orderId, price: px(985) })).toEqual({ kind: "accepted" });
    expect(await trader.workingOrder(orderId)).toMatchObject({ price: 985, ordStatus: "NEW" });
  });

  test("is unknown where it is in no answer either", async () => {
    const { trader, broker, set, turn } = await connected();
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    await set({ listLagMs: 60_000 });
    expect(await trader.submit()).toEqual(UNKNOWN);
  });

  test("but comes late is waited for", async () => {
    const { trader, broker, fault } = await connected();
    await fault({ kind: "delay", ms: 300 }, "Order/place");
    accepted(await trader.submit());
    expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
  });
});

describe.concurrent("an order that the broker does not take", () => {
  test.each([1, 2, 3, 4, 5, 8, 9, 10])("is rejected in its words: code %i", async (code) => {
    const { trader, fault } = await connected();
    const message = "Not today";
    await fault({ kind: "code", code, message, isCarriedOut: false }, "Order/place");
    const clOrdId = trader.newId();
    const reason = expect.stringMatching(/^Not today \(\w+\)$/) as string;
    expect(await trader.submit({ clOrdId })).toEqual({ kind: "rejected", reason });
    expect(await trader.netQty()).toBe(0);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("is rejected where only the hub says so, moments later", async () => {
    const { trader, fault } = await connected();
    await fault({ kind: "rejectLater", afterMs: 50 }, "Order/place");
    expect(await trader.submit()).toEqual(failed("rejected"));
    const [told] = trader.reports;
    expect(told?.report).toMatchObject({ execType: "REJECTED", order: { ordStatus: "REJECTED" } });
  });

  test("was not sent by who may not write any more", async () => {
    let mayWrite = true;
    const { trader, asked } = await connected({ mayWrite: () => mayWrite });
    const { orderId } = await trader.limit("BUY", 990);
    mayWrite = false;
    expect(await trader.submit()).toEqual(failed("notSent"));
    expect(await trader.cancel(orderId)).toEqual(failed("notSent"));
    expect(await trader.modify({ orderId, price: px(991) })).toEqual(failed("notSent"));
    expect(await asked("Order/place")).toBe(1);
  });

  test("for want of a token is sent once more with another one, and placed once", async () => {
    const { trader, broker, turn, asked } = await connected();
    await turn({ knob: "expireTokens", user: broker.user });
    accepted(await trader.submit());
    expect(await asked("Order/place")).toBe(1);
    expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
  });

  test("was not sent where there is no other token, and the session is over", async () => {
    const { trader, fault } = await connected();
    await fault({ kind: "status", status: 401 }, "Order/place", 2);
    expect(await trader.submit()).toEqual(failed("notSent"));
    expect(await trader.broken()).toBeInstanceOf(Error);
  });
});

describe.concurrent("an entry with exits", () => {
  const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };

  test("is rejected with what to do where the account has Position Brackets", async () => {
    const { trader } = await connected({}, { bracketMode: "positionBrackets" });
    const outcome = await trader.submit({ ordType: "LIMIT", price: px(1_000), bracket });
    const reason = expect.stringMatching(/^Brackets cannot be used.*Auto OCO Brackets/) as string;
    expect(outcome).toEqual({ kind: "rejected", reason });
    expect(await trader.netQty()).toBe(0);
    expect(await trader.working()).toEqual([]);
  });

  test("that stands though it was refused is told of, and has its exits", async () => {
    const settings = { bracketMode: "positionBrackets", refusedEntry: "works" } as const;
    const { trader } = await connected({}, settings);
    const { orderId } = accepted(await trader.submit({ bracket }));
    await trader.waitForPosition(1);
    await waitUntil("both exits work", async () => {
      const working = await trader.working();
      return working.filter(({ role }) => role !== "ORDER").length === 2;
    });
    const exits = await trader.working();
    expect(exits.map(({ parentOrderId, leavesQty }) => [parentOrderId, leavesQty])).toEqual([
      [orderId, 1],
      [orderId, 1],
    ]);
  });

  test("is not sent with exits that are too near, and never without them", async () => {
    const { trader, asked } = await connected();
    for (const legs of [{ stopLoss: atDistance(3) }, { takeProfit: atDistance(3) }]) {
      expect(await trader.submit({ bracket: legs })).toEqual(failed("rejected"));
    }
    expect(await asked("Order/place")).toBe(0);
  });

  test("is answered with the exits that the hub names in time, and without them otherwise", async () => {
    const { trader, set } = await connected();
    const { takeProfitOrderId, stopLossOrderId } = await trader.limit("BUY", 990, { bracket });
    expect([takeProfitOrderId, stopLossOrderId]).not.toContain(undefined);
    await set({ tellsChildren: "never" });
    const unnamed = await trader.limit("BUY", 989, { bracket });
    expect(Object.keys(unnamed).sort()).toEqual(["kind", "orderId"]);
  });
});

describe.concurrent("too many requests", () => {
  test("keep entries back, and an exit asks now and then whether they still are", async () => {
    let offset = 0;
    const { trader, fault, asked } = await connected({ elapsed: () => performance.now() + offset });
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "status", status: 429 }, "Order/place");
    expect(await trader.submit()).toEqual(failed("notSent"));
    expect(await trader.submit()).toEqual(failed("notSent"));
    expect(await asked("Order/place")).toBe(2);
    offset = 1_500;
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.waitForPosition(0);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("of our own are not used up by entries in what the broker does not have", async () => {
    const { trader, broker } = await connected({ limit: { most: 40, withinMs: 60_000 } });
    await trader.place();
    await trader.waitForPosition(1);
    const contract = broker.unknownContract;
    for (let n = 0; n < 20; n += 1) {
      expect((await trader.submit({ contract })).kind).not.toBe("accepted");
      await trader.adapter.contractDoubt(contract).catch(() => undefined);
    }
    expect((await trader.closeOut()).kind).toBe("accepted");
  });

  test("of our own refuse entries in words, and let exits through", async () => {
    const { trader } = await connected({ limit: { most: 60, withinMs: 60_000 } });
    const { orderId } = await trader.limit("BUY", 990);
    let last = await trader.submit({ ordType: "LIMIT", price: px(980) });
    for (let n = 0; n < 60 && last.kind === "accepted"; n += 1) {
      last = await trader.submit({ ordType: "LIMIT", price: px(980) });
    }
    expect(last).toEqual({ kind: "notSent", reason: expect.stringMatching(/kept for exits/) });
    expect(await trader.cancel(orderId)).toEqual(ACCEPTED);
  });
});

describe.concurrent("a cancel", () => {
  test.each([...UNCERTAIN, ...ERROR_5])(
    "whose answer proves nothing is unknown: $name, carried out: $isCarriedOut",
    async ({ fault, isCarriedOut }) => {
      const { trader, fault: plan, asked } = await connected();
      const { orderId } = await trader.limit("BUY", 990);
      await plan(fault, "Order/cancel");
      expect(await trader.cancel(orderId)).toEqual(UNKNOWN);
      expect(await asked("Order/cancel")).toBe(1);
      await trader.waitForWorking(...(isCarriedOut ? [] : [orderId]));
    },
  );

  test.each([true, false])(
    "that is pending is what the order shows, carried out: %s",
    async (isCarriedOut) => {
      const { trader, fault } = await connected();
      const { orderId } = await trader.limit("BUY", 990);
      await fault({ kind: "code", code: 4, isCarriedOut }, "Order/cancel");
      expect(await trader.cancel(orderId)).toEqual(isCarriedOut ? ACCEPTED : UNKNOWN);
    },
  );

  test("of which the hub tells nothing is looked for", async () => {
    const { trader, broker, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    expect(await trader.cancel(orderId)).toEqual(ACCEPTED);
    expect(trader.lastSeen(orderId)?.ordStatus).toBe("CANCELED");
  });

  test("that the account does not allow is rejected, and the order works on", async () => {
    const { trader, set } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await set({ cancels: "none" });
    expect(await trader.cancel(orderId)).toEqual({
      kind: "rejected",
      reason:
        "Follower accounts cannot cancel orders (AccountRejected). Cancel the order on the firm's platform: ProjectX does not cancel it through the API",
    });
    await trader.waitForWorking(orderId);
  });

  test("of an order whose end the hub left out is rejected, and its end is told", async () => {
    const { trader, broker, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await turn({ knob: "loseEvents", user: broker.user, count: 1 });
    const { account } = broker;
    const number = account.split("-").at(-1) ?? "";
    await turn({ knob: "cancelOrder", account: Number(number), orderId: Number(orderId) });
    expect(await trader.cancel(orderId)).toEqual(failed("rejected"));
    await trader.waitForReport(orderId, "CANCELED");
  });
});

describe.concurrent("a change", () => {
  test.each([...UNCERTAIN, ...ERROR_5])(
    "whose answer proves nothing is unknown: $name, carried out: $isCarriedOut",
    async ({ fault, isCarriedOut }) => {
      const { trader, fault: plan, asked } = await connected();
      const { orderId } = await trader.limit("BUY", 990);
      await plan(fault, "Order/modify");
      expect(await trader.modify({ orderId, price: px(985) })).toEqual(UNKNOWN);
      expect(await asked("Order/modify")).toBe(1);
      expect((await trader.workingOrder(orderId))?.price).toBe(isCarriedOut ? 985 : 990);
    },
  );

  test.each([true, false])(
    "that is pending is what the order shows, carried out: %s",
    async (isCarriedOut) => {
      const { trader, fault } = await connected();
      const { orderId } = await trader.limit("BUY", 990);
      await fault({ kind: "code", code: 4, isCarriedOut }, "Order/modify");
      const outcome = await trader.modify({ orderId, price: px(985), orderQty: 2 });
      expect(outcome).toEqual(isCarriedOut ? ACCEPTED : UNKNOWN);
    },
  );

  test("of which the hub tells nothing is looked for", async () => {
    const { trader, broker, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    expect(await trader.modify({ orderId, price: px(985) })).toEqual(ACCEPTED);
    expect(trader.lastSeen(orderId)).toMatchObject({ price: 985 });
  });
});

describe.concurrent("a close", () => {
  test.each([...UNCERTAIN, ...ERROR_7])(
    "whose answer proves nothing is found by its tag: $name, carried out: $isCarriedOut",
    async ({ fault, isCarriedOut }) => {
      const { trader, broker, fault: plan, asked } = await connected();
      await trader.place({ orderQty: 3 });
      await trader.waitForPosition(3);
      await plan(fault, "Order/place");
      const clOrdId = trader.newId();
      expect(await trader.closeOut(clOrdId)).toEqual(UNKNOWN);
      const found = await trader.adapter.findOrder(broker.account, clOrdId);
      expect(found?.ordStatus).toBe(isCarriedOut ? "FILLED" : undefined);
      expect(await trader.netQty()).toBe(isCarriedOut ? 0 : 3);
      expect(await asked("Position/closeContract")).toBe(0);
    },
  );

  test("is not sent where what is held cannot be read", async () => {
    const { trader, fault, asked } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "status", status: 502 }, "Position/searchOpen", 2);
    expect(await trader.closeOut()).toEqual(failed("notSent"));
    expect(await asked("Order/place")).toBe(1);
  });

  test("is sent though another row of what is held cannot be read", async () => {
    const { trader, broker, fault } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    const [accountId, contractId] = [numberOf(broker.account), idOf(broker.contract)];
    const row = { accountId, type: 1, size: 1, averagePrice: 1_000 };
    const positions = [
      { ...row, id: 1, contractId },
      { ...row, id: 2 },
    ];
    const body = JSON.stringify({ success: true, errorCode: 0, positions });
    await fault({ kind: "status", status: 200, body }, "Position/searchOpen");
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.waitForPosition(0);
  });

  test("passes an entry that hangs, which keeps its place before all other entries", async () => {
    const { trader, hold, asked } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    const entry = await hold("Order/place");
    const hanging = trader.submit({ ordType: "LIMIT", price: px(990) });
    const behind = trader.submit({ ordType: "LIMIT", price: px(989) });
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.waitForPosition(0);
    // Answered are the one that opened, and the close.
    expect(await asked("Order/place")).toBe(2);
    await entry.letGo();
    const outcomes = await Promise.all([hanging, behind]);
    expect(outcomes.map(({ kind }) => kind)).toEqual(["accepted", "accepted"]);
  });
});

describe.concurrent("orders that are sent without waiting", () => {
  test("leave in their order though answers are slow, and no account waits for another", async () => {
    const { trader, broker, set, hold, asked } = await connected();
    await set({ answerDelayMs: 100 });
    const first = await hold("Order/place");
    const own = Array.from({ length: 5 }, (_, n) => trader.limit("BUY", 990 - n));
    await waitUntil("the first one waits", first.isAsked);
    const other = trader.order({ ordType: "LIMIT", price: px(980) });
    accepted(await trader.adapter.submitOrder(broker.otherAccount, other));
    expect(await asked("Order/place")).toBe(1);
    await first.letGo();
    const ids = (await Promise.all(own)).map(({ orderId }) => orderId);
    expect(ids.map(Number)).toEqual(ids.map(Number).toSorted((one, next) => one - next));
    await waitUntil("all are told", () => trader.reports.length >= ids.length);
  });
});
