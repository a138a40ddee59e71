import { beforeEach, describe, expect, test } from "vitest";
import type { AdjustIntent } from "../../../../src/domain/adjust.ts";
import type { Aim } from "../../../../src/domain/alert.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, clOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { IntentRecord } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { BrokerReadError, type SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  openLane,
  place,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
  USER,
} from "../lane-kit.ts";
import { adjustIntent, namesIn, nextFillsTo, resultOf, to } from "./adjust-kit.ts";
import type { NewIntent } from "../../../../src/trading/orders/ports.ts";

const SEP = "ESU2026" as ContractCode;

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const intent = adjustIntent;
const adjust = (aim: Aim, change: Partial<AdjustIntent> = {}, more: Partial<NewIntent> = {}) =>
  lane.run(intent(aim, change), more);
const names = () => namesIn(lane);
const fillsTo = (...held: number[]) => nextFillsTo(lane, ...held);
const rest = (id: string) => lane.broker.show({ orderId: orderId(id), side: "BUY" });
const thrice = <Value>(value: Value): Value[] => [value, value, value];
/** An earlier order whose outcome nobody knows. */
function putUnknown(): void {
  const now = lane.intents.clock;
  lane.intents.put({
    intentId: intentId("before"),
    accountId: ACCOUNT,
    userId: USER,
    requestId: "r0",
    intent: place(),
    source: { kind: "api" },
    state: "UNKNOWN",
    clOrdIds: [clOrdId("before-1")],
    acceptedAt: now,
    entryExpiresAt: now,
    exitExpiresAt: now,
  });
}

describe("where the position goes", () => {
  test("what is there already needs nothing", async () => {
    lane.broker.held = [position(2)];
    expect(resultOf(await adjust(to(2)))).toEqual({
      kind: "ADJUST",
      contract: ES,
      closed: [],
      canceledOrderIds: [],
      netQty: 2,
      problems: [],
      exits: { kind: "none" },
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("growing is one order for the difference, whose identifier tells it from closes", async () => {
    lane.broker.held = [position(1)];
    fillsTo(3);
    const record = await adjust(to(3));
    expect(lane.broker.sent).toMatchObject([{ side: "BUY", orderQty: 2, clOrdId: "i1-100" }]);
    expect(lane.intents.permits[0]?.entry).toEqual({
      perAccount: 60,
      inAll: 600,
      guardVersion: "",
    });
    expect(resultOf(record)).toMatchObject({
      order: { side: "BUY", orderQty: 2, cumQty: 2, ordStatus: "FILLED", ackMs: 0 },
      netQty: 3,
      problems: [],
    });
  });

  test("a part is closed at the market as an exit, and the exits of the rest stay", async () => {
    lane.broker.held = [position(3)];
    showPair(lane.broker, 3);
    fillsTo(1);
    const limit = { ordType: "LIMIT", timeInForce: "DAY", price: ticks(4_000) } as const;
    const record = await adjust(to(1), { terms: limit });
    expect(names()).toEqual(["submit i1-1"]);
    expect(lane.broker.sent).toMatchObject([{ side: "SELL", orderQty: 2, ordType: "MARKET" }]);
    expect(lane.intents.permits[0]?.entry).toBeUndefined();
    expect(resultOf(record)).toMatchObject({
      closed: [{ contract: ES, netQty: 2 }],
      netQty: 1,
      problems: [],
    });
  });

  test("through zero it closes with its legs, and then enters", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    rest("rests");
    fillsTo(-2);
    const record = await adjust({ to: "reverse" });
    expect(names()).toEqual(["cancel tp", "cancel sl", `close ${ES}`, "submit i1-100"]);
    expect(lane.intents.permits.map(({ entry }) => entry !== undefined)).toEqual([
      false,
      false,
      true,
    ]);
    expect(resultOf(record)).toMatchObject({
      closed: [{ contract: ES, netQty: 2 }],
      canceledOrderIds: ["tp", "sl"],
      order: { side: "SELL", orderQty: 2 },
      netQty: -2,
      problems: [],
    });
  });

  test("another month that is held is closed in its month, and the new one opened", async () => {
    lane.broker.held = [position(1, SEP)];
    fillsTo(-1);
    await adjust(to(-1));
    expect(names()).toEqual([`close ${SEP}`, "submit i1-100"]);
    expect(lane.broker.sent).toMatchObject([{ contract: ES, side: "SELL" }]);
  });

  test("an order that is an exit goes to the month that is held, and is no entry", async () => {
    lane.broker.held = [position(1, SEP)];
    lane.intents.accountKillSwitch = { active: true };
    const record = await adjust({ to: "order", side: "SELL", qty: 1 });
    expect(lane.broker.sent).toMatchObject([{ contract: SEP, side: "SELL", orderQty: 1 }]);
    expect(record.state).toBe("DONE");
  });

  test("what is refused sends nothing", async () => {
    const record = await adjust({ to: "reverse" });
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "NO_POSITION" } });
    expect(lane.broker.commands).toEqual([]);
  });
});

