import { beforeEach, describe, expect, test } from "vitest";
import { missingExits } from "../../../../src/domain/asked-exits.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { OrderReport } from "../../../../src/domain/order.ts";
import { BrokerReadError, type SubmitOutcome } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  NQ,
  openLane,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

type Flatten = Extract<Intent, { kind: "FLATTEN" }>;
const flatten = (change: Partial<Flatten> = {}) =>
  lane.run({ kind: "FLATTEN", cancelResting: false, ...change });
const names = () => lane.broker.commands.map(([name, what]) => `${String(name)} ${String(what)}`);
const closes = () => names().filter((name) => name.startsWith("close"));
const accepted: SubmitOutcome = { kind: "accepted", orderId: orderId("7") };

describe("beside a position that cannot be read", () => {
  const nameless = { problem: "Position 7 cannot be read" };
  beforeEach(() => {
    lane.broker.held = [position(2)];
    lane.broker.opaqueHeld = [nameless];
  });
  const leg = (id: string, contract = ES) =>
    lane.broker.show({ orderId: orderId(id), contract, role: "STOP_LOSS", ordType: "STOP" });

  test("everything that can be is closed, and it is said what was not", async () => {
    leg("sl");
    leg("unread", NQ);
    lane.broker.show({ orderId: orderId("entry"), contract: NQ });
    const { outcome } = await flatten({ cancelResting: true });
    expect(names()).toEqual(["cancel sl", "cancel entry", `close ${ES}`]);
    expect(outcome).toMatchObject({
      kind: "done",
      result: {
        closed: [{ contract: ES, netQty: 2 }],
        problems: ["Position 7 cannot be read, so it was not closed. Look at it at the broker"],
      },
    });
  });

  test.each([
    [{ root: "ES" }, nameless, 1],
    [{ root: "ES" }, { ...nameless, contract: ES }, 1],
    [{ root: "ES" }, { ...nameless, contract: NQ }, 0],
  ])("where %j is meant and it is %j, %i of them is named", async (scope, opaque, count) => {
    lane.broker.opaqueHeld = [opaque];
    const { outcome } = await flatten(scope);
    expect(names()).toEqual([`close ${ES}`]);
    expect(outcome).toHaveProperty("result.problems.length", count);
  });
});

describe("what is ended", () => {
  test("a flat account is done at once, and nothing is sent", async () => {
    const { outcome } = await flatten({ cancelResting: true });
    expect(outcome).toMatchObject({ result: { closed: [], canceledOrderIds: [] } });
    expect(lane.broker.commands).toEqual([]);
  });

  test("every position and its legs, legs first; entries rest on", async () => {
    lane.broker.held = [position(2), position(-1, NQ)];
    showPair(lane.broker);
    lane.broker.show({ orderId: orderId("entry"), side: "BUY" });
    const { outcome } = await flatten();
    expect(names()).toEqual(["cancel tp", "cancel sl", `close ${ES}`, `close ${NQ}`]);
    expect(outcome).toEqual({
      kind: "done",
      result: {
        kind: "FLATTEN",
        closed: [
          {
            contract: ES,
            netQty: 2,
            orderId: "101",
          },
          {
            contract: NQ,
            netQty: -1,
            orderId: "102",
          },
        ],
        canceledOrderIds: ["tp", "sl"],
        remaining: [],
        remainingOrderIds: [],
        problems: [],
      },
    });
  });

  test("every resting order, where that is asked; legs that wait go with their entry", async () => {
    lane.broker.show({ orderId: orderId("entry"), side: "BUY" });
    lane.broker.show({ orderId: orderId("held"), role: "STOP_LOSS", ordStatus: "HELD" });
    await flatten({ cancelResting: true });
    expect(names()).toEqual(["cancel entry"]);
  });

  test("and what a person has put aside, which nothing else would end", async () => {
    const aside = { role: "ORDER", ordStatus: "HELD", ordType: "MARKET" } as const;
    lane.broker.show({ orderId: orderId("aside"), side: "BUY", ...aside });
    await flatten();
    expect(names()).toEqual([]);
    await flatten({ cancelResting: true });
    expect(names()).toEqual(["cancel aside"]);
  });

  test("one root only, where one is named", async () => {
    lane.broker.held = [position(2), position(-1, NQ)];
    showPair(lane.broker);
    await flatten({ root: "NQ" });
    expect(names()).toEqual([`close ${NQ}`]);
  });

  test("a leg that its pair's cancel took along counts as cancelled", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("sl"), { ordStatus: "CANCELED", leavesQty: 0 });
      return { kind: "accepted" };
    });
    const { outcome } = await flatten();
    expect(outcome).toMatchObject({ result: { canceledOrderIds: ["tp", "sl"] } });
  });

  test("an order that fills instead is closed in the next round", async () => {
    lane.broker.show({ orderId: orderId("entry"), side: "BUY", clOrdId: "e" as never });
    lane.broker.next.cancel.push(() => {
      lane.broker.change(orderId("entry"), { ordStatus: "FILLED", leavesQty: 0 });
      lane.broker.held = [position(1)];
      return REJECTED;
    });
    const { outcome } = await flatten({ cancelResting: true });
    expect(names()).toEqual(["cancel entry", `close ${ES}`]);
    expect(outcome).toMatchObject({
      result: { closed: [{ netQty: 1 }], canceledOrderIds: [], remaining: [], problems: [] },
    });
  });
});

