import { beforeEach, describe, expect, test } from "vitest";
import type { Aim } from "../../../../src/domain/alert.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { clOrdId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentSource, Outcome } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { storeStep } from "../../../../src/trading/lane/run-intent.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  KEY,
  type Lane,
  NQ,
  openLane,
  place,
  position,
  UNKNOWN,
  USER,
} from "../lane-kit.ts";
import { StoreError } from "../../../../src/trading/store-error.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const API: IntentSource = { kind: "api", credentialId: KEY };
const WEBHOOK: IntentSource = { kind: "webhook", credentialId: KEY };

const EVERY_KIND: Intent[] = [
  place(),
  { kind: "CANCEL", orderId: orderId("7") },
  { kind: "PROTECT", contract: ES, levels: { stopLoss: { by: "price", price: ticks(3_900) } } },
  { kind: "FLATTEN", cancelResting: true },
  { kind: "CANCEL_ENTRIES" },
];

describe("a pointer", () => {
  test("whose record was never written does nothing", async () => {
    expect(await lane.work(intentId("i404"))).toBe("done");
    expect(lane.announced).toEqual([]);
    expect(lane.broker.commands).toEqual([]);
  });

  test("that comes twice only tells the outcome again", async () => {
    const id = await lane.accept(place());
    await lane.work(id);
    await lane.work(id);
    expect(lane.broker.commands).toHaveLength(1);
    expect(lane.announced).toEqual([
      { state: "DONE", replyTo: "process-1" },
      { state: "DONE", replyTo: "process-1" },
    ]);
    expect(lane.observed).toEqual(["DONE"]);
  });

  test("whose intent was withdrawn sends nothing", async () => {
    const id = await lane.accept(place());
    await lane.intents.withdraw(ACCOUNT, id, { kind: "withdrawn", reason: "Nobody waits" });
    await lane.work(id);
    expect(lane.broker.commands).toEqual([]);
  });
});

