// The goal: an exit that goes on is kept until it ends, may send again, and keeps nothing else waiting. The
// method: the real scripts on a real Redis.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../src/domain/contracts/contract.ts";
import { clOrdId, orderId } from "../../src/domain/ids.ts";
import type { Intent, Outcome } from "../../src/domain/intent.ts";
import { ACCOUNT, DONE, IntentKit, UNKNOWN, WITHDRAWN } from "../support/intent-kit.ts";

const ES = "ESZ2026" as ContractCode;
const FLATTEN: Intent = { kind: "FLATTEN", cancelResting: false };
const soFar = {
  kind: "FLATTEN",
  closed: [],
  canceledOrderIds: [],
  remaining: [],
  remainingOrderIds: [],
  problems: [],
} as const;
const GOES_ON: readonly Outcome[] = [
  { kind: "unfinished", reason: "Refused", soFar, settled: [] },
  { kind: "held", reason: "Closed", soFar, settled: [], opensAt: 1_800_000_000_000 },
];

let kit: IntentKit;
beforeEach(async () => {
  kit = await IntentKit.open();
});
afterEach(() => kit.corner.close());

const target = (contract: string, netQty: number): Intent => ({
  kind: "ADJUST",
  contract: contract as ContractCode,
  aim: { to: "position", netQty },
  terms: { ordType: "MARKET", timeInForce: "DAY" },
});

describe.each(GOES_ON.map((outcome) => [outcome.kind, outcome] as const))("%s", (kind, outcome) => {
  test("is kept for as long as it takes, with what it has come to", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    const record = await kit.settle(id, outcome);
    expect(record).toMatchObject({ state: kind.toUpperCase(), outcome });
    expect(record.settledAt).toBeUndefined();
    expect(await kit.read(id)).toEqual(record);
    expect(await kit.redis.pttl(kit.corner.keys.intent(ACCOUNT, id))).toBe(-1);
    expect(await kit.intents.unsettled(ACCOUNT)).toEqual([record]);
  });

  test("keeps no entry waiting, also where it was unknown before", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    const entry = await kit.accept();
    await kit.settle(id, UNKNOWN);
    expect((await kit.load(entry))?.unknown).toHaveLength(1);
    await kit.settle(id, outcome);
    expect((await kit.load(entry))?.unknown).toEqual([]);
  });

  test("sends again only as what goes on, and stays what it is", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    await kit.settle(id, outcome);
    const next = { clOrdId: clOrdId(`${id}-2`), maxOrders: 9 };
    expect(await kit.begin(id, next)).toMatchObject({ kind: "refused" });
    expect(await kit.begin(id, { ...next, goesOn: true })).toEqual({ kind: "granted" });
    expect(await kit.read(id)).toMatchObject({ state: kind.toUpperCase(), outcome });
  });

  test("is not withdrawn as unsent, and ends once", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    await kit.settle(id, outcome);
    expect(await kit.intents.withdraw(ACCOUNT, id, WITHDRAWN)).toMatchObject({ outcome });
    expect(await kit.settle(id, DONE)).toMatchObject({ state: "DONE" });
    expect(await kit.settle(id, outcome)).toMatchObject({ state: "DONE" });
    expect(await kit.intents.unsettled(ACCOUNT)).toEqual([]);
    const last = { clOrdId: clOrdId(`${id}-3`), goesOn: true };
    expect(await kit.begin(id, last)).toMatchObject({ kind: "refused" });
  });

  test("sends nothing more once a person has taken it back", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    expect(await kit.intents.stopGoingOn(ACCOUNT, id)).toBe(false);
    await kit.settle(id, outcome);
    expect(await kit.intents.isStopped(ACCOUNT, id)).toBe(false);
    expect(await kit.intents.stopGoingOn(ACCOUNT, id)).toBe(true);
    expect(await kit.intents.isStopped(ACCOUNT, id)).toBe(true);
    const next = { clOrdId: clOrdId(`${id}-2`), maxOrders: 9, goesOn: true };
    expect(await kit.begin(id, next)).toMatchObject({ kind: "refused" });
    await kit.settle(id, WITHDRAWN);
    expect(await kit.intents.stopGoingOn(ACCOUNT, id)).toBe(false);
  });

  test("is noted for who is notified when it begins, and when it ends", async () => {
    const id = await kit.accept({ intent: FLATTEN });
    await kit.begin(id);
    for (const one of [outcome, outcome, DONE]) await kit.settle(id, one);
    const lines = await kit.redis.xrange(kit.corner.keys.outbox(ACCOUNT), "-", "+");
    const state = kind.toUpperCase();
    expect(lines.map(([, fields]) => fields)).toEqual([
      ["i", id, "s", "SENDING", "n", state],
      ["i", id, "s", state, "n", "DONE"],
    ]);
  });
});

test("a target follows where it is for the contract, came later, and was carried out", async () => {
  const before = await kit.accept({ intent: target(ES, 1) });
  const id = await kit.accept({ intent: FLATTEN });
  const follows = async (contract: string) =>
    await kit.intents.targetFollows(ACCOUNT, id, contract as ContractCode);
  expect(await follows(ES)).toBe(false);
  const other = await kit.accept({ intent: target("NQZ2026", 1) });
  const refused = await kit.accept({ intent: target(ES, 3) });
  await kit.settle(refused, { kind: "notSent", reason: "The link is down" });
  expect([await follows(ES), await follows("NQZ2026")]).toEqual([false, false]);
  await kit.settle(other, DONE);
  await kit.accept({ intent: target(ES, 0) });
  expect([await follows(ES), await follows("NQZ2026")]).toEqual([false, true]);
  const later = await kit.accept({ intent: target(ES, 2) });
  expect(await follows(ES)).toBe(false);
  await kit.settle(later, UNKNOWN);
  expect(await follows(ES)).toBe(true);
  const order = [
    await kit.intents.follows(ACCOUNT, later, id),
    await kit.intents.follows(ACCOUNT, before, id),
    await kit.intents.follows(ACCOUNT, id, id),
  ];
  expect(order).toEqual([true, false, false]);
});

test.each(
  (["expired", "withdrawn"] as const).flatMap((kind) => [
    [kind, "closed a part", [{ contract: ES, netQty: 1, orderId: orderId("7") }], "known"] as const,
    [kind, "closed nothing", [], "accepted"] as const,
  ]),
)("a repeat of one that %s after it %s", async (kind, _, closed, answer) => {
  const idempotency = { key: "k", fingerprint: "f" };
  const id = await kit.accept({ intent: FLATTEN, idempotency });
  await kit.begin(id);
  await kit.settle(id, { kind, reason: "Given up", soFar: { ...soFar, closed } });
  const again = await kit.newIntent({ intent: FLATTEN, idempotency });
  expect(await kit.intents.accept(again)).toMatchObject({ kind: answer });
});
