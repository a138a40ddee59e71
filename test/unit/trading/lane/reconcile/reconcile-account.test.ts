import { beforeEach, describe, expect, test } from "vitest";
import { type ClOrdId, clOrdId, execId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf, type IntentState } from "../../../../../src/domain/intent.ts";
import type { Fill } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { AccountProjector } from "../../../../../src/trading/lane/reconcile/account-projector.ts";
import { AccountReconciler } from "../../../../../src/trading/lane/reconcile/reconcile-account.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
import { ACCOUNT, ES, MemoryViews, NQ, place, position, USER } from "../../lane-kit.ts";
import { MemoryIntents } from "../../memory-intents.ts";
import { ScriptedBroker } from "../../scripted-broker.ts";

const DAY_MS = 86_400_000;
const INTENT = intentId(`i${"a".repeat(28)}`);
const OWN = clOrdIdOf(INTENT, 1);

let broker: ScriptedBroker;
let views: MemoryViews;
let intents: MemoryIntents;
let projector: AccountProjector;
let reconciler: AccountReconciler;
let clock: number;
/** In which this process owns the account. */
let epoch: number;

beforeEach(() => {
  clock = 1_700_000_000_000;
  epoch = 1;
  broker = new ScriptedBroker();
  views = new MemoryViews();
  intents = new MemoryIntents();
  projector = new AccountProjector({
    views,
    brokerOf: () => ({ broker, epoch }),
    waitFor: (_ms, onWake) => new Promise(onWake),
    onNews: () => undefined,
    onCorrected: () => undefined,
    onError: () => undefined,
  });
  reconciler = openReconciler();
});

/** One that remembers nothing, as after a start of the process. */
function openReconciler(): AccountReconciler {
  return new AccountReconciler({
    views,
    intents,
    projector,
    brokerOf: () => ({ broker, epoch }),
    amended: () => undefined,
    retentionMs: 7 * DAY_MS,
    now: () => clock,
    elapsed: () => clock,
  });
}

const fill = (id: string, change: Partial<Fill> = {}): Fill => ({
  execId: execId(id),
  orderId: orderId("7"),
  contract: ES,
  side: "BUY",
  lastQty: 1,
  lastPx: ticks(4_000),
  transactTimeAt: clock,
  ...change,
});

const reconcile = async () => await reconciler.reconcile(ACCOUNT);

/** Three seconds later, again. */
async function confirm() {
  clock += 3_000;
  return await reconcile();
}

/** Position = base + fills, after whatever happened. */
function expectAligned(): void {
  for (const contract of [ES, NQ]) {
    const held = broker.held.find((one) => one.contract === contract)?.netQty ?? 0;
    const sum = (views.base.get(contract) ?? 0) + (views.filledNet.get(contract) ?? 0);
    expect([contract, sum]).toEqual([contract, held]);
  }
}

test("a position that cannot be read keeps nobody out of step, and nothing is concluded", async () => {
  await reconcile();
  broker.executions.push(fill("e1"));
  broker.held = [position(3, NQ)];
  broker.opaqueHeld = [{ problem: "Position 7 cannot be read", contract: ES }];
  const base = new Map(views.base);
  for (const look of [reconcile, confirm]) {
    expect(await look()).toMatchObject({ differences: [], isQuiet: false, isSuspected: false });
  }
  expect([views.base, views.addedFills]).toEqual([base, ["e1"]]);
});