describe("the symbol that an alert names", () => {
  test("another root that is held refuses everything, and sends nothing", async () => {
    lane.broker.held = [position(1), position(1, NQ)];
    const record = await flatten({ mustHold: "NQ", cancelResting: true });
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "SYMBOL_MISMATCH" } });
    expect(lane.broker.commands).toEqual([]);
  });

  test("what has no name refuses nothing: it is left, and told", async () => {
    lane.broker.held = [position(2), position(1, "#77" as ContractCode)];
    lane.broker.opaque = [{ orderId: orderId("odd"), problem: "It names no contract" }];
    const { outcome } = await flatten({ mustHold: "ES", cancelResting: true });
    expect(names()).toEqual([`close ${ES}`]);
    expect(outcome).toMatchObject({
      kind: "done",
      result: {
        closed: [{ contract: ES }],
        problems: [expect.stringMatching(/Order odd/), expect.stringMatching(/1 of #77 are held/)],
      },
    });
    lane.broker.held = [position(2), position(1, "#77" as ContractCode), position(1, NQ)];
    expect((await flatten({ mustHold: "ES" })).state).toBe("DENIED");
  });

  test.each([{ mustHold: "ES" }, { root: "ES" }, { root: "ES", contract: ES }])(
    "what its broker calls so is closed, though it tells no more of it: %j",
    async (of) => {
      lane.broker.held = [position(2, "#ESZ6" as ContractCode)];
      await flatten(of);
      expect(names()).toEqual(["close #ESZ6"]);
    },
  );

  test.each([
    ["the same root", [position(1)]],
    ["nothing", []],
  ])("%s that is held lets it through", async (_, held) => {
    lane.broker.held = held;
    expect((await flatten({ mustHold: "ES" })).state).toBe("DONE");
  });
});

/** The nth order of the flatten ends like this, as reported before its answer. */
const endsAs = (nth: number, change: Partial<OrderReport>) => () => {
  const id = orderId(`c${nth}`);
  const report = { orderId: id, clOrdId: `i1-${nth}` as never, leavesQty: 0, ...change };
  lane.broker.report(ACCOUNT, lane.broker.show(report));
  return { kind: "accepted", orderId: id } as const;
};

