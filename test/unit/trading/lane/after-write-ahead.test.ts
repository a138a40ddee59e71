// The goal: whatever happens while an order is written ahead, an exit closes what is left, and nothing else
// opens. The method: a fill, a lock or a storm of reports between the write-ahead and the order.
import { beforeEach, describe, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent, type IntentRecord } from "../../../../src/domain/intent.ts";
import { quoteHeardAt } from "../../../../src/domain/quote.ts";
import { type EntryGuards, NO_GUARD } from "../../../../src/trading/guards/entry-guards.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { ACCOUNT, type Lane, openLane, order, place, position, UNGUARDED } from "../lane-kit.ts";

let lane: Lane;
let guards: { -readonly [Name in keyof EntryGuards]: EntryGuards[Name] };
beforeEach(async () => {
  guards = { ...UNGUARDED };
  lane = await openLane({ guards });
});

const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);

/** Something is reported of the account. */
function report(): void {
  const other = { orderId: orderId("news"), clOrdId: FOREIGN, ordStatus: "CANCELED" } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, leavesQty: 0 }) });
}

/** It happens once, while the write-ahead is under way, and is reported. */
function meanwhile(happens: () => void): void {
  lane.intents.after.beginSending = () => {
    delete lane.intents.after.beginSending;
    happens();
    report();
  };
}

const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);
const outcome = ({ outcome: one }: IntentRecord) => one;

describe("an exit that is written ahead", () => {
  test("closes what a stop leaves of its position meanwhile", async () => {
    // SELL 2 closes what is held. The stop fills 1 of 2 while it is written ahead.
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 2 }));
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 1"], "done"]);
  });

  test("the same under the kill switch closes the rest", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    await lane.run(place({ side: "SELL", orderQty: 2 }));
    expect(sent()).toEqual(["SELL 1"]);
  });

  test("closes what is left although an earlier outcome is unknown", async () => {
    // An entry would have to wait for that outcome.
    const other = await lane.accept(place({ side: "SELL" }));
    lane.broker.next.submit.push({ kind: "unknown", reason: "lost" });
    lane.broker.held = [position(2)];
    await lane.work(other);
    lane.broker.sent.length = 0;
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 2 }));
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 1"], "done"]);
  });

  test("is the closing half of a refused order, and the position grows meanwhile", async () => {
    // Under the kill switch SELL 4 closes the 2 that are held. A resting buy fills 1 more meanwhile.
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(3)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });

  test("is the closing half, and all of the order has become an exit", async () => {
    // By now all 4 would only close: more than was written ahead.
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(4)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });

  test("is the closing half of a reversal under a storm of reports", async () => {
    // Something is reported of the account, be it of another contract, at each slow read.
    lane.broker.held = [position(2)];
    const read = lane.broker.positions.bind(lane.broker);
    lane.broker.positions = async (...args) => {
      const held = await read(...args);
      report();
      return held;
    };
    const record = await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect([sent().length, outcome(record)?.kind]).toEqual([1, "done"]);
  });
});

describe("a part of a position that is closed", () => {
  test("is not closed twice where its stop begins to fill meanwhile", async () => {
    // The stop for 3 triggers while SELL 2 is written ahead, and has filled 1: its other 2 are being filled at
    // the market.
    lane.broker.held = [position(3)];
    const stop = {
      orderId: orderId("stop"),
      side: "SELL",
      ordType: "STOP",
      stopPx: ticks(3_990),
      orderQty: 3,
      leavesQty: 3,
    } as const;
    lane.broker.show(stop);
    meanwhile(() => {
      lane.broker.change(stop.orderId, { cumQty: 1, leavesQty: 2, ordStatus: "PARTIALLY_FILLED" });
      lane.broker.held = [position(2)];
    });
    await lane.run(adjustIntent(to(1)));
    expect(sent()).toEqual([]);
  });

  test("stays at the position that was asked for", async () => {
    // From 4 the position is to become 2. A stop for 1 fills while SELL 2 is written ahead.
    lane.broker.held = [position(4)];
    meanwhile(() => (lane.broker.held = [position(3)]));
    await lane.run(adjustIntent(to(2)));
    expect(sent()).toEqual(["SELL 1"]);
  });

  test("takes nothing where the target is reached already", async () => {
    // A stop has brought it where it is to be.
    lane.broker.held = [position(4)];
    meanwhile(() => (lane.broker.held = [position(2)]));
    await lane.run(adjustIntent(to(2)));
    expect(sent()).toEqual([]);
  });
});

describe("an entry that is decided again after its write-ahead", () => {
  /** Each read takes so long. */
  function slowly(ms: number, also: () => void = () => undefined): void {
    const read = lane.broker.workingOrders.bind(lane.broker);
    lane.broker.workingOrders = async (...args) => {
      lane.intents.clock += ms;
      also();
      return await read(...args);
    };
  }

  test("does not open once the kill switch was set while it was read again", async () => {
    // Whole reads of the broker lie between the write-ahead, which asks for switches, and the order.
    meanwhile(() => {
      slowly(4_000, () => (lane.intents.accountKillSwitch = { active: true }));
    });
    const record = await lane.run(place({ orderQty: 1 }));
    expect([sent(), outcome(record)?.kind]).toEqual([[], "denied"]);
  });

  test("does not open once it has become too old while it was read again", async () => {
    // An entry may wait 30 s. The write-ahead at 1 s passes, the reads after it take until 36 s.
    meanwhile(() => slowly(36_000));
    const record = await lane.run(place({ orderQty: 1 }));
    expect([sent(), outcome(record)?.kind]).toEqual([[], "expired"]);
  });

  test("goes as it was written ahead where its risk would allow one contract more by now", async () => {
    // 4 are allowed, the price moved in favour by a tick, 5 would be.
    lane.money.quote = quoteHeardAt(0, { bid: ticks(19_999), ask: ticks(20_000) });
    meanwhile(() => {
      lane.money.quote = quoteHeardAt(0, { bid: ticks(19_994), ask: ticks(19_995) });
    });
    const bracket = { stopLoss: { by: "price", price: ticks(19_980) } } as const;
    const intent = {
      kind: "PLACE",
      order: order({ bracket }),
      handling: { size: { by: "risk", money: "1000" } },
    } as Intent;
    const record = await lane.run(intent);
    expect([sent(), outcome(record)?.kind]).toEqual([["BUY 4"], "done"]);
  });
});