describe("fills", () => {
  beforeEach(reconcile);

  test("that no report told of are adopted", async () => {
    broker.executions.push(fill("e1"), fill("e2"));
    broker.held = [position(2)];
    const result = await reconcile();
    expect(result).toMatchObject({ adoptedFills: 2, differences: [], isSuspected: false });
    expect((await reconcile()).adoptedFills).toBe(0);
    expect(views.saved.at(-1)).toEqual([position(2)]);
    expectAligned();
  });

  test("that were reported are nothing new", async () => {
    broker.executions.push(fill("e1"));
    broker.held = [position(1)];
    const order = broker.show({ orderId: orderId("7"), ordStatus: "FILLED" });
    projector.onReport(ACCOUNT, { execType: "TRADE", order, fill: fill("e1") });
    await projector.upToDate(ACCOUNT);
    expect(await reconcile()).toMatchObject({ adoptedFills: 0, differences: [] });
  });

  test("are asked for from a little before the newest one that was reconciled", async () => {
    broker.executions.push(fill("e1"));
    broker.held = [position(1)];
    await reconcile();
    const asked: number[] = [];
    const fills = broker.fills.bind(broker);
    broker.fills = async (account, sinceAt) => {
      asked.push(sinceAt);
      return await fills(account, sinceAt);
    };
    await reconcile();
    expect(asked).toEqual([clock - 600_000]);
  });

  test("missed an hour before a newer one that was reported are found all the same", async () => {
    broker.executions.push(fill("e1"));
    broker.held = [position(1)];
    await reconcile();
    const missed = fill("e2", { transactTimeAt: clock + 60_000 });
    clock += 3_600_000;
    const live = fill("e3");
    broker.executions.push(missed, live);
    broker.held = [position(3)];
    const order = broker.show({ orderId: orderId("7"), ordStatus: "FILLED" });
    projector.onReport(ACCOUNT, { execType: "TRADE", order, fill: live });
    await projector.upToDate(ACCOUNT);
    expect(await reconcile()).toMatchObject({ adoptedFills: 1, differences: [] });
    expectAligned();
  });

  test("older than that are found when a position does not add up", async () => {
    broker.executions.push(fill("e1"));
    broker.held = [position(1)];
    await reconcile();
    broker.executions.push(fill("old", { transactTimeAt: clock - DAY_MS }));
    broker.held = [position(2)];
    expect(await reconcile()).toMatchObject({ adoptedFills: 1, differences: [] });
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: false });
    expect(views.base.size).toBe(0);
    expectAligned();
  });
});