describe("rounds", () => {
  test("a contract is closed again only when the close before is terminal", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(accepted);
    const { outcome } = await flatten();
    expect(closes()).toEqual([`close ${ES}`]);
    expect(lane.waits[0]).toBe(3_000);
    expect(outcome).toMatchObject({ soFar: { remaining: [{ contract: ES, netQty: 1 }] } });
  });

  test("a close that ends without closing is not repeated at once", async () => {
    lane.broker.held = [position(1)];
    const inVain = (nth: number) => endsAs(nth, { ordStatus: "CANCELED", text: "Halted" });
    lane.broker.next.close.push(...[1, 2, 3, 4].map(inVain));
    const { clOrdIds, state } = await flatten();
    expect([closes().length, clOrdIds, state]).toEqual([1, ["i1-1"], "UNFINISHED"]);
  });

  test("one that is not terminal keeps the other contracts from nothing", async () => {
    lane.broker.held = [position(1), position(2, NQ)];
    lane.broker.next.close.push(accepted);
    const { outcome } = await flatten();
    expect(closes()).toEqual([`close ${ES}`, `close ${NQ}`]);
    expect(outcome).toMatchObject({
      kind: "unknown",
      soFar: {
        closed: [{ contract: NQ, netQty: 2 }],
        remaining: [{ contract: ES, netQty: 1 }],
      },
    });
  });

  test("one that goes on being filled is followed, and neither cancelled nor doubled", async () => {
    lane.broker.held = [position(2)];
    lane.broker.next.close.push(() => {
      lane.broker.held = [position(1)];
      const order = { clOrdId: clOrdId("i1-1"), contract: ES, side: "SELL" } as const;
      lane.broker.show({
        ...order,
        orderId: orderId("c1"),
        ordType: "MARKET",
        ordStatus: "PARTIALLY_FILLED",
        cumQty: 1,
        leavesQty: 1,
      });
      return { kind: "accepted", orderId: orderId("c1") };
    });
    const { outcome } = await flatten();
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["close"]);
    expect(outcome).toMatchObject({
      kind: "unknown",
      soFar: {
        closed: [{ contract: ES, netQty: 1, orderId: "c1" }],
        canceledOrderIds: [],
        remaining: [{ contract: ES, netQty: 1 }],
        remainingOrderIds: [],
        problems: ["The close of ESZ6 is still being filled"],
      },
    });
  });

  test("an exit at the market that is still being filled makes way, whoever asks", async () => {
    lane.broker.held = [position(1)];
    lane.broker.show({ orderId: orderId("7"), contract: ES, side: "SELL", ordType: "MARKET" });
    await lane.run({ kind: "FLATTEN", cancelResting: false });
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["cancel", "close"]);
  });

  test("an entry at the market that is still being filled goes too, and what it filled is closed", async () => {
    lane.broker.held = [position(3)];
    const filling = {
      side: "BUY",
      ordType: "MARKET",
      orderQty: 10,
      cumQty: 3,
      leavesQty: 7,
    } as const;
    lane.broker.show({ orderId: orderId("buy"), ...filling });
    lane.broker.next.cancel.push(() => {
      lane.broker.held = [position(4)];
      return undefined;
    });
    const { outcome } = await flatten({ root: "ES" });
    expect(names()).toEqual(["cancel buy", `close ${ES}`]);
    expect(outcome).toMatchObject({
      result: { closed: [{ netQty: 4 }], canceledOrderIds: ["buy"], remaining: [] },
    });
  });

  test("of a flat contract an entry that is still being filled is cancelled", async () => {
    lane.broker.show({ orderId: orderId("buy"), side: "BUY", ordType: "MARKET" });
    await flatten();
    expect(names()).toEqual(["cancel buy"]);
  });

  test("nothing is closed beside an order that fills and will not be cancelled", async () => {
    lane.broker.held = [position(7), position(1, NQ)];
    const filling = { side: "SELL", ordType: "MARKET", orderQty: 10, cumQty: 3 } as const;
    lane.broker.show({ orderId: orderId("sell"), leavesQty: 7, ...filling });
    lane.broker.next.cancel.push(REJECTED, REJECTED, REJECTED);
    const { outcome } = await flatten();
    expect(closes()).toEqual([`close ${NQ}`]);
    expect(outcome).toMatchObject({
      kind: "unfinished",
      soFar: { remaining: [{ contract: ES, netQty: 7 }], remainingOrderIds: ["sell"] },
    });
  });

  test("one that was filled before its cancel leaves nothing to close", async () => {
    lane.broker.held = [position(7)];
    const filling = { side: "SELL", ordType: "MARKET", orderQty: 10, cumQty: 3 } as const;
    lane.broker.show({ orderId: orderId("sell"), leavesQty: 7, ...filling });
    lane.broker.next.cancel.push(() => {
      lane.broker.held = [];
      lane.broker.change(orderId("sell"), { ordStatus: "FILLED", cumQty: 10, leavesQty: 0 });
      return REJECTED;
    });
    const { outcome } = await flatten();
    expect(closes()).toEqual([]);
    expect(outcome).toMatchObject({ kind: "done", result: { remaining: [], problems: [] } });
  });

  test("a partial close is followed by one for the rest, and each counts for what it closed", async () => {
    lane.broker.held = [position(-3)];
    lane.broker.next.close.push(() => {
      lane.broker.held = [position(-1)];
      return endsAs(1, { ordStatus: "CANCELED", cumQty: 2 })();
    });
    const { outcome } = await flatten();
    expect(outcome).toMatchObject({
      result: { closed: [{ netQty: -2 }, { netQty: -1 }], remaining: [], problems: [] },
    });
  });

  test("a broker that cannot be read after something was sent leaves it unknown", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(() => {
      lane.broker.unreadable = new BrokerReadError("The session is gone");
      return endsAs(1, { ordStatus: "FILLED", cumQty: 1 })();
    });
    expect((await flatten()).state).toBe("UNKNOWN");
  });

  test("an intent that was withdrawn in the last moment sends nothing", async () => {
    lane.broker.held = [position(1)];
    lane.intents.before.beginSending = async () => {
      const outcome = { kind: "withdrawn", reason: "late" } as const;
      await lane.intents.withdraw(ACCOUNT, intentId("i1"), outcome);
    };
    expect((await flatten()).state).toBe("WITHDRAWN");
    expect(lane.broker.commands).toEqual([]);
  });
});

