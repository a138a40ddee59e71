// The goal: an exit of what cannot be closed now costs the position none of its protection. The method: the
// lane with a scripted broker, which takes a close or refuses it while the hours say that nothing trades.
import { beforeEach, describe, expect, test } from "vitest";
import { type ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { orderId } from "../../../../src/domain/ids.ts";
import { isClosed } from "../../../../src/domain/order.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { ES, type Lane, NQ, openLane, position, REJECTED, showPair, UNKNOWN } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
  showPair(lane.broker);
  lane.markets.set(ES, { kind: "unsure" });
});

const names = () => lane.broker.commands.map(([name, what]) => `${String(name)} ${String(what)}`);
const working = () =>
  [...lane.broker.orders.values()].filter(({ ordStatus }) => !isClosed(ordStatus)).length;

const terms = { ordType: "MARKET", timeInForce: "DAY" } as const;
const adjust = (aim: Extract<Intent, { kind: "ADJUST" }>["aim"]): Intent => ({
  kind: "ADJUST",
  contract: ES,
  aim,
  terms,
});

const EXITS: readonly (readonly [string, Intent])[] = [
  ["a flatten", { kind: "FLATTEN", cancelResting: false }],
  ["a flatten that cancels what rests", { kind: "FLATTEN", cancelResting: true }],
  ["a flatten of one symbol", { kind: "FLATTEN", cancelResting: false, root: "ES" }],
  ["a close", adjust({ to: "close", percent: 100 })],
  ["a flat target", adjust({ to: "position", netQty: 0 })],
];

describe.each(EXITS)("while it is not sure whether a market trades, %s", (_, intent) => {
  test("that is refused keeps every exit, asks once, and goes on", async () => {
    lane.broker.next.close.push(REJECTED, REJECTED, REJECTED);
    const { outcome } = await lane.run(intent);
    expect(outcome).toMatchObject({ kind: "unfinished", soFar: { closed: [] } });
    expect([names(), working()]).toEqual([[`close ${ES}`], 2]);
  });

  test("that the broker takes all the same leaves no exit behind", async () => {
    const { outcome } = await lane.run(intent);
    expect(outcome).toMatchObject({ kind: "done", result: { closed: [{ netQty: 2 }] } });
    expect(names()[0]).toBe(`close ${ES}`);
    expect([lane.broker.held, working()]).toEqual([[], 0]);
  });
});

test("an unknown close keeps the exits until it is known", async () => {
  lane.broker.next.close.push(UNKNOWN);
  const { outcome } = await lane.run({ kind: "FLATTEN", cancelResting: false });
  expect([outcome?.kind, names()]).toEqual(["unknown", [`close ${ES}`]]);
});

test("entries are cancelled, and a market that trades is closed as always", async () => {
  lane.broker.held = [position(2), position(1, NQ as ContractCode)];
  lane.broker.show({ orderId: orderId("entry"), side: "BUY" });
  lane.broker.next.close.push(REJECTED);
  const { outcome } = await lane.run({ kind: "FLATTEN", cancelResting: true });
  expect(names()).toEqual(["cancel entry", `close ${ES}`, `close ${NQ}`]);
  expect(outcome).toMatchObject({
    kind: "unfinished",
    soFar: { remaining: [{ contract: ES, netQty: 2 }], closed: [{ contract: NQ }] },
  });
});