describe("a position", () => {
  test("from before the account was known is its base, and no difference", async () => {
    broker.held = [position(3), position(-1, NQ)];
    broker.executions.push(fill("e1"));
    expect(await reconcile()).toMatchObject({ differences: [], isSuspected: true });
    expect(views.upTo).toBeUndefined();
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: false });
    expect([...views.base]).toEqual([
      [ES, 2],
      [NQ, -1],
    ]);
    expect(views.upTo).toBe(clock - 3_000);
    expectAligned();
  });

  test("that changed without a fill is told once, when two readings agree, and adopted", async () => {
    await reconcile();
    broker.held = [position(2)];
    expect(await reconcile()).toMatchObject({ differences: [], isSuspected: true });
    clock += 1_999;
    expect(await reconcile()).toMatchObject({ differences: [], isSuspected: true });
    clock += 1;
    expect(await reconcile()).toMatchObject({
      differences: [{ kind: "position", contract: ES, expectedQty: 0, foundQty: 2 }],
      isSuspected: false,
    });
    expectAligned();
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: false });
    broker.held = [];
    await confirm();
    expect((await confirm()).differences).toEqual([
      { kind: "position", contract: ES, expectedQty: 2, foundQty: 0 },
    ]);
    expectAligned();
  });

  test("seen by two readings that are not 2 s apart is not believed, however long they took", async () => {
    await reconcile();
    broker.held = [position(2)];
    const positions = broker.positions.bind(broker);
    broker.positions = async () => {
      const held = await positions();
      clock += 1_999;
      return held;
    };
    expect(await reconcile()).toMatchObject({ differences: [], isSuspected: true });
    expect(await reconcile()).toMatchObject({ differences: [], isSuspected: true });
    clock += 2_000;
    expect((await reconcile()).differences).toMatchObject([{ kind: "position", foundQty: 2 }]);
  });

  test("seen in an earlier time of owning it counts for nothing", async () => {
    await reconcile();
    broker.held = [position(2)];
    await reconcile();
    epoch = 3;
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: true });
    expect((await confirm()).differences).toHaveLength(1);
  });

  test("is left as its newer owner took it over", async () => {
    await reconcile();
    broker.held = [position(2)];
    await reconcile();
    views.epoch = 2;
    await confirm();
    expect([...views.base]).toEqual([]);
  });

  test("whose gap closes by a late fill was none", async () => {
    await reconcile();
    broker.held = [position(1)];
    expect((await reconcile()).isSuspected).toBe(true);
    broker.executions.push(fill("e1"));
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: false });
    expect(views.base.size).toBe(0);
  });

  test("whose gap changes is judged anew, while fills that come in change nothing", async () => {
    await reconcile();
    broker.held = [position(1)];
    await reconcile();
    broker.held = [position(3)];
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: true });
    broker.held = [position(5)];
    broker.executions.push(fill("e1", { lastQty: 2 }));
    expect((await confirm()).differences).toEqual([
      { kind: "position", contract: ES, expectedQty: 2, foundQty: 5 },
    ]);
    expectAligned();
  });

  test("is not judged while fills come in", async () => {
    await reconcile();
    broker.held = [position(1)];
    const positions = broker.positions.bind(broker);
    let trades = true;
    // Each reading of the positions is followed by a fill that they do not show yet.
    broker.positions = async () => {
      const held = await positions();
      if (trades) {
        const id = `e${broker.executions.length}`;
        broker.executions.push(fill(id, { contract: NQ }));
        broker.held = [position(1), position(broker.executions.length, NQ)];
      }
      return held;
    };
    for (let round = 0; round < 5; round += 1) {
      expect(await confirm()).toMatchObject({ differences: [], isSuspected: true });
    }
    trades = false;
    await confirm();
    expect((await confirm()).differences).toMatchObject([{ kind: "position", contract: ES }]);
    expectAligned();
  });

  test("is neither flat nor gone when it cannot be read", async () => {
    broker.held = [position(2)];
    await reconcile();
    await confirm();
    const before = [new Map(views.base), views.upTo, views.saved.length];
    for (const failing of ["positions", "working", "fills"]) {
      broker.failingRead = failing;
      await expect(confirm()).rejects.toThrow(failing);
    }
    broker.failingRead = undefined;
    broker.unreadable = new BrokerReadError("The session is gone");
    await expect(confirm()).rejects.toBe(broker.unreadable);
    expect([new Map(views.base), views.upTo, views.saved.length]).toEqual(before);
    broker.unreadable = undefined;
    expect(await confirm()).toMatchObject({ differences: [], isSuspected: false });
  });
});

describe("an account that was never used", () => {
  test("costs its positions and one mark, and from then on only its positions", async () => {
    expect(await reconcile()).toMatchObject({ isQuiet: true, isSuspected: false });
    expect(views.writes).toBe(2);
    await reconcile();
    expect(views.writes).toBe(3);
  });

  test("is quiet until something is held or works", async () => {
    broker.show({ orderId: orderId("9") });
    expect((await reconcile()).isQuiet).toBe(false);
    broker.change(orderId("9"), { ordStatus: "CANCELED" });
    broker.held = [position(1)];
    expect((await reconcile()).isQuiet).toBe(false);
    broker.held = [];
    expect((await reconcile()).isQuiet).toBe(true);
  });
});