describe("the broker's answers", () => {
  const thrice = <Value>(answer: Value): Value[] => [answer, answer, answer];

  test.each<[SubmitOutcome, string, number]>([
    [REJECTED, "UNFINISHED", 1],
    [NOT_SENT, "NOTSENT", 1],
    [UNKNOWN, "UNKNOWN", 1],
  ])("%j to every close ends the intent as %s, after %i", async (answer, state, tries) => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(...thrice(answer));
    expect((await flatten()).state).toBe(state);
    expect(closes()).toHaveLength(tries);
  });

  test.each([REJECTED, NOT_SENT] as const)(
    "%j after something was closed is unfinished with what remains, never nothing",
    async (answer) => {
      lane.broker.held = [position(1), position(2, NQ)];
      lane.broker.next.close.push(() => undefined, ...thrice(answer));
      const { outcome } = await flatten();
      const result = {
        closed: [{ contract: ES }],
        remaining: [{ contract: NQ, netQty: 2 }],
        problems: [answer.reason],
      };
      expect(outcome).toMatchObject({ kind: "unfinished", soFar: result });
      expect(outcome).toHaveProperty("reason", expect.stringContaining(answer.reason));
    },
  );

  test("an unknown close is not repeated, and keeps the others from nothing", async () => {
    lane.broker.held = [position(1), position(2, NQ)];
    lane.broker.next.close.push(UNKNOWN);
    expect((await flatten()).state).toBe("UNKNOWN");
    expect(closes()).toEqual([`close ${ES}`, `close ${NQ}`]);
  });

  test("an unknown close that has closed all the same is done", async () => {
    lane.broker.held = [position(1)];
    lane.broker.next.close.push(() => {
      lane.broker.held = [];
      endsAs(1, { ordStatus: "FILLED", cumQty: 1 })();
      return UNKNOWN;
    });
    expect(await flatten()).toMatchObject({
      state: "DONE",
      outcome: {
        result: {
          remaining: [],
          problems: [],
        },
      },
    });
  });

  test.each([NOT_SENT, UNKNOWN, REJECTED])(
    "a leg whose cancel ends with %j keeps no position from being closed",
    async (answer) => {
      lane.broker.held = [position(1)];
      lane.broker.show({ orderId: orderId("leg"), role: "STOP_LOSS" });
      lane.broker.next.cancel.push(answer);
      await flatten();
      expect(closes()).toEqual([`close ${ES}`]);
      expect(lane.broker.held).toEqual([]);
    },
  );

  test.each([
    [NOT_SENT, "NOTSENT"],
    [UNKNOWN, "UNKNOWN"],
  ])("%j to every cancel, with nothing to close, is %s", async (answer, state) => {
    lane.broker.show({ orderId: orderId("rests") });
    lane.broker.next.cancel.push(...thrice(answer));
    expect((await flatten({ cancelResting: true })).state).toBe(state);
  });
});