test("what fills while the account is read counts once", async () => {
  const byHand = { clOrdId: clOrdId("manual-1"), side: "BUY", ordType: "MARKET" } as const;
  lane.broker.show({ orderId: orderId("hand"), ...byHand, orderQty: 2, leavesQty: 2 });
  const positions = lane.broker.positions.bind(lane.broker);
  lane.broker.positions = async () => {
    lane.broker.change(orderId("hand"), { ordStatus: "FILLED", cumQty: 2, leavesQty: 0 });
    lane.broker.held = [position(2)];
    return await positions();
  };
  expect((await adjust(to(2))).state).toBe("DONE");
  expect(lane.broker.commands).toEqual([]);
});

test.each<[string, Aim, number, string]>([
  ["a part", { to: "close", qty: 1 }, 0, "NOTSENT"],
  ["a part", { to: "close", percent: 50 }, 2, "NOTSENT"],
  ["a target", to(5), 2, "NOTSENT"],
  ["a part that is held", { to: "close", qty: 1 }, 2, "DONE"],
])("%s closes no more than is held: what a person fills may end", async (_, aim, held, state) => {
  if (held > 0) lane.broker.held = [position(held)];
  const byHand = { clOrdId: clOrdId("manual-1"), side: "BUY", ordType: "MARKET" } as const;
  lane.broker.show({ orderId: orderId("hand"), ...byHand, orderQty: 8, leavesQty: 8 });
  expect((await adjust(aim)).state).toBe(state);
  expect(lane.broker.sent).toHaveLength(state === "DONE" ? 1 : 0);
});

