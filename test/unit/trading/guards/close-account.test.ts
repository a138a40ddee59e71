import { beforeEach, describe, expect, test } from "vitest";
import type { GuardDecision } from "../../../../src/domain/guards/verdict.ts";
import { clOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Alarm } from "../../../../src/trading/alarms/alarm.ts";
import { AccountCloser, type Closing } from "../../../../src/trading/guards/close-account.ts";
import type { Submission } from "../../../../src/trading/orders/submit-intent.ts";
import { ACCOUNT, ES, USER } from "../lane-kit.ts";
import { ScriptedBroker } from "../scripted-broker.ts";

const FLATTEN: Closing = { key: "lock-1", what: "flatten", reason: "Too much was lost" };
const CANCEL: Closing = { ...FLATTEN, key: "lock-2", what: "cancelEntries" };
const HELD = { contract: ES, netQty: 2 };

let broker: ScriptedBroker;
let clock: number;
let sent: Submission[];
let decided: GuardDecision["what"][];
let alarm: Alarm["kind"] | undefined;
/** Ids of intents that a process before this one has sent. */
let earlier: Set<string>;
let closer: AccountCloser;

beforeEach(() => {
  broker = new ScriptedBroker();
  [clock, sent, decided, alarm, earlier] = [0, [], [], undefined, new Set()];
  closer = new AccountCloser({
    brokerOf: () => broker,
    userOf: () => USER,
    submit: async (submission) => {
      sent.push(submission);
      const replayed = earlier.has(String(submission.intentId));
      return { settled: { replayed } } as never;
    },
    intentIdOf: (account, key, nth) => intentId(`${account} ${key} ${nth}`),
    isKnown: async (_, intent) => earlier.has(String(intent)),
    alarms: {
      raise: ({ kind }: Alarm) => void (alarm = kind),
      clear: () => void (alarm = undefined),
    } as never,
    decided: (_, _closing, { what }) => void decided.push(what),
    onError: (_, error) => {
      throw error;
    },
    now: () => clock,
    elapsed: () => clock,
  });
});

/** One look after so many ms, and all that it begins. */
async function look(afterMs: number, ...closings: readonly Closing[]): Promise<void> {
  clock += afterMs;
  closer.follow(ACCOUNT, closings);
  await new Promise((resolve) => setImmediate(resolve));
}

const ids = () => sent.map((one) => String(one.intentId).slice(ACCOUNT.length + 1));

describe("a flatten", () => {
  test("is asked for at once, and done only once nothing is left", async () => {
    broker.held = [HELD as never];
    await look(0, FLATTEN);
    expect(sent[0]?.intent).toEqual({ kind: "FLATTEN", cancelResting: true });
    expect(sent[0]?.source).toEqual({ kind: "guard" });
    expect(decided).toEqual(["flattened"]);
    broker.held = [];
    broker.show({ orderId: orderId("7"), contract: ES });
    await look(10, FLATTEN);
    expect(decided).toEqual(["flattened"]);
    broker.orders.clear();
    closer.noteReport(ACCOUNT);
    await look(10, FLATTEN);
    expect([decided, ids()]).toEqual([["flattened", "isFlat"], ["lock-1 1"]]);
  });

  test("that does not help is asked for again every 2 s, and later every 30 s", async () => {
    broker.held = [HELD as never];
    const at: number[] = [];
    for (let ms = 0; ms <= 70_000; ms += 500) {
      const before = sent.length;
      await look(ms === 0 ? 0 : 500, FLATTEN);
      if (sent.length > before) at.push(clock);
    }
    expect(at).toEqual([0, 2_000, 4_000, 6_000, 36_000, 66_000]);
    expect(new Set(ids()).size).toBe(at.length);
  });

  test("raises an alarm after 10 s, until it is done", async () => {
    broker.held = [HELD as never];
    await look(0, FLATTEN);
    await look(10_000, FLATTEN);
    expect(alarm).toBeUndefined();
    await look(1, FLATTEN);
    expect(alarm).toBe("guardNotFlat");
    broker.held = [];
    closer.noteReport(ACCOUNT);
    await look(1, FLATTEN);
    await look(1, FLATTEN);
    expect(alarm).toBeUndefined();
  });

  test("is asked for again as often as something is opened, without a longer pause", async () => {
    for (let round = 0; round < 6; round += 1) {
      broker.held = [HELD as never];
      closer.noteReport(ACCOUNT);
      await look(2_000, FLATTEN);
      broker.held = [];
      closer.noteReport(ACCOUNT);
      await look(10, FLATTEN);
    }
    expect(ids()).toEqual([1, 2, 3, 4, 5, 6].map((nth) => `lock-1 ${nth}`));
  });

  test("that a dead process has sent is not sent again; the next attempt is", async () => {
    earlier.add(`${ACCOUNT} lock-1 1`);
    broker.held = [HELD as never];
    await look(0, FLATTEN);
    expect(ids()).toEqual(["lock-1 2"]);
  });

  test("of one contract leaves the others alone", async () => {
    broker.held = [HELD as never];
    await look(0, { ...FLATTEN, contract: "NQZ2026" as never });
    expect([sent, decided]).toEqual([[], ["isFlat"]]);
  });

  test("waits while the account cannot be read, and asks for nothing that is not demanded", async () => {
    broker.unreadable = new Error("away");
    await expect(look(0)).resolves.toBeUndefined();
    expect(sent).toEqual([]);
  });
});

describe("what cancels entries", () => {
  test("leaves exits, and does not rest while one is larger than the position", async () => {
    broker.held = [HELD as never];
    broker.show({ orderId: orderId("7"), contract: ES, side: "SELL", orderQty: 5, leavesQty: 5 });
    await look(0, CANCEL);
    expect(sent.map(({ intent }) => intent)).toEqual([
      { kind: "CANCEL_ENTRIES", includesForeign: true },
    ]);
    broker.change(orderId("7"), { orderQty: 2, leavesQty: 2 });
    closer.noteReport(ACCOUNT);
    await look(10, CANCEL);
    expect(decided).toEqual(["cancelled"]);
  });

  test("is not done while an order by hand could enter, and leaves exits by hand", async () => {
    broker.held = [HELD as never];
    const byHand = { contract: ES, clOrdId: clOrdId("manual-7") } as const;
    broker.show({ ...byHand, orderId: orderId("7"), side: "BUY" });
    broker.show({ ...byHand, orderId: orderId("8"), side: "SELL", orderQty: 2, leavesQty: 2 });
    await look(0, CANCEL);
    expect([sent.length, decided]).toEqual([1, []]);
    broker.orders.delete(orderId("7"));
    closer.noteReport(ACCOUNT);
    await look(10, CANCEL);
    expect(decided).toEqual(["cancelled"]);
  });

  test("raises no alarm: the account may hold what it holds", async () => {
    broker.show({ orderId: orderId("7"), contract: ES, side: "BUY" });
    await look(0, CANCEL);
    await look(10_001, CANCEL);
    expect(alarm).toBeUndefined();
  });

  test("is over once it is demanded no more", async () => {
    broker.show({ orderId: orderId("7"), contract: ES, side: "BUY" });
    await look(0, CANCEL);
    await look(5_000);
    await look(5_000);
    expect(sent).toHaveLength(1);
  });
});
