// The goal: a position that cannot be read stops no exit of what can be read, and nothing is opened beside it.
// The method: intents on the lane, and a broker that has a position of which it does not say enough.
import { beforeEach, describe, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { ACCOUNT, ES, type Lane, NQ, openLane, place, position } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
});

const PROBLEM = "Position 7 cannot be read";
const NAMELESS = { problem: PROBLEM };
const IN_NQ = { problem: PROBLEM, contract: NQ };
const IN_ES = { problem: PROBLEM, contract: ES };

const adjust = (aim: Extract<Intent, { kind: "ADJUST" }>["aim"]): Intent => ({
  kind: "ADJUST",
  contract: ES,
  aim,
  terms: { ordType: "MARKET", timeInForce: "DAY" },
});
const levels = { stopLoss: { by: "price", price: ticks(3_900) } } as const;

const EXITS: readonly [string, Intent, string][] = [
  ["a close", adjust({ to: "close", percent: 100 }), "close"],
  ["a close of a half", adjust({ to: "close", percent: 50 }), "submit"],
  ["a target of nothing", adjust({ to: "position", netQty: 0 }), "close"],
  ["a smaller target", adjust({ to: "position", netQty: 1 }), "submit"],
  ["an order that closes", place({ side: "SELL", orderQty: 2 }), "submit"],
  ["a protection", { kind: "PROTECT", contract: ES, levels }, "protect"],
];

describe.each([
  ["in another contract", IN_NQ],
  ["in an unknown contract", NAMELESS],
])("beside a position %s that cannot be read", (_, opaque) => {
  beforeEach(() => {
    lane.broker.opaqueHeld = [opaque];
  });

  test.each(EXITS)("%s is carried out", async (_name, intent, command) => {
    const { outcome } = await lane.run(intent);
    expect(outcome).toMatchObject({ kind: "done" });
    expect(lane.broker.commands.map(([name]) => name)).toEqual([command]);
  });

  test.each<[string, Intent]>([
    ["an entry", place()],
    ["a larger target", adjust({ to: "position", netQty: 3 })],
  ])("%s is refused, and it is said why", async (_name, intent) => {
    const { outcome } = await lane.run(intent);
    expect(outcome).toMatchObject({
      kind: "denied",
      code: "NOT_UNDERSTOOD",
      reason: expect.stringContaining(PROBLEM) as unknown,
    });
    expect(lane.broker.commands).toEqual([]);
  });

  test("what rests in its contract stays, and every other entry goes", async () => {
    lane.broker.show({ orderId: orderId("grows"), side: "BUY" });
    lane.broker.show({ orderId: orderId("unclear"), side: "SELL", contract: NQ });
    const { outcome } = await lane.run({ kind: "CANCEL_ENTRIES" });
    expect(lane.broker.commands).toEqual([["cancel", "grows"]]);
    expect(outcome).toMatchObject({
      kind: "unknown",
      reason: expect.stringContaining(PROBLEM) as unknown,
      soFar: { canceledOrderIds: ["grows"] },
    });
  });

  test("legs are cut to what is held, and those that may be its own stay", async () => {
    const leg = { role: "STOP_LOSS", ordType: "STOP", side: "SELL", orderQty: 3 } as const;
    lane.broker.show({ ...leg, orderId: orderId("sl"), leavesQty: 3 });
    lane.broker.show({ ...leg, orderId: orderId("unread"), leavesQty: 3, contract: NQ });

    lane.legs.suspect(ACCOUNT);
    await lane.legs.keep(ACCOUNT);
    lane.intents.clock += 1_000;
    await lane.legs.keep(ACCOUNT);
    expect(lane.broker.commands).toEqual([["modify", "sl", { orderQty: 2 }]]);
  });
});

describe("of the contract that is meant", () => {
  test.each(EXITS)("a position that cannot be read stops %s", async (_name, intent) => {
    lane.broker.held = [];
    lane.broker.opaqueHeld = [IN_ES];
    expect((await lane.run(intent)).outcome).toMatchObject({ kind: "notSent" });
    expect(lane.broker.commands).toEqual([]);
  });

  test.each(EXITS)("none is said to be flat for %s while one may be it", async (_name, intent) => {
    lane.broker.held = [];
    lane.broker.opaqueHeld = [NAMELESS];
    expect((await lane.run(intent)).outcome).toMatchObject({ kind: "notSent" });
    expect(lane.broker.commands).toEqual([]);
  });
});