describe("an entry that may not leave", () => {
  const told = (record: IntentRecord) => {
    const { closed, netQty, problems } = resultOf(record);
    return [names(), closed.length, netQty, problems];
  };
  const onlyClosed = (why: string) => [[`close ${ES}`], 1, 0, [expect.stringContaining(why)]];

  test("by a kill switch: the close goes all the same, and the answer says so", async () => {
    lane.broker.held = [position(2)];
    lane.intents.accountKillSwitch = { active: true };
    expect(told(await adjust(to(-2)))).toEqual(
      onlyClosed("The order was not placed: The kill switch is on"),
    );
  });

  test("by the user's kill switch, which only the write-ahead sees", async () => {
    lane.broker.held = [position(2)];
    lane.intents.userKillSwitch = { active: true };
    expect(told(await adjust(to(-2)))).toEqual(onlyClosed("The kill switch is on"));
  });

  test("by its limits", async () => {
    lane.broker.held = [position(2)];
    lane.intents.limits = { maxOrderQty: 2 };
    expect(told(await adjust(to(-3)))).toEqual(onlyClosed("limit of 2 per order"));
  });

  test("by its side: only longs may be opened here", async () => {
    lane.broker.held = [position(2)];
    expect(told(await adjust(to(-2), {}, { entrySide: "BUY" }))).toEqual(
      onlyClosed("Only long positions"),
    );
  });

  test("by its age, also when only the close has made it too old", async () => {
    lane.broker.held = [position(2)];
    lane.broker.next.close.push(() => {
      lane.intents.clock += 30_000;
      return undefined;
    });
    expect(told(await adjust(to(-2)))).toEqual(onlyClosed("longer than an entry may"));
  });

  test("alone, it is denied or expires like a placed order", async () => {
    lane.intents.accountKillSwitch = { active: true };
    expect(await adjust(to(1))).toMatchObject({ outcome: { code: "KILL_SWITCH_ON" } });
    lane.intents.accountKillSwitch = { active: false };
    const id = await lane.accept(intent(to(1)));
    lane.intents.clock += 30_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("EXPIRED");
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("behind an outcome that is unknown", () => {
  test.each<[string, Aim, number]>([
    ["an entry waits", to(2), 0],
    ["so does one after a close, as a whole", to(-2), 1],
    ["and what is refused or done by what is held now", { to: "reverse" }, 0],
    ["and what seems to be there already", to(2), 2],
  ])("%s", async (_, aim, held) => {
    if (held !== 0) lane.broker.held = [position(held)];
    putUnknown();
    const id = await lane.accept(intent(aim));
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.broker.commands).toEqual([]);
  });

  test("so does what is there but for orders that are to go: then its own may be due", async () => {
    lane.broker.held = [position(2)];
    rest("rests");
    putUnknown();
    const id = await lane.accept(intent(to(2), { cancelFirst: true }));
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.broker.commands).toEqual([]);
    lane.broker.held = [position(1)];
    lane.intents.put({ ...lane.record(intentId("before")), state: "LOST" });
    await lane.settlePending(ACCOUNT);
    expect(names()).toEqual(["cancel rests", "submit i1-100"]);
  });

  test.each<[Aim, string]>([
    [to(0), "UNKNOWN"],
    [to(1), "UNKNOWN"],
    [{ to: "close", qty: 1 }, "DONE"],
  ])("%j is an exit, and goes; then it is %s", async (aim, state) => {
    lane.broker.held = [position(2)];
    putUnknown();
    expect((await adjust(aim)).state).toBe(state);
    expect(lane.broker.commands).toHaveLength(1);
  });

  test("an entry whose close is done is not placed if something became unknown meanwhile", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(() => {
      putUnknown();
      return undefined;
    });
    const { problems } = resultOf(await adjust(to(-1)));
    expect(problems).toEqual([expect.stringContaining("an earlier order is not known")]);
    expect(lane.broker.sent).toEqual([]);
  });
});

test("an entry is not placed beside what opened since the close", async () => {
  lane.broker.held = [position(1)];
  lane.broker.next.close.push(() => {
    lane.broker.held = [];
    const read = lane.broker.workingOrders.bind(lane.broker);
    let reads = 0;
    // The first one shows that all is closed, the second one is for the entry.
    lane.broker.workingOrders = async () => {
      reads += 1;
      if (reads === 2) lane.broker.held = [position(1, SEP)];
      return await read();
    };
    const closed = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
    const own = { orderId: orderId("7"), clOrdId: clOrdId("i1-1"), contract: ES } as const;
    lane.broker.report(ACCOUNT, lane.broker.show({ ...own, ...closed }));
    return { kind: "accepted", orderId: orderId("7") };
  });
  const { problems } = resultOf(await adjust(to(-1)));
  expect(problems).toEqual([expect.stringContaining("something is still held")]);
  expect(lane.broker.sent).toEqual([]);
});

describe("the broker's answers", () => {
  test.each<[SubmitOutcome, string]>([
    [REJECTED, "UNFINISHED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the close ends it as %s, and nothing is opened", async (answer, state) => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(...thrice(answer));
    expect((await adjust(to(-1))).state).toBe(state);
    expect(lane.broker.sent).toEqual([]);
  });

  test("a close that goes on being filled opens nothing, and is told", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push({ kind: "accepted", orderId: orderId("7") });
    const { outcome } = await adjust(to(-1));
    expect(outcome).toMatchObject({
      kind: "unknown",
      soFar: {
        problems: [
          "The close of ESZ6 is still being filled",
          expect.stringContaining("The order was not placed"),
        ],
        netQty: 1,
      },
    });
    expect(lane.broker.sent).toEqual([]);
  });

  test("a position that lost its exits to a close that was refused is told as unprotected", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    lane.broker.next.close.push(...thrice(REJECTED));
    lane.broker.next.protect.push(REJECTED);
    expect((await adjust(to(0))).outcome).toMatchObject({
      kind: "unfinished",
      soFar: { unprotected: [{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }], netQty: 2 },
    });
  });

  test.each<[SubmitOutcome, string]>([
    [REJECTED, "REJECTED"],
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to the only order ends it as %s", async (answer, state) => {
    lane.broker.next.submit.push(answer);
    expect((await adjust(to(1))).state).toBe(state);
  });

  test.each([REJECTED, NOT_SENT])("%j to the entry after a close is told", async (answer) => {
    lane.broker.held = [position(1)];
    lane.broker.next.submit.push(answer);
    expect(resultOf(await adjust(to(-1)))).toMatchObject({
      closed: [{ netQty: 1 }],
      netQty: 0,
      problems: [`The order was not placed: ${answer.reason}`],
    });
  });

  test("an entry whose answer is lost after a close leaves all of it unknown", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.submit.push(UNKNOWN);
    expect(await adjust(to(-1))).toMatchObject({ state: "UNKNOWN", clOrdIds: ["i1-1", "i1-100"] });
  });

  test("a part that fills only in part is told", async () => {
    lane.broker.held = [position(3)];
    lane.broker.next.submit.push(() => {
      lane.broker.held = [position(2)];
      const own = { orderId: orderId("7"), clOrdId: clOrdId("i1-1"), contract: ES } as const;
      const ended = { ordStatus: "CANCELED", cumQty: 1, leavesQty: 0 } as const;
      lane.broker.report(ACCOUNT, lane.broker.show({ ...own, ...ended }));
      return { kind: "accepted", orderId: orderId("7") };
    });
    expect((await adjust({ to: "close", qty: 2 })).outcome).toMatchObject({
      kind: "unfinished",
      soFar: { closed: [{ netQty: 1 }], problems: ["Of 2 that were to be closed 1 were closed"] },
    });
  });

  test("a broker that cannot be read between close and entry leaves it unknown", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return undefined;
    });
    expect((await adjust(to(-1))).state).toBe("UNKNOWN");
    expect(lane.broker.sent).toEqual([]);
  });

  test("one that cannot be read at the very end leaves only the figure out", async () => {
    lane.broker.next.submit.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return undefined;
    });
    const result = resultOf(await adjust(to(1)));
    expect(result).toMatchObject({ order: { cumQty: 1 } });
    expect(result).not.toHaveProperty("netQty");
  });
});

