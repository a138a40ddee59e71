// The goal: an exit that is decided again closes what is left and no more, and is over only by a quiet reading. The method:
// rivals, late positions, newer targets and other contracts while it is written ahead.
import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, credentialId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { IntentRecord } from "../../../../src/domain/intent.ts";
import { type EntryGuards, NO_GUARD } from "../../../../src/trading/guards/entry-guards.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { runIn, settleIn, workingIn } from "./going-on-kit.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  openLane,
  place,
  position,
  REJECTED,
  UNGUARDED,
} from "../lane-kit.ts";

let lane: Lane;
let guards: { -readonly [Name in keyof EntryGuards]: EntryGuards[Name] };
beforeEach(async () => {
  guards = { ...UNGUARDED };
  lane = await openLane({ guards });
});
const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);
function report(contract: ContractCode = ES): void {
  const other = { orderId: orderId("news"), clOrdId: FOREIGN, ordStatus: "CANCELED" } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, contract, leavesQty: 0 }) });
}
function meanwhile(happens: () => void, contract: ContractCode = ES): void {
  lane.intents.after.beginSending = () => {
    delete lane.intents.after.beginSending;
    happens();
    report(contract);
  };
}
const webhook = { source: { kind: "webhook", credentialId: credentialId("t1") } as never };
const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);
const outcome = ({ outcome: one }: IntentRecord) => one;
const limit = (orderQty: number) =>
  place({ side: "SELL", orderQty, ordType: "LIMIT", price: ticks(4_060) });
const locked = { kind: "denied", code: "GUARD_REFUSED", reason: "locked" } as const;

/** One look shows that, while something is reported; the looks after it show what is held. */
function hidesOnce(shown: readonly ReturnType<typeof position>[], withNews: boolean): void {
  const read = lane.broker.positions.bind(lane.broker);
  let looks = 0;
  lane.broker.positions = async (...args) => {
    looks += 1;
    if (looks > 1) return await read(...args);
    if (withNews) report();
    return shown;
  };
}

describe("a resting exit that is decided again counts the exit that rests beside it", () => {
  const rival = () =>
    lane.broker.show({
      orderId: orderId("r"),
      side: "SELL",
      orderQty: 2,
      leavesQty: 2,
      price: ticks(4_050),
    });
  test.each([
    ["an exit", 2],
    ["the closing half of a refused reversal", 6],
  ])("%s is not sent beside one that closes all that is left", async (_, qty) => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(4)];
    rival();
    meanwhile(() => (lane.broker.held = [position(2)]));
    await lane.run(limit(qty));
    expect(sent()).toEqual([]);
  });
  test("as the same view does before the write-ahead", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    rival();
    const record = await lane.run(limit(2));
    expect([sent(), outcome(record)?.kind]).toEqual([[], "denied"]);
  });
});

describe("an exit is not over by a reading during which something is reported", () => {
  test("as an order", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => hidesOnce([], true));
    const record = await lane.run(place({ side: "SELL", orderQty: 2 }), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
  test("as a target", async () => {
    lane.broker.held = [position(3)];
    meanwhile(() => hidesOnce([], true));
    const record = await lane.run(adjustIntent(to(1)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
  test("as a part", async () => {
    lane.broker.held = [position(3)];
    meanwhile(() => hidesOnce([], true));
    const record = await lane.run(adjustIntent({ to: "close", qty: 2 }), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
  test("as a part that goes on beside newer contracts", async () => {
    // The stop of the 3 older ones makes way; one reading shows the 2 newer ones alone. Nothing is sent in this
    // attempt, `tried` keeps the stop from coming back: 3 long without a stop until the next attempt.
    lane.broker.held = [position(3)];
    lane.broker.next.close.push(REJECTED);
    await runIn(lane, { kind: "FLATTEN", cancelResting: false });
    const LATER = intentId(`i${"1".repeat(28)}`);
    await runIn(lane, place({ orderQty: 2 }), { intentId: LATER });
    lane.broker.held = [position(5)];
    const bought = (order: string, qty: number) =>
      ({ execId: execId(order), order, side: "BUY", qty, at: 1, heardAt: 0 }) as const;
    lane.trips.set(ES, { fills: [bought("older", 3), bought(`${LATER}-1`, 2)], unexplained: 0 });
    lane.broker.sent.length = 0;
    const stop = {
      side: "SELL",
      ordType: "STOP",
      stopPx: ticks(3_900),
      role: "STOP_LOSS",
    } as const;
    lane.broker.show({ ...stop, orderId: orderId("stop"), orderQty: 3, leavesQty: 3 });
    let nth = 0;
    lane.intents.after.beginSending = () => {
      nth += 1;
      if (nth === 2) hidesOnce([position(2)], true);
    };
    await settleIn(lane, 10_000);
    const stops = workingIn(lane).filter(({ role }) => role === "STOP_LOSS");
    expect(sent().length + stops.length).toBeGreaterThan(0);
  });
});

describe("the closing half of a reversal leaves what a newer target keeps", () => {
  test.each(["place", "adjust"])("asked for by %s", async (how) => {
    lane.broker.held = [position(2)];
    let newer: string | undefined;
    meanwhile(() => {
      guards.of = () => ({ ...NO_GUARD, refuse: () => locked });
      const read = lane.broker.workingOrders.bind(lane.broker);
      lane.broker.workingOrders = async (...args) => {
        newer ??= await lane.accept(adjustIntent(to(2)));
        return await read(...args);
      };
    });
    const intent =
      how === "place"
        ? place({ side: "SELL", orderQty: 4 })
        : adjustIntent({ to: "order", side: "SELL", qty: 4 });
    lane.broker.next.submit.push(() => {
      lane.broker.held = [];
      return undefined;
    });
    await lane.run(intent, webhook);
    await lane.work(newer as never);
    const { kind } = outcome(lane.record(newer as never)) ?? {};
    expect([sent(), lane.broker.held.map(({ netQty }) => netQty), kind]).toEqual([[], [2], "done"]);
  });
});

describe("news of another contract", () => {
  // A guard that counts all that the account holds judges the view of before.
  test("hold an entry back that the account has no room for any more", async () => {
    const NQ = "NQZ2026" as ContractCode;
    guards.of = () => ({
      ...NO_GUARD,
      refuse: (_order, _exposure, { positions }) => (positions.length > 0 ? locked : undefined),
    });
    meanwhile(() => (lane.broker.held = [{ ...position(5), contract: NQ }]), NQ);
    await lane.run(place({ orderQty: 1 }));
    expect(sent()).toEqual([]);
  });
});