describe("an order of ours", () => {
  beforeEach(reconcile);

  async function putIntent(state: IntentState, clOrdIds: readonly ClOrdId[] = [OWN]) {
    const times = { acceptedAt: clock, entryExpiresAt: clock, exitExpiresAt: clock };
    const source = { kind: "api" } as const;
    const [accountId, userId, requestId] = [ACCOUNT, USER, "r1"];
    const who = { intentId: INTENT, accountId, userId, source, requestId };
    intents.put({ ...who, ...times, intent: place(), state, clOrdIds });
  }
  const showOwn = (id = OWN) =>
    broker.show({ orderId: orderId("7"), clOrdId: id, contract: ES, transactTimeAt: clock });

  test.each(["LOST", "NOTSENT", "EXPIRED", "WITHDRAWN", "DENIED", "REJECTED"] as const)(
    "that works although its intent is %s is told once",
    async (state) => {
      await putIntent(state);
      showOwn();
      const late = { kind: "lateOrder", clOrdId: OWN, intentId: INTENT, orderId: "7", state };
      expect((await reconcile()).differences).toMatchObject([late]);
      expect((await reconcile()).differences).toEqual([]);
      // A late order is believed: whoever looks its intent up finds it.
      expect(intents.record(ACCOUNT, INTENT)).toMatchObject({
        state: "DONE",
        outcome: { result: { kind: "PLACE", order: { orderId: "7" } } },
      });
    },
  );

  test("that was filled although its intent is lost is told, and its fill is believed", async () => {
    await putIntent("LOST");
    broker.executions.push(fill("e1", { clOrdId: OWN }));
    broker.held = [position(1)];
    const result = await reconcile();
    expect(result.differences).toMatchObject([{ kind: "lateOrder", state: "LOST" }]);
    expect(result).toMatchObject({ adoptedFills: 1, isSuspected: false });
    expectAligned();
  });

  test("and its legs are one", async () => {
    await putIntent("LOST");
    broker.executions.push(fill("e1", { clOrdId: OWN }));
    broker.held = [position(1)];
    for (const leg of ["TP", "SL"]) {
      broker.show({ orderId: orderId(leg), clOrdId: clOrdId(`${OWN}-${leg}`) });
    }
    expect((await reconcile()).differences).toHaveLength(1);
  });

  test.each(["DONE", "UNPROTECTED"] as const)("of an intent that is %s is fine", async (state) => {
    await putIntent(state);
    showOwn();
    expect((await reconcile()).differences).toEqual([]);
  });

  test.each(["SENDING", "UNKNOWN"] as const)(
    "of an intent that is %s is judged once that is settled",
    async (state) => {
      await putIntent(state);
      showOwn();
      expect((await reconcile()).differences).toEqual([]);
      await putIntent("LOST");
      expect((await reconcile()).differences).toHaveLength(1);
    },
  );

  test("without a record is told, unless it may have outlived it", async () => {
    broker.show({ orderId: orderId("7"), clOrdId: OWN, transactTimeAt: clock - 8 * DAY_MS });
    expect((await reconcile()).differences).toEqual([]);
    reconciler = openReconciler();
    showOwn();
    expect((await reconcile()).differences).toMatchObject([
      { kind: "orderWithoutIntent", clOrdId: OWN, orderId: "7" },
    ]);
    expect((await reconcile()).differences).toEqual([]);
  });

  test("that its intent never sent is told", async () => {
    await putIntent("DONE");
    showOwn(clOrdIdOf(INTENT, 2));
    expect((await reconcile()).differences).toMatchObject([{ kind: "orderWithoutIntent" }]);
  });

  test("is not lost when something else fails on the way", async () => {
    broker.held = [position(1)];
    await reconcile();
    reconciler = openReconciler();
    await putIntent("LOST");
    showOwn();
    const fills = broker.fills.bind(broker);
    let calls = 0;
    broker.fills = async (account, sinceAt) => {
      calls += 1;
      if (calls === 2) throw new BrokerReadError("gone");
      return await fills(account, sinceAt);
    };
    await expect(reconcile()).rejects.toThrow("gone");
    expect((await reconcile()).differences).toMatchObject([{ kind: "lateOrder" }]);
  });

  test("that works has its record kept, once an hour", async () => {
    await putIntent("DONE");
    broker.executions.push(fill("e1", { clOrdId: clOrdIdOf(intentId(`i${"b".repeat(28)}`), 1) }));
    broker.held = [position(1)];
    showOwn();
    for (const ms of [0, 60_000, 3_600_000]) {
      clock += ms;
      await reconcile();
    }
    expect(intents.kept).toEqual([INTENT, INTENT]);
  });

  test("is looked up once", async () => {
    await putIntent("DONE");
    showOwn();
    await reconcile();
    intents.before.find = () => {
      throw new Error("Asked again");
    };
    expect((await reconcile()).differences).toEqual([]);
  });

  test("is none when another program or a person placed it", async () => {
    broker.show({ orderId: orderId("7") });
    broker.show({ orderId: orderId("8"), clOrdId: clOrdId("robot-1") });
    expect((await reconcile()).differences).toEqual([]);
  });
});