test("a store that fell back does not begin it again: it is looked up", async () => {
  lane.setSession({ beganAt: lane.intents.clock + 60_000 });
  lane.broker.held = [position(-1)];
  lane.broker.show({
    orderId: orderId("7"),
    clOrdId: clOrdId("i1-100"),
    ordStatus: "FILLED",
    cumQty: 2,
    leavesQty: 0,
  });
  expect(await adjust({ to: "reverse" })).toMatchObject({
    state: "UNKNOWN",
    clOrdIds: ["i1-100"],
  });
  expect(lane.broker.commands).toEqual([]);
});

describe("a copy", () => {
  const copied = (seq: number, more: Partial<NewIntent> = {}) =>
    adjust(
      to(2),
      {},
      { source: { kind: "copy" }, copy: { leader: accountId("leader"), seq }, ...more },
    );

  test("that a newer one stands for is ended unsent", async () => {
    lane.newestCopies.set(ES, 8);
    const { outcome } = await copied(7);
    expect(outcome).toEqual({
      kind: "overtaken",
      reason: expect.stringMatching(/^A newer copy stands for it/),
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("that is the newest brings the position where it is to be", async () => {
    lane.newestCopies.set(ES, 8);
    lane.newestCopies.set(SEP, 9);
    fillsTo(2);
    expect((await copied(8)).state).toBe("DONE");
    expect(names()).toEqual(["submit i1-100"]);
  });

  test("that may only take something off says so", async () => {
    const { outcome } = await copied(1, { exitsOnly: "The follower is stopped" });
    expect(outcome).toEqual({
      kind: "denied",
      code: "EXITS_ONLY",
      reason: "The follower is stopped",
    });
  });
});

describe("an exit beside what is not understood", () => {
  const shorts = (code: string) => [position(-2, code as ContractCode)];

  test("closes what is, and tells what it left", async () => {
    lane.broker.held = [position(2), ...shorts("#77"), ...shorts("#NQZ6")];
    const problem = "Its type is not known here";
    lane.broker.opaque = [{ orderId: orderId("odd"), problem, contract: ES, side: "SELL" }];
    const { closed, problems } = resultOf(await adjust(to(0)));
    expect(closed).toMatchObject([{ contract: ES, netQty: 2 }]);
    expect(problems).toEqual([
      expect.stringMatching(/Order odd was left/),
      expect.stringMatching(/-2 of #77 are held as well/),
    ]);
  });

  test.each(["#77", "#ESZ6"])("says no flat of what may be held as %s", async (code) => {
    lane.broker.held = shorts(code);
    const told = expect.stringContaining(`-2 of ${code} are held as well`) as string;
    expect(resultOf(await adjust(to(0))).problems).toEqual([told]);
    const { outcome } = await adjust({ to: "close", percent: 100 });
    expect(outcome).toMatchObject({ kind: "denied", code: "NO_POSITION", reason: told });
    expect(lane.broker.commands).toEqual([]);
  });
});