test("it is let through whatever holds for entries", async () => {
  lane.broker.held = [position(1)];
  lane.intents.userKillSwitch = { active: true };
  lane.intents.left = { account: 0, all: 0 };
  lane.intents.limits = { maxOrderQty: 0, maxPositionQty: 0, maxOrdersPerMinute: 0 };
  expect((await flatten()).state).toBe("DONE");
  expect(lane.broker.held).toEqual([]);
});

describe("a close that is refused after the exits made way for it", () => {
  test("is told with the exits that the position has lost", async () => {
    lane.broker.held = [position(2)];
    showPair(lane.broker);
    lane.broker.next.close.push(REJECTED, REJECTED, REJECTED);
    lane.broker.next.protect.push(REJECTED);
    const { outcome } = await flatten();
    expect(outcome).toMatchObject({
      kind: "unfinished",
      soFar: {
        remaining: [{ contract: ES, netQty: 2 }],
        unprotected: [{ contract: ES, exits: ["TAKE_PROFIT", "STOP_LOSS"] }],
      },
    });
    const { problems } = (outcome as { soFar: { problems: readonly string[] } }).soFar;
    expect(problems).toContain("ESZ6 is still held, and its exits are cancelled");
  });

  test("a plain stop that rested on the closing side is one of them, an entry is none", async () => {
    lane.broker.held = [position(2)];
    const stop = { ordType: "STOP", leavesQty: 2 } as const;
    lane.broker.show({ ...stop, orderId: orderId("exit"), side: "SELL" });
    lane.broker.show({ ...stop, orderId: orderId("entry"), side: "BUY" });
    lane.broker.show({ orderId: orderId("limit"), side: "BUY" });
    lane.broker.next.close.push(REJECTED, REJECTED, REJECTED);
    lane.broker.next.protect.push(REJECTED);
    const record = await flatten({ cancelResting: true });
    expect(missingExits(record)).toEqual([{ contract: ES, exits: ["STOP_LOSS"] }]);
  });

  test("an order that cannot be cancelled is told with the broker's words", async () => {
    lane.broker.show({ orderId: orderId("7"), contract: ES, ordType: "LIMIT" });
    lane.broker.next.cancel.push(REJECTED, REJECTED, REJECTED);
    lane.broker.held = [position(1, NQ)];
    const { outcome } = await flatten({ cancelResting: true });
    expect(outcome).toMatchObject({
      kind: "unfinished",
      soFar: { remainingOrderIds: ["7"], problems: ["Not today"] },
    });
  });
});

test("an entry that fills while the account is read is closed too", async () => {
  const entry = orderId("7");
  lane.broker.show({ orderId: entry, contract: ES, side: "BUY", ordType: "LIMIT" });
  const read = lane.broker.workingOrders.bind(lane.broker);
  lane.broker.workingOrders = async () => {
    const shown = await read();
    lane.broker.workingOrders = read;
    lane.broker.change(entry, { ordStatus: "FILLED", leavesQty: 0, cumQty: 1 });
    lane.broker.held = [position(1)];
    return shown;
  };
  await flatten();
  expect(closes()).toEqual([`close ${ES}`]);
});

describe("an order that is not understood", () => {
  const spread = { orderId: orderId("odd"), problem: "It names no contract" };
  beforeEach(() => {
    lane.broker.held = [position(2)];
    lane.broker.opaque = [spread];
  });

  test("keeps nothing from being closed, and is told where it stays", async () => {
    const { outcome } = await flatten();
    expect(outcome).toMatchObject({
      kind: "done",
      result: {
        closed: [{ contract: ES, netQty: 2 }],
        remaining: [],
        problems: [expect.stringMatching(/Order odd was left .* It names no contract/)],
      },
    });
    expect(names()).toEqual([`close ${ES}`]);
  });

  test("is cancelled by its number where every resting order is", async () => {
    await flatten({ cancelResting: true });
    expect(names().slice(0, 2)).toEqual(["cancel odd", `close ${ES}`]);
  });

  test("is left where only one symbol is meant, which it need not be of", async () => {
    const { outcome } = await flatten({ cancelResting: true, root: "ES" });
    expect(names()).toEqual([`close ${ES}`]);
    expect(outcome).toMatchObject({ result: { problems: [expect.stringMatching(/odd/)] } });
  });
});