describe("an order that may rest only so long", () => {
  test("a refused reversal opens no position at its time", async () => {
    // SELL 4 against 2 long, written ahead as an entry. A guard refuses what opens when it is decided again.
    const timeout = { afterSeconds: 5, then: "market" } as const;
    const intent = {
      ...place({ side: "SELL", orderQty: 4, ordType: "LIMIT", price: ticks(4_040) }),
      handling: { timeout },
    } as Intent;
    lane.broker.held = [position(2)];
    // Seen as an entry first, and under the switch when it is decided again.
    lane.intents.after.beginSending = () => {
      delete lane.intents.after.beginSending;
      const refusal = { kind: "denied", code: "GUARD_REFUSED", reason: "locked" } as const;
      guards.of = () => ({ ...NO_GUARD, refuse: () => refusal });
      report();
    };
    const record = await lane.run(intent);
    // A deadline that is stored is that of what is sent: nothing is.
    expect([sent(), outcome(record)?.kind]).toEqual([[], "notSent"]);
    const [timed] = lane.timedOrders;
    guards.of = UNGUARDED.of;
    // The stop closes the position.
    lane.broker.held = [];
    if (timed === undefined) throw new Error("no deadline");
    lane.intents.clock += 5_000;
    await lane.run(timed.intent);
    expect(sent()).toEqual([]);
  });
});

describe("the rest of an exit whose time is over", () => {
  const OWN = intentId(`i${"a".repeat(28)}`);

  test("is closed as it was written ahead where more of it can be closed when it leaves", async () => {
    // At first 1 of the 3 held is being closed by another order at the market, which ends unfilled meanwhile.
    const exit = {
      ...place({ side: "SELL", orderQty: 3, ordType: "LIMIT", price: ticks(4_040) }),
      handling: { timeout: { afterSeconds: 5, then: "market" } },
    } as Intent;
    lane.broker.held = [position(3)];
    await lane.accept(exit, { intentId: OWN });
    await lane.work(OWN);
    const [timed] = lane.timedOrders;
    if (timed === undefined) throw new Error("no deadline");
    lane.broker.sent.length = 0;
    const other = orderId("other");
    const market = { orderId: other, side: "SELL", ordType: "MARKET", clOrdId: FOREIGN } as const;
    lane.broker.show({ ...market, orderQty: 1, leavesQty: 1 });
    lane.intents.clock += 5_000;
    let nth = 0;
    lane.intents.after.beginSending = () => {
      nth += 1;
      if (nth < 2) return;
      lane.broker.change(other, { ordStatus: "CANCELED", leavesQty: 0 });
      report();
    };
    const record = await lane.run(timed.intent);
    expect([sent(), outcome(record)]).toMatchObject([["SELL 2"], { kind: "done" }]);
  });
});

describe("done", () => {
  test("is not said by a reading during which an entry fills", async () => {
    // Something is reported during two readings; the second one's entry is shown a moment later.
    let looks = 0;
    lane.broker.positions = async () => {
      looks += 1;
      if (looks <= 2) report();
      return looks === 3 ? [position(2)] : [];
    };
    await lane.run({ kind: "FLATTEN", cancelResting: true });
    expect(lane.broker.commands).not.toEqual([]);
  });

  test("is not said of an adjustment to flat in whose reading an entry fills", async () => {
    let looks = 0;
    lane.broker.positions = async () => {
      looks += 1;
      if (looks === 1) {
        report();
        return [];
      }
      return [position(2)];
    };
    await lane.run(adjustIntent(to(0)));
    expect(lane.broker.commands).not.toEqual([]);
  });
});

describe("a change of a resting order", () => {
  test("is not refused for fills during the wait for its guards, which count once", async () => {
    // Limit 5. BUY 4 rests; its price is raised. Meanwhile it fills 2: 2 held, 2 left, 4 in all.
    lane.intents.limits = { maxPositionQty: 5 };
    const resting = lane.broker.show({
      orderId: orderId("7"),
      side: "BUY",
      price: ticks(4_000),
      orderQty: 4,
      leavesQty: 4,
      clOrdId: clOrdIdOf(intentId(`i${"b".repeat(28)}`), 1),
    });
    let isFirst = true;
    guards.upToDate = () => {
      if (!isFirst) return undefined;
      isFirst = false;
      return Promise.resolve().then(() => {
        lane.broker.change(resting.orderId, {
          cumQty: 2,
          leavesQty: 2,
          ordStatus: "PARTIALLY_FILLED",
        });
        lane.broker.held = [position(2)];
        report();
      });
    };
    const record = await lane.run({
      kind: "MODIFY",
      orderId: resting.orderId,
      clOrdId: resting.clOrdId,
      change: { price: ticks(4_001) },
    } as Intent);
    expect(outcome(record)).toMatchObject({ kind: "done" });
  });
});
