// The goal: an account that does not come to rest gets its exits carried out, once each, and true answers. The method:
// reports, unreadable positions and rivals between the write-ahead and the order.
import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, credentialId, intentId, orderId } from "../../../../src/domain/ids.ts";
import { clOrdIdOf, type Intent, type IntentRecord } from "../../../../src/domain/intent.ts";
import type { EntryGuards } from "../../../../src/trading/guards/entry-guards.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  openLane,
  order,
  place,
  position,
  UNGUARDED,
} from "../lane-kit.ts";

let lane: Lane;
let guards: { -readonly [Name in keyof EntryGuards]: EntryGuards[Name] };
beforeEach(async () => {
  guards = { ...UNGUARDED };
  lane = await openLane({ guards });
});
const FOREIGN = clOrdId(`i${"f".repeat(28)}-1`);
function report(): void {
  const other = { orderId: orderId("news"), clOrdId: FOREIGN, ordStatus: "CANCELED" } as const;
  lane.broker.report(ACCOUNT, { ...lane.broker.show({ ...other, leavesQty: 0 }) });
}
function meanwhile(happens: () => void): void {
  lane.intents.after.beginSending = () => {
    delete lane.intents.after.beginSending;
    happens();
    report();
  };
}
const storm = () => {
  const read = lane.broker.positions.bind(lane.broker);
  lane.broker.positions = async (...args) => {
    const held = await read(...args);
    report();
    return held;
  };
};
const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);
const outcome = ({ outcome: one }: IntentRecord) => one;
const webhook = { source: { kind: "webhook", credentialId: credentialId("t1") } as never };
const bracket = { stopLoss: { by: "distance", distance: ticks(10) } } as never;

describe("an exit", () => {
  test("with a bracket closes the one that a stop leaves", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 2, bracket }));
    expect([sent(), outcome(record)?.kind, lane.broker.sent[0]?.bracket]).toEqual([
      ["SELL 1"],
      "done",
      undefined,
    ]);
  });
  test("of a short position closes what a stop leaves", async () => {
    lane.broker.held = [position(-2)];
    meanwhile(() => (lane.broker.held = [position(-1)]));
    const record = await lane.run(place({ side: "BUY", orderQty: 2 }));
    expect([sent(), outcome(record)?.kind]).toEqual([["BUY 1"], "done"]);
  });
  test("goes although its position cannot be read meanwhile", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => {
      lane.broker.held = [];
      lane.broker.opaqueHeld = [{ problem: "no qty", contract: ES }];
    });
    await lane.run(place({ side: "SELL", orderQty: 2 }));
    expect(sent()).toEqual(["SELL 2"]);
  });
  test("of a reversal goes although the broker cannot be read meanwhile", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.unreadable = new BrokerReadError("x")));
    await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect(sent()).toEqual(["SELL 2"]);
  });
  test("that rests beside another closes its own month", async () => {
    lane.broker.held = [position(4), { ...position(3), contract: "ESH2027" as ContractCode }];
    const r = lane.broker.show({
      orderId: orderId("r"),
      side: "SELL",
      orderQty: 2,
      leavesQty: 2,
      price: ticks(4_050),
    });
    meanwhile(() => {
      lane.broker.change(r.orderId, { cumQty: 1, leavesQty: 1, ordStatus: "PARTIALLY_FILLED" });
      lane.broker.held = [position(3), { ...position(3), contract: "ESH2027" as ContractCode }];
    });
    await lane.run(place({ side: "SELL", orderQty: 2, ordType: "LIMIT", price: ticks(4_060) }));
    expect(sent()).toEqual(["SELL 2"]);
  });
  test("of a busy account goes once, as an order, a flatten and a target", async () => {
    storm();
    lane.broker.held = [position(2)];
    await lane.run(place({ side: "SELL", orderQty: 2 }));
    lane.broker.held = [position(2)];
    await lane.run(adjustIntent({ to: "close", qty: 2 }));
    expect(sent()).toEqual(["SELL 2"]);
    expect(lane.broker.commands.filter(([n]) => n === "close")).toHaveLength(1);
  });
});

