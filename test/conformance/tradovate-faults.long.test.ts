import assert from "node:assert/strict";
import { describe, expect, onTestFinished, test } from "vitest";
import { legIdOf } from "../../src/domain/ids.ts";
import type { Fault } from "../simulators/tradovate/faults.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted, atDistance, atPrice, px } from "./broker-under-test.ts";
import { tradovateCases } from "./tradovate-case.ts";
import { TERMS } from "./tradovate-kit.ts";

const { connected, wire } = tradovateCases();

const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };

describe.concurrent("a command whose answer proves nothing", () => {
  test.each<[string, Fault]>([
    ["an empty answer", { kind: "empty", isCarriedOut: true }],
    ["success without a number", { kind: "successWithoutId", isCarriedOut: true }],
    ["a server error", { kind: "status", status: 502, isCarriedOut: true }],
    ["a reason of nothing", { kind: "failure", failureReason: "UnknownReason" }],
    ["a reason nobody knows", { kind: "failure", failureReason: "FullMoon" }],
  ])("%s is unknown, and the look-up tells", async (_, fault) => {
    const { trader, fault: plan } = await connected();
    await plan(fault, "order/placeorder");
    const clOrdId = trader.newId();
    expect((await trader.submit({ clOrdId })).kind).toBe("unknown");
    const isCarriedOut = "isCarriedOut" in fault && fault.isCarriedOut === true;
    if (isCarriedOut) await trader.waitForPosition(1);
    const found = await trader.adapter.findOrder(trader.broker.account, clOrdId);
    expect(found?.ordStatus).toBe(isCarriedOut ? "FILLED" : undefined);
  });

  test.each([true, false])(
    "an order whose link is cut is found in the next session where it was placed: %s",
    async (isCarriedOut) => {
      const { trader, broker, fault } = await connected();
      await fault({ kind: "drop", isCarriedOut }, "order/placeorder");
      const clOrdId = trader.newId();
      expect((await trader.submit({ clOrdId })).kind).toBe("unknown");
      await trader.broken();
      await trader.connect();
      const found = await trader.adapter.findOrder(broker.account, clOrdId);
      expect(found?.ordStatus).toBe(isCarriedOut ? "FILLED" : undefined);
    },
  );

  test("an answer that is late is waited for, and the order is placed once", async () => {
    const { trader, broker, fault } = await connected();
    await fault({ kind: "delay", ms: 300 }, "order/placeorder");
    accepted(await trader.submit());
    expect(await trader.adapter.fills(broker.account, 0)).toHaveLength(1);
  });

  test("an order of which the socket told nothing is looked for, and the session is over", async () => {
    const { trader, broker, turn } = await connected();
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    const clOrdId = trader.newId();
    const outcome = accepted(await trader.submit({ clOrdId, ordType: "LIMIT", price: px(990) }));
    expect(trader.lastSeen(outcome.orderId)).toMatchObject({ clOrdId, price: 990 });
    expect(String(await trader.broken())).toMatch(/did not tell of order/);
    expect(broker.told).toContainEqual(expect.stringMatching(/did not tell of order/));
    await turn({ knob: "loseEvents", user: broker.user, count: 0 });
    await trader.connect();
    const found = await trader.adapter.findOrder(broker.account, clOrdId);
    expect(found).toMatchObject({ orderId: outcome.orderId, clOrdId, price: 990 });
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("an order that is told of nowhere is unknown", async () => {
    const { trader, broker, set, turn } = await connected();
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    await set({ listLagMs: 60_000 });
    expect((await trader.submit()).kind).toBe("unknown");
  });

  test("a cancel of which the socket told nothing is looked for", async () => {
    const { trader, broker, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await turn({ knob: "loseEvents", user: broker.user, count: 1_000 });
    expect((await trader.cancel(orderId)).kind).toBe("accepted");
    expect(trader.lastSeen(orderId)?.ordStatus).toBe("CANCELED");
    await trader.broken();
  });
});

// By itself: what the broker holds back, and for how long, goes by the time of the machine.
describe("a command that the broker did not carry out", () => {
  test.each<[string, Fault, string]>([
    ["a refusal", { kind: "failure", failureReason: "LiquidationOnly" }, "rejected"],
    ["an error text", { kind: "errorText", errorText: "Not today" }, "rejected"],
    ["a violation", { kind: "violations", constraint: "x", description: "Too long" }, "rejected"],
    ["a captcha", { kind: "ticket", seconds: 1, captcha: true }, "notSent"],
    ["a long penalty", { kind: "ticket", seconds: 60 }, "notSent"],
    ["a wrong environment", { kind: "status", status: 403 }, "notSent"],
  ])("%s is not unknown", async (_, fault, kind) => {
    const { trader, fault: plan } = await connected();
    await plan(fault, "order/placeorder");
    const outcome = await trader.submit();
    expect(outcome).toEqual({ kind, reason: expect.stringMatching(/\w/) });
    expect(await trader.netQty()).toBe(0);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("a penalty without a captcha is sat out, and the order is placed once", async () => {
    const { trader, fault } = await connected();
    await fault({ kind: "ticket", seconds: 1 }, "order/placeorder");
    accepted(await trader.submit());
    await trader.waitForPosition(1);
    expect(await trader.adapter.fills(trader.broker.account, 0)).toHaveLength(1);
  });

  test("an accepted order that the risk check refuses is rejected in the broker's words", async () => {
    const { trader, fault } = await connected();
    const text = "Your maximum order quantity has been met.";
    await fault({ kind: "riskReject", rejectReason: "MaxOrderQtyLimitReached", text });
    expect(await trader.submit()).toEqual({ kind: "rejected", reason: text });
    const [told] = trader.reports;
    expect(told?.report).toMatchObject({ execType: "REJECTED", order: { text } });
  });

  test("an order larger than the account may place is rejected in the broker's words", async () => {
    const { trader, set } = await connected();
    await set({ maxOrderQty: 1 });
    const reason = expect.stringMatching(/maximum order quantity/) as string;
    expect(await trader.submit({ orderQty: 2 })).toEqual({ kind: "rejected", reason });
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("who may not write any more sends nothing, and its session ends", async () => {
    let mayWrite = true;
    const { trader } = await connected({ mayWrite: () => mayWrite });
    mayWrite = false;
    expect((await trader.submit()).kind).toBe("notSent");
    expect(await trader.broken()).toMatchObject({ message: "Sending is not allowed any more" });
    mayWrite = true;
    await trader.connect();
    expect(await trader.netQty()).toBe(0);
  });

  test.each(["TooLate", 404, 401] as const)(
    "a cancel that comes too late is rejected, and asks for no new token: %s",
    async (cancelOfDeadOrder) => {
      const { trader, set, fault, asked } = await connected();
      await set({ cancelOfDeadOrder });
      const { orderId } = await trader.limit("BUY", 990);
      await fault({ kind: "tooLate" }, "order/cancelorder");
      expect((await trader.cancel(orderId)).kind).toBe("rejected");
      expect(await asked("renewaccesstoken")).toBe(0);
    },
  );

  test.each(["TooLate", 404, 401] as const)(
    "the cancel of an order that is gone is a rejection, not a dead token: %s",
    async (cancelOfDeadOrder) => {
      const { trader, broker, set, turn } = await connected();
      await set({ cancelOfDeadOrder });
      const { orderId } = await trader.limit("BUY", 990);
      await turn({ knob: "cancelOrder", user: broker.user, orderId: Number(orderId) });
      expect((await trader.cancel(orderId)).kind).toBe("rejected");
      expect((await trader.submit()).kind).toBe("accepted");
    },
  );

  test("too many requests lock out for an hour, in which exits alone ask, now and then", async () => {
    const { trader, fault, asked } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "status", status: 429 }, "order/placeorder");
    expect((await trader.submit()).kind).toBe("notSent");
    const before = await asked("order/placeorder");
    expect((await trader.submit()).kind).toBe("notSent");
    expect(await asked("order/placeorder")).toBe(before);
    await fault({ kind: "status", status: 429 }, "order/placeorder");
    expect((await trader.closeOut()).kind).toBe("notSent");
    expect((await trader.closeOut()).kind).toBe("notSent");
    expect(await asked("order/placeorder")).toBe(before + 1);
  });

  test("a lockout that is over by then lets a close through, and with it all else", async () => {
    const { trader, fault } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "status", status: 429 }, "order/placeorder");
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.waitForPosition(0);
    expect((await trader.submit()).kind).toBe("accepted");
  });

  test("a session that is lost in a lockout that is over by then is there again for exits", async () => {
    let offset = 0;
    const given = await connected({ elapsed: () => performance.now() + offset });
    const { trader, broker, fault } = given;
    await trader.place();
    const { orderId } = await trader.limit("BUY", 990);
    // Of two endpoints, by which it is the user's.
    for (const endpoint of ["order/placeorder", "order/modifyorder"]) {
      await fault({ kind: "status", status: 429 }, endpoint);
    }
    expect((await trader.submit()).kind).toBe("notSent");
    expect((await trader.modify({ orderId, price: px(991) })).kind).toBe("notSent");
    await broker.breakSession();
    await trader.broken();
    offset = 1_500;
    await trader.connect();
    expect((await trader.closeOut()).kind).toBe("accepted");
    await trader.waitForPosition(0);
  });

  test("what other programs of the user ask for counts: after its warning only exits are sent", async () => {
    const { trader, broker, set, turn, asked } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await set({ userLimit: { perHour: 5_000 } });
    await turn({ knob: "useQuota", user: broker.user, requests: 5_000 });
    expect((await trader.submit()).kind).toBe("notSent");
    const before = await asked("order/placeorder");
    expect(await trader.submit()).toMatchObject({ kind: "notSent" });
    expect(await asked("order/placeorder")).toBe(before);
    // Heard, tried once more, and refused by the broker: nothing was done, which is said.
    expect(await trader.closeOut()).toMatchObject({ kind: "notSent" });
    expect(await asked("order/placeorder")).toBe(before + 2);
  });

  test("after a warning entries wait, and exits go on", async () => {
    const { trader, fault } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    await fault({ kind: "status", status: 423 }, "order/placeorder");
    expect((await trader.submit()).kind).toBe("notSent");
    expect(await trader.submit()).toMatchObject({ kind: "notSent" });
    expect(await trader.cancel(orderId)).toEqual({ kind: "accepted" });
  });

  test("after a warning an entry is not re-priced, and whatever closes or shrinks goes on", async () => {
    const { trader, fault } = await connected();
    await trader.place({ orderQty: 2 });
    await trader.waitForPosition(2);
    const { orderId: entry } = await trader.limit("BUY", 990, { orderQty: 2 });
    const { orderId: exit } = await trader.limit("SELL", 1_010, { orderQty: 2 });
    await fault({ kind: "status", status: 423 }, "order/placeorder");
    expect((await trader.submit()).kind).toBe("notSent");
    const reason = expect.stringMatching(/kept for exits/) as string;
    for (const change of [{ price: px(991) }, { orderQty: 3 }]) {
      expect(await trader.modify({ orderId: entry, ...change })).toEqual({
        kind: "notSent",
        reason,
      });
    }
    // Beyond what is held it would open a position the other way.
    expect(await trader.modify({ orderId: exit, orderQty: 3 })).toEqual({
      kind: "notSent",
      reason,
    });
    expect(await trader.modify({ orderId: entry, orderQty: 1 })).toEqual({ kind: "accepted" });
    expect(await trader.modify({ orderId: exit, price: px(1_011) })).toEqual({ kind: "accepted" });
    expect((await trader.closeOut()).kind).toBe("accepted");
  });

  test("a question that is put off keeps no exit back", async () => {
    const { trader, fault } = await connected();
    await trader.place();
    await trader.waitForPosition(1);
    await fault({ kind: "ticket", seconds: 10 }, "account/list", 20);
    expect(await trader.netQty()).toBe(1);
    expect((await trader.closeOut()).kind).toBe("accepted");
  });

  test("a budget that is used up refuses entries in words, and lets exits through", async () => {
    const { trader } = await connected({ limits: { perHour: 10_000, perMinute: 300 } });
    const { orderId } = await trader.limit("BUY", 990);
    let last = await trader.submit({ ordType: "LIMIT", price: px(980) });
    for (let n = 0; n < 100 && last.kind === "accepted"; n += 1) {
      last = await trader.submit({ ordType: "LIMIT", price: px(980) });
    }
    expect(last).toEqual({ kind: "notSent", reason: expect.stringMatching(/kept for exits/) });
    expect(await trader.cancel(orderId)).toEqual({ kind: "accepted" });
    // What the broker pushes is still the broker's word.
    expect((await trader.working()).length).toBeGreaterThan(0);
  });
});

describe.concurrent("legs that the broker does not keep", () => {
  test("a leg by distance of a limit entry goes where the first fill says", async () => {
    const { trader } = await connected();
    const legs = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
    const taken = await trader.limit("BUY", 1_005, { bracket: legs });
    await trader.waitForPosition(1);
    await waitUntil("the legs have moved", async () => {
      const target = await trader.workingOrder(taken.takeProfitOrderId);
      const stop = await trader.workingOrder(taken.stopLossOrderId);
      return target?.price === 1_012 && stop?.stopPx === 993;
    });
    expect(await trader.working()).toHaveLength(2);
  });

  test("legs that follow a market entry grow with its next fills", async () => {
    const { trader } = await connected();
    await trader.market(999, 1_000, 2);
    const legs = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
    const taken = await trader.place({ orderQty: 5, bracket: legs });
    await trader.market(999, 1_000, 10);
    await trader.waitForPosition(5);
    await waitUntil("the legs have grown", async () => {
      const target = await trader.workingOrder(taken.takeProfitOrderId);
      const stop = await trader.workingOrder(taken.stopLossOrderId);
      return target?.leavesQty === 5 && stop?.leavesQty === 5;
    });
    const target = await trader.workingOrder(taken.takeProfitOrderId);
    expect(target).toMatchObject({ role: "TAKE_PROFIT", parentOrderId: taken.orderId });
  });

  test.each([
    [1, "TAKE_PROFIT"],
    [2, "STOP_LOSS"],
  ] as const)("a leg that was named and is not there is placed: %i", async (leg, role) => {
    const { trader, broker, fault } = await connected();
    await fault({ kind: "legMissing", leg }, "order/placeoso");
    const clOrdId = trader.newId();
    const taken = await trader.place({ clOrdId, bracket });
    const missing = leg === 1 ? taken.takeProfitOrderId : taken.stopLossOrderId;
    expect(missing).toBeUndefined();
    await trader.waitForPosition(1);
    await waitUntil("both legs work", async () => (await trader.working()).length === 2);
    const found = await trader.adapter.findOrder(broker.account, legIdOf(clOrdId, role));
    expect(found).toMatchObject({ ordStatus: "NEW", leavesQty: 1 });
  });

  test("a leg that outlives its sibling's fill is ended", async () => {
    const { trader, set } = await connected();
    await set({ osoLegsLinked: false });
    const taken = await trader.place({ bracket });
    await trader.waitForPosition(1);
    await trader.market(1_010, 1_011);
    await trader.waitForPosition(0);
    await waitUntil("nothing is left", async () => (await trader.working()).length === 0);
    expect((await trader.waitForReport(taken.stopLossOrderId, "CANCELED")).order.cumQty).toBe(0);
  });

  test("also after a cancel of the other one that was refused in its own time", async () => {
    const { trader, set, fault } = await connected();
    await set({ osoLegsLinked: false });
    const taken = await trader.place({ bracket });
    await trader.waitForPosition(1);
    await set({ answerDelay: { ms: 600, endpoints: ["order/cancelorder"] } });
    await fault({ kind: "failure", failureReason: "AnotherCommandPending" }, "order/cancelorder");
    const target = taken.takeProfitOrderId ?? assert.fail("the answer names the target");
    expect((await trader.cancel(target)).kind).toBe("rejected");
    await trader.market(1_010, 1_011);
    await trader.waitForPosition(0);
    await waitUntil("nothing is left", async () => (await trader.working()).length === 0);
  });

  test.each([true, false])(
    "the cancel of a leg ends the other one where the broker leaves it, live or waiting: %s",
    async (isLive) => {
      const { trader, set } = await connected();
      await set({ cancelEndsSibling: false });
      const taken = await trader.limit("BUY", isLive ? 1_000 : 995, { bracket });
      await trader.waitForPosition(isLive ? 1 : 0);
      const target = taken.takeProfitOrderId ?? assert.fail("the answer names the target");
      expect(await trader.cancel(target)).toEqual({ kind: "accepted" });
      await trader.waitForReport(taken.stopLossOrderId, "CANCELED");
      await trader.waitForWorking(...(isLive ? [] : [taken.orderId]));
    },
  );

  test("what an entry had filled when it was canceled is protected", async () => {
    const { trader, set } = await connected();
    await set({ activateOnFullFillOnly: true });
    const { orderId: entry } = await trader.limit("BUY", 995, { orderQty: 4, bracket });
    await trader.market(994, 995, 1);
    await trader.waitForPosition(1);
    expect(await trader.cancel(entry)).toEqual({ kind: "accepted" });
    await waitUntil("one contract is protected", async () => {
      const live = (await trader.working()).filter(({ ordStatus }) => ordStatus === "NEW");
      return live.length === 2 && live.every(({ leavesQty }) => leavesQty === 1);
    });
  });

  test("what an entry fills while its legs wait for the rest is said aloud", async () => {
    const { trader, broker, set } = await connected();
    await set({ activateOnFullFillOnly: true });
    await trader.limit("BUY", 995, { orderQty: 4, bracket });
    await trader.market(994, 995, 1);
    await trader.waitForPosition(1);
    await waitUntil("it is told", () => broker.told.length > 0);
    expect(broker.told[0]).toMatch(/do not work yet/);
  });

  test("what was closed meanwhile gets no exits any more", async () => {
    const begunAt = performance.now();
    let offset: number | undefined;
    // The pause does not end before the test says so.
    const elapsed = () => (offset === undefined ? begunAt : performance.now() + offset);
    const given = await connected({ elapsed });
    const { trader, broker, fault, asked } = given;
    await fault({ kind: "failure", failureReason: "TradingLocked" }, "order/placeoco");
    const legs = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
    await trader.place({ bracket: legs });
    const before = await asked("order/placeoco");
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    // Past the pause after the refusal; that another entry's leg is placed shows that it was looked.
    offset = 2_000;
    const { otherContract: contract } = broker;
    await broker.setMarket(contract, { bid: 999, ask: 1_000 });
    await fault({ kind: "legMissing", leg: 1 }, "order/placeoso");
    await trader.place({ contract, bracket });
    await waitUntil("both legs work", async () => (await trader.working()).length === 2);
    expect(await asked("order/placeoco")).toBe(before);
    expect((await trader.working()).map((order) => order.contract)).toEqual([contract, contract]);
  });

  test("a pair that the broker cancels over a change is placed again where it was moved to", async () => {
    const { trader, set } = await connected();
    const taken = await trader.place({ bracket });
    await trader.waitForPosition(1);
    await set({ modifyOfLegCancelsBoth: true });
    const orderId = taken.stopLossOrderId ?? assert.fail("the answer names the stop");
    await trader.modify({ orderId, stopPx: px(985) });
    await trader.waitForReport(taken.takeProfitOrderId, "CANCELED");
    await set({ modifyOfLegCancelsBoth: false });
    await waitUntil("both legs work again", async () => (await trader.working()).length === 2);
    const levels = (await trader.working()).map(({ price, stopPx }) => price ?? stopPx);
    expect(levels).toEqual([1_010, 985]);
  });

  test("exits that cannot be placed are said aloud", async () => {
    const { trader, broker, fault } = await connected();
    const refusal = { kind: "failure", failureReason: "TradingLocked" } as const;
    await fault(refusal, "order/placeoco", 10);
    const legs = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
    const taken = await trader.place({ bracket: legs });
    expect(taken.stopLossOrderId).toBeUndefined();
    await waitUntil("it is told", () => broker.told.length > 0);
    expect(broker.told[0]).toMatch(/could not be placed: TradingLocked/);
  });
});

describe.concurrent("legs of which it is unknown whether they were placed", () => {
  test.each([true, false])("they are not placed again, and found by name: %s", async (isThere) => {
    const { trader, broker, fault, asked } = await connected();
    await fault({ kind: "empty", isCarriedOut: isThere }, "order/placeoco");
    const before = await asked("order/placeoco");
    const legs = { takeProfit: atDistance(12), stopLoss: atDistance(7) };
    const taken = await trader.place({ bracket: legs });
    await waitUntil("it is told", () => broker.told.length > 0);
    expect(broker.told[0]).toMatch(/unknown whether the exits/);
    await trader.waitForPosition(1);
    expect((await trader.working()).length).toBe(isThere ? 2 : 0);
    expect(taken.stopLossOrderId).toBeUndefined();
    expect(await asked("order/placeoco")).toBe(before + 1);
  });
});

describe.concurrent("what the broker says of accounts", () => {
  test.each(["closed", "restricted", "readonly", "archived"] as const)(
    "one that is %s may not trade",
    async (flag) => {
      const { trader, broker, turn } = await connected();
      await turn({ knob: "account", account: `${broker.user}-1`, [flag]: true });
      const accounts = await trader.adapter.accounts();
      const activeOf = (id: string) => accounts.find((one) => one.accountId === id)?.active;
      expect([activeOf(broker.account), activeOf(broker.otherAccount)]).toEqual([false, true]);
    },
  );

  test("an order that another program places is read and reported as any other", async () => {
    const { trader, broker, turn } = await connected();
    const { user: name, contract } = broker;
    const symbol = `${contract.slice(0, -4)}${contract.slice(-1)}`;
    const of = { accountSpec: `${name}-1`, accountId: Number(broker.account.split("-").at(-1)) };
    const market = { action: "Buy", symbol, orderQty: 2, orderType: "Market", isAutomated: false };
    await turn({ knob: "placeOrder", user: name, order: { ...of, ...market } });
    await trader.waitForPosition(2);
    const [fill] = await trader.adapter.fills(broker.account, 0);
    const { order } = await trader.waitForReport(fill?.orderId, "TRADE");
    expect(order).toMatchObject({ ordStatus: "FILLED", cumQty: 2 });
  });

  test("orders are taken where the device must be known", async () => {
    const { trader, set } = await connected();
    await set({ deviceIdForOrders: "always" });
    expect((await trader.submit()).kind).toBe("accepted");
  });
});

// One after another: the broker's day goes on, and the last one reads what all have sent.
describe("what the broker says of contracts", () => {
  test("a tick or a value other than ours is told once", async () => {
    const es = TERMS.product("ES") ?? assert.fail("ES is in the table");
    const contracts = { product: () => ({ ...es, pointValue: "5" }) };
    const { trader, broker } = await connected({ contracts });
    await trader.place();
    await trader.place();
    expect(broker.told).toEqual([`${broker.contract} pointValue 5 50`]);
  });

  test("an order for one that has expired is rejected in the broker's words", async () => {
    const { trader, broker, turn } = await connected();
    const { contract } = broker;
    await turn({ knob: "expireContract", contract });
    onTestFinished(() => turn({ knob: "expireContract", contract, isExpired: false }));
    const reason = expect.stringMatching(/\w/) as string;
    expect(await trader.submit()).toEqual({ kind: "rejected", reason });
  });

  test("an order for the day ends with the broker's day", async () => {
    const { trader, turn } = await connected();
    const { orderId } = await trader.limit("BUY", 990);
    const ms = 86_400_000;
    await turn({ knob: "advance", ms });
    onTestFinished(() => turn({ knob: "advance", ms: -ms }));
    expect((await trader.waitForReport(orderId, "EXPIRED")).order.leavesQty).toBe(0);
  });

  test("a contract is looked up once, and not again in the next session", async () => {
    const { trader, broker, asked } = await connected();
    await trader.place();
    await broker.breakSession();
    await trader.broken();
    await trader.connect();
    await trader.place();
    expect(await asked("contract/find")).toBe(1);
  });

  test("every command carries the mark of an automated one, and nobody else's fields", async () => {
    const { trader } = await connected();
    const clOrdId = trader.newId();
    await trader.place({ clOrdId, bracket });
    const sent = JSON.stringify(await wire());
    expect(sent).toContain(clOrdId);
    expect(sent).not.toContain("customTag50");
  });
});