describe.each(EVERY_KIND)("before anything is sent, %j", (intent) => {
  test("is denied once its key or token was revoked", async () => {
    lane.broker.held = [position(2)];
    lane.intents.sourceAlive = false;
    const record = await lane.run(intent);
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "UNAUTHORIZED" } });
    expect(lane.broker.commands).toEqual([]);
  });

  test("expires at its exit age, even without a connection", async () => {
    lane.setConnection(undefined);
    const id = await lane.accept(intent, { source: WEBHOOK });
    lane.intents.clock += 600_000;
    await lane.work(id);
    expect(lane.record(id)).toMatchObject({
      state: "EXPIRED",
      outcome: { reason: expect.stringContaining("600 s") },
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("a process that froze after its write-ahead sends nothing, and leaves it SENDING", async () => {
    lane.broker.held = [position(2)];
    lane.broker.show({ orderId: orderId("7"), side: "BUY" });
    const id = await lane.accept(intent);
    lane.intents.after.beginSending = () => lane.loseLanes();
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    expect(lane.broker.commands).toEqual([]);
    expect(lane.record(id).state).toBe("SENDING");
    expect(lane.announced).toEqual([]);
  });

  test("is left for the new owner, who has a later epoch", async () => {
    lane.broker.held = [position(2)];
    const id = await lane.accept(intent);
    lane.intents.epoch = 2;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    expect(lane.broker.commands).toEqual([]);
    expect(lane.record(id).state).toBe("PREPARED");
  });

  test("is denied on an account that the broker stopped", async () => {
    lane.views.stored = lane.views.stored.map((account) => ({ ...account, active: false }));
    await lane.accounts.load();
    const record = await lane.run(intent);
    expect(record).toMatchObject({ state: "DENIED", outcome: { code: "ACCOUNT_INACTIVE" } });
    expect(lane.broker.commands).toEqual([]);
  });

  test.each(["CONNECTING", "RECONNECTING", "DISCONNECTED", "AUTH_EXPIRED"] as const)(
    "is not sent by the API while the connection is %s",
    async (status) => {
      lane.setConnection({ status });
      expect((await lane.run(intent)).state).toBe("NOTSENT");
      expect(lane.broker.commands).toEqual([]);
    },
  );

  test("of an account that is not in step waits as if its connection were down", async () => {
    lane.setSession(undefined);
    expect((await lane.run(intent)).state).toBe("NOTSENT");
    const id = await lane.accept(intent, { source: WEBHOOK });
    expect(await lane.work(id)).toBe("later");
    expect([lane.broker.commands, lane.record(id).state]).toEqual([[], "PREPARED"]);
  });

  test("waits as an alert at the head of its lane, while the connection is down", async () => {
    lane.setConnection({ status: "RECONNECTING" });
    const id = await lane.accept(intent, { source: WEBHOOK });
    expect(await lane.work(id)).toBe("later");
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.announced).toEqual([]);
  });
});

describe("the entry age", () => {
  test.each([
    [0, "EXPIRED"],
    [-1, "DONE"],
  ])("after it, holding %i, a buy is %s", async (held, state) => {
    lane.broker.held = held === 0 ? [] : [position(held)];
    const id = await lane.accept(place(), { source: WEBHOOK });
    lane.intents.clock += 30_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe(state);
  });

  test("an entry that was flattened behind is overtaken; an exit is not", async () => {
    const entry = await lane.accept(place());
    await lane.accept({ kind: "FLATTEN", cancelResting: true });
    await lane.work(entry);
    expect(lane.record(entry).state).toBe("OVERTAKEN");

    lane.broker.held = [position(-1)];
    const exit = await lane.accept(place());
    await lane.accept({ kind: "FLATTEN", cancelResting: true });
    await lane.work(exit);
    expect(lane.record(exit).state).toBe("DONE");
  });

  const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
  const all = { to: "close", percent: 100 } as const;
  const es = { kind: "ADJUST", contract: ES, terms } as const;
  test.each<[string, Intent, string]>([
    ["a flatten of its root", { kind: "FLATTEN", root: "ES", cancelResting: false }, "OVERTAKEN"],
    ["a target of nothing", { ...es, aim: { to: "position", netQty: 0 } }, "OVERTAKEN"],
    ["a close of all of it", { ...es, aim: all }, "OVERTAKEN"],
    ["a cancel of everything", { kind: "CANCEL_ENTRIES" }, "OVERTAKEN"],
    ["a cancel of its root", { kind: "CANCEL_ENTRIES", root: "ES" }, "OVERTAKEN"],
    ["a flatten where only its root may be held", closeOnly("ES"), "OVERTAKEN"],
    ["a flatten of another root", { kind: "FLATTEN", root: "NQ", cancelResting: false }, "DONE"],
    ["a cancel of another root", { kind: "CANCEL_ENTRIES", root: "NQ" }, "DONE"],
    ["a close of a part", { ...es, aim: { ...all, percent: 50 } }, "DONE"],
    ["a close of its side", { ...es, aim: { ...all, holding: "LONG" } }, "OVERTAKEN"],
    ["a close of the other side", { ...es, aim: { ...all, holding: "SHORT" } }, "DONE"],
    [
      "a close of a part of its side",
      { ...es, aim: { ...all, percent: 50, holding: "LONG" } },
      "DONE",
    ],
    ["a target", { ...es, aim: { to: "position", netQty: 2 } }, "OVERTAKEN"],
    [
      "a target of another root",
      { ...es, contract: NQ, aim: { to: "position", netQty: 2 } },
      "DONE",
    ],
    [
      "a target of another month",
      { ...es, contract: "ESU2026" as ContractCode, aim: { to: "position", netQty: 2 } },
      "DONE",
    ],
    [
      "a target under a condition",
      { ...es, aim: { to: "position", netQty: 2 }, onlyWhen: ["FLAT"] },
      "DONE",
    ],
    ["a close that nothing held lets through", { ...es, aim: all, onlyWhen: ["LONG"] }, "DONE"],
  ])("an entry before %s ends as it must", async (_, exit, state) => {
    const entry = await lane.accept(place());
    await lane.accept(exit);
    await lane.work(entry);
    expect(lane.record(entry).state).toBe(state);
  });

  test.each<[string, Aim]>([
    ["target", { to: "position", netQty: 5 }],
    ["target of the other side", { to: "position", netQty: -2 }],
    ["reversal", { to: "reverse" }],
  ])("a %s that waits is over once a newer target passed it", async (_, aim) => {
    lane.broker.held = [position(3)];
    lane.broker.next.submit.push(UNKNOWN, () => {
      lane.broker.held = [position(1)];
      return undefined;
    });
    const before = await lane.accept(place({ contract: NQ }));
    await lane.work(before);
    const older = await lane.accept({ ...es, aim });
    await lane.work(older);
    expect(lane.record(older).state).toBe("PREPARED");
    const newer = await lane.accept({ ...es, aim: { to: "position", netQty: 1 } });
    await lane.work(newer);
    await lane.work(older);
    expect([newer, older].map((id) => lane.record(id).state)).toEqual(["DONE", "OVERTAKEN"]);
    expect(lane.broker.held).toEqual([position(1)]);
    expect(lane.broker.sent.slice(1)).toMatchObject([{ side: "SELL", orderQty: 2 }]);
  });

  test("what a newer target does not speak of is left to it: an exit of all or a part", async () => {
    lane.broker.held = [position(3)];
    const part = await lane.accept({ ...es, aim: { ...all, percent: 34 } });
    const order = await lane.accept(place({ side: "SELL" }));
    await lane.accept({ ...es, aim: { to: "position", netQty: 3 } });
    await lane.work(part);
    await lane.work(order);
    expect([part, order].map((id) => lane.record(id).state)).not.toContain("OVERTAKEN");
  });

  test("an exit that what is held refuses ends no entry, looked at before or after it", async () => {
    lane.broker.held = [position(1, NQ)];
    const [first, second] = [await lane.accept(place()), await lane.accept(place())];
    const exit = await lane.accept(closeOnly("ES"));
    await lane.work(first);
    await lane.work(exit);
    await lane.work(second);
    const states = [exit, first, second].map((id) => lane.record(id).state);
    expect(states).toEqual(["DENIED", "DONE", "DONE"]);
  });

  test("none ends what came after it", async () => {
    await lane.accept({ kind: "FLATTEN", cancelResting: true });
    const after = await lane.accept(place());
    await lane.work(after);
    expect(lane.record(after).state).toBe("DONE");
  });
});

const closeOnly = (mustHold: string): Intent => ({
  kind: "FLATTEN",
  mustHold,
  cancelResting: true,
});

describe("behind an unknown outcome", () => {
  beforeEach(async () => {
    lane.broker.next.submit.push(UNKNOWN);
    await lane.run(place());
  });

  test("an entry is held: not sent, not answered, and its lane is tended soon", async () => {
    const id = await lane.accept(place());
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("PREPARED");
    expect(lane.broker.commands).toHaveLength(1);
    expect(lane.announced).toHaveLength(1);
    expect(await lane.intents.parked(ACCOUNT)).toMatchObject([
      { record: { intentId: id }, replyTo: "process-1" },
    ]);
  });

  test("an entry that was withdrawn before it could be held is left alone", async () => {
    const id = await lane.accept(place());
    lane.intents.before.park = async () => {
      await lane.intents.withdraw(ACCOUNT, id, { kind: "withdrawn", reason: "Nobody waits" });
    };
    expect(await lane.work(id)).toBe("done");
    expect(await lane.intents.parked(ACCOUNT)).toEqual([]);
  });

  test("an entry that is too large for the account is denied at once", async () => {
    expect((await lane.run(place({ orderQty: 11 }))).state).toBe("DENIED");
  });

  test("an exit, a cancel and a flatten pass", async () => {
    lane.broker.held = [position(-1)];
    lane.broker.show({ orderId: orderId("7") });
    expect((await lane.run(place())).state).toBe("DONE");
    expect((await lane.run({ kind: "CANCEL", orderId: orderId("7") })).state).toBe("DONE");
    // A flatten is not over while something may still open what it has closed.
    expect((await lane.run({ kind: "FLATTEN", cancelResting: true })).state).toBe("UNKNOWN");
    expect(lane.broker.held).toEqual([]);
  });
});

describe("an intent that was already sending", () => {
  async function sending() {
    const id = await lane.accept(place());
    await lane.intents.beginSending({
      account: ACCOUNT,
      intentId: id,
      clOrdId: clOrdId(`${id}-1`),
      epoch: lane.intents.epoch,
      expiresAt: Infinity,
      maxOrders: 1,
      owner: { userId: USER, credentialId: KEY },
    });
    return id;
  }

  test("is looked up, adopted when found, and never sent again", async () => {
    const id = await sending();
    const filled = { ordStatus: "FILLED", cumQty: 1, leavesQty: 0 } as const;
    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId("i1-1"), ...filled });
    await lane.work(id);
    expect(lane.record(id)).toMatchObject({
      state: "DONE",
      outcome: { result: { order: { orderId: "7", ordStatus: "FILLED" } } },
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("stays unknown when it is not found, and is not sent again", async () => {
    const id = await sending();
    expect(await lane.work(id)).toBe("unsettled");
    expect(lane.record(id).state).toBe("UNKNOWN");
    expect(lane.announced).toEqual([{ state: "UNKNOWN", replyTo: "process-1" }]);
    expect(lane.broker.commands).toEqual([]);
  });

  test("waits for the connection, by the API too", async () => {
    const id = await sending();
    lane.setConnection(undefined);
    expect(await lane.work(id)).toBe("later");
    expect(lane.record(id).state).toBe("SENDING");
  });

  test("is looked up even when its key was revoked and its age is over", async () => {
    const id = await sending();
    lane.intents.sourceAlive = false;
    lane.intents.clock += 600_000;
    await lane.work(id);
    expect(lane.record(id).state).toBe("UNKNOWN");
  });
});

describe("a broker that cannot be read", () => {
  beforeEach(() => {
    lane.broker.unreadable = new BrokerReadError("The session is gone");
  });

  test.each([
    [API, "done", "NOTSENT"],
    [WEBHOOK, "later", "PREPARED"],
  ] as const)("%j: %s, %s", async (source, result, state) => {
    const id = await lane.accept(place(), { source });
    expect(await lane.work(id)).toBe(result);
    expect(lane.record(id).state).toBe(state);
    expect(lane.errors).toEqual([]);
  });
});

test.each([API, WEBHOOK])(
  "a bug before anything is sent ends %j as not sent, said",
  async (source) => {
    lane.broker.failingRead = "positions";
    const record = await lane.run(place(), { source });
    expect(record.state).toBe("NOTSENT");
    expect(lane.errors).toHaveLength(1);
  },
);

describe("a store that fails", () => {
  const away = () => {
    throw new StoreError("Redis is away", { certainlyNotWritten: false });
  };

  test("after the order was sent: the next run looks it up and sends nothing", async () => {
    const id = await lane.accept(place());
    lane.intents.before.settle = away;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    delete lane.intents.before.settle;

    await lane.work(id);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.broker.commands).toHaveLength(1);
  });

  test("after the order was sent: the lane's tending settles it, and entries wait for that", async () => {
    const id = await lane.accept(place());
    lane.intents.before.settle = away;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    delete lane.intents.before.settle;

    const next = await lane.accept(place());
    expect(await lane.work(next)).toBe("unsettled");
    expect(lane.broker.commands).toHaveLength(1);
    expect(await lane.settlePending(ACCOUNT)).toBe(false);
    expect(lane.record(id).state).toBe("DONE");
    expect(lane.record(next).state).toBe("DONE");
    expect(lane.broker.commands).toEqual([
      ["submit", `${id}-1`],
      ["submit", `${next}-1`],
    ]);
  });

  test("while an entry is held: its job stays, and it is held the next time", async () => {
    lane.broker.next.submit.push(UNKNOWN);
    await lane.run(place());
    const id = await lane.accept(place());
    lane.intents.before.park = away;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    delete lane.intents.before.park;
    expect(await lane.work(id)).toBe("unsettled");
  });

  test("while the lane loads: nothing happened", async () => {
    const id = await lane.accept(place());
    lane.intents.before.loadForLane = away;
    await expect(lane.work(id)).rejects.toBeInstanceOf(StoreError);
    expect(lane.record(id).state).toBe("PREPARED");
  });
});

test("the read model is up to date before anyone is answered", async () => {
  const order: string[] = [];
  lane.views.onWrite = async () => {
    await Promise.resolve();
    order.push("written");
  };
  lane.deps.projector.onReport(ACCOUNT, {
    execType: "TRADE",
    order: lane.broker.show({ orderId: orderId("7") }),
    fill: {
      execId: execId("e1"),
      orderId: orderId("7"),
      contract: ES,
      side: "BUY",
      lastQty: 1,
      lastPx: ticks(4_000),
      transactTimeAt: 0,
    },
  });
  lane.onAnnounce = () => order.push("answered");
  await lane.work(await lane.accept(place()));
  expect(order[0]).toBe("written");
  expect(order.at(-1)).toBe("answered");
  expect(order.filter((what) => what === "answered")).toHaveLength(1);
});

function reportFill(): void {
  lane.deps.projector.onReport(ACCOUNT, {
    execType: "TRADE",
    order: lane.broker.show({ orderId: orderId("7") }),
    fill: {
      execId: execId("e1"),
      orderId: orderId("7"),
      contract: ES,
      side: "BUY",
      lastQty: 1,
      lastPx: ticks(4_000),
      transactTimeAt: 0,
    },
  });
}

test("a read model that hangs holds the answer up for half a second at most", async () => {
  lane.views.onWrite = () => new Promise<void>(() => undefined);
  reportFill();
  expect((await lane.run(place())).state).toBe("DONE");
  expect(lane.waits).toEqual([500]);
  expect(lane.announced).toHaveLength(1);
});

test("the outcome is told after it is stored, which is left to the lane", async () => {
  const id = await lane.accept(place());
  const step = await lane.runIntent(ACCOUNT, id, { replyTo: "process-1" });
  expect(step).toMatchObject({ kind: "done", settlement: { onlyUnsent: false } });
  expect(lane.record(id).state).toBe("SENDING");
  expect(lane.announced).toEqual([]);
  await storeStep(lane.intents, step);
  expect(lane.record(id).state).toBe("DONE");
  expect(lane.announced).toHaveLength(1);
});

describe("who waits in another process", () => {
  test("may be told with the end itself, and then nobody else is told over the store", async () => {
    const id = await lane.accept(place());
    const step = await lane.runIntent(ACCOUNT, id, { replyTo: "process-1" });
    expect(step.tells?.()).toBe("process-1");
    const outcome: Outcome = { kind: "notSent", reason: "As it was stored" };
    await step.announce(await lane.intents.settle(lane.record(id), outcome), true);
    expect(lane.announced).toEqual([{ state: "NOTSENT", replyTo: "nobody else" }]);
  });

  test("is not, while positions that came of it have not left for the store", async () => {
    const id = await lane.accept(place());
    const step = await lane.runIntent(ACCOUNT, id, { replyTo: "process-1" });
    reportFill();
    expect(step.tells?.()).toBeUndefined();
  });

  test("is none where the caller waits in this one", async () => {
    const id = await lane.accept(place());
    const step = await lane.runIntent(ACCOUNT, id, { replyTo: "here" });
    expect(step.tells?.()).toBeUndefined();
  });
});

test("a refusal by who was frozen ends nothing that a new owner is sending", async () => {
  const id = await lane.accept(place({ orderQty: 11 }));
  lane.intents.before.withdraw = () => {
    lane.intents.put({ ...lane.record(id), state: "SENDING", clOrdIds: [clOrdId(`${id}-1`)] });
  };
  await lane.work(id);
  expect(lane.record(id).state).toBe("SENDING");
  expect(lane.announced).toEqual([]);
});