describe("the answer", () => {
  test("says nothing of a part where all of an order only closes by now", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => {
      lane.broker.held = [position(4)];
      storm();
    });
    const record = await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect(sent()).toEqual(["SELL 4"]);
    expect(JSON.stringify(outcome(record))).not.toContain("the other 0 would open");
  });
  test("says of a change that its order has filled wholly meanwhile", async () => {
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
        lane.broker.change(resting.orderId, { cumQty: 4, leavesQty: 0, ordStatus: "FILLED" });
        lane.broker.held = [position(4)];
        report();
      });
    };
    const record = await lane.run({
      kind: "MODIFY",
      orderId: resting.orderId,
      clOrdId: resting.clOrdId,
      change: { price: ticks(4_001) },
    } as Intent);
    expect(JSON.stringify(outcome(record))).not.toContain("LIMIT_EXCEEDED");
  });
  test("says of an exit by API that finds nothing that nothing is held", async () => {
    storm();
    const record = await lane.run(adjustIntent(to(0)));
    expect(outcome(record)?.kind).toBe("done");
  });
  test("says of a reversal on a busy account what it has closed", async () => {
    lane.broker.held = [position(2)];
    storm();
    const record = await lane.run(adjustIntent(to(-2)));
    expect(lane.broker.commands.filter(([n]) => n === "close")).toHaveLength(1);
    expect(outcome(record)?.kind).not.toBe("unknown");
  });
  test("keeps no exit back behind an alert that finds nothing", async () => {
    storm();
    const first = await lane.accept(adjustIntent(to(0)), webhook);
    let step = "";
    for (let nth = 0; nth < 60 && (nth === 0 || step === "later"); nth += 1) {
      lane.intents.clock += 1_000;
      step = await lane.work(first);
    }
    expect(step).not.toBe("later");
  });
  test("has the quantity of a sized order that goes smaller", async () => {
    lane.money.quote = {
      bid: { px: ticks(19_999), heardAt: 0 },
      ask: { px: ticks(20_000), heardAt: 0 },
    } as never;
    meanwhile(() => {
      lane.money.quote = {
        bid: { px: ticks(20_019), heardAt: 0 },
        ask: { px: ticks(20_020), heardAt: 0 },
      } as never;
    });
    const one = { stopLoss: { by: "price", price: ticks(19_980) } } as const;
    const record = await lane.run({
      kind: "PLACE",
      order: order({ bracket: one }),
      handling: { size: { by: "risk", money: "1000" } },
    } as Intent);
    expect(outcome(record)).toMatchObject({ result: { orderQty: 2 } });
  });
  test("follows a protective stop that a target came to rest beside meanwhile", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() =>
      lane.broker.show({
        orderId: orderId("tp"),
        side: "SELL",
        orderQty: 2,
        leavesQty: 2,
        price: ticks(4_050),
      }),
    );
    await lane.run(place({ side: "SELL", orderQty: 2, ordType: "STOP", stopPx: ticks(3_990) }));
    expect(sent()).toEqual(["SELL 2"]);
  });

  test("follows what is left of a timed order, for what a stop leaves of the position", async () => {
    const intent = {
      ...place({ side: "SELL", orderQty: 2, ordType: "LIMIT", price: ticks(4_040) }),
      handling: { timeout: { afterSeconds: 5, then: "market" } },
    } as Intent;
    const own = intentId(`i${"a".repeat(28)}`);
    await lane.accept(intent, { intentId: own });
    await lane.work(own);
    const [timed] = lane.timedOrders;
    if (timed === undefined) throw new Error("no deadline");
    lane.broker.sent.length = 0;
    lane.broker.held = [position(2)];
    lane.intents.clock += 5_000;
    let nth = 0;
    lane.intents.after.beginSending = () => {
      nth += 1;
      if (nth < 2) return;
      delete lane.intents.after.beginSending;
      lane.broker.held = [position(1)];
      report();
    };
    await lane.run(timed.intent);
    expect(sent()).toEqual(["SELL 1"]);
  });
});
