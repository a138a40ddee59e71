// The goal: news that come while an order is written ahead lose no exit, of a person or a strategy, and open nothing. The method:
// fills, locks, newer targets and other contracts between the write-ahead and the order.
import { beforeEach, describe, expect, test } from "vitest";
import type { Aim } from "../../../../src/domain/alert.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, credentialId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent, IntentRecord } from "../../../../src/domain/intent.ts";
import { type EntryGuards, NO_GUARD } from "../../../../src/trading/guards/entry-guards.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { ACCOUNT, type Lane, openLane, place, position, UNGUARDED } from "../lane-kit.ts";

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
const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);
const outcome = ({ outcome: one }: IntentRecord) => one;
const byOrder = (qty: number): Aim => ({ to: "order", side: "SELL", qty });
const webhook = { source: { kind: "webhook", credentialId: credentialId("t1") } as never };

describe("an exit that a strategy sends as an order (ADJUST to order)", () => {
  test("closes what a stop leaves of its position meanwhile", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(adjustIntent(byOrder(2)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 1"], "done"]);
  });
  test("closes that under the kill switch too", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(adjustIntent(byOrder(2)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 1"], "done"]);
  });
  test("has its closing half sent under the kill switch, whatever is reported", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => undefined);
    const record = await lane.run(adjustIntent(byOrder(4)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
  test("has its closing half sent without news", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    const record = await lane.run(adjustIntent(byOrder(4)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
  test("closes where a guard locks meanwhile", async () => {
    lane.broker.held = [position(2)];
    meanwhile(() => {
      const refusal = { kind: "denied", code: "GUARD_REFUSED", reason: "locked" } as const;
      guards.of = () => ({ ...NO_GUARD, refuse: () => refusal });
    });
    const record = await lane.run(adjustIntent(byOrder(4)), webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
});

describe("an entry that is decided again after its write-ahead", () => {
  test("does not open once its user's kill switch was set while it was read again", async () => {
    meanwhile(() => {
      const read = lane.broker.workingOrders.bind(lane.broker);
      lane.broker.workingOrders = async (...args) => {
        lane.intents.userKillSwitch = { active: true };
        return await read(...args);
      };
    });
    const record = await lane.run(place({ orderQty: 1 }));
    expect([sent(), outcome(record)?.kind]).toEqual([[], "denied"]);
  });
});

describe("a reversal that a newer target overtakes while it is read again", () => {
  test("leaves what that target keeps", async () => {
    lane.broker.held = [position(2)];
    let isFirst = true;
    meanwhile(() => {
      const read = lane.broker.workingOrders.bind(lane.broker);
      lane.broker.workingOrders = async (...args) => {
        if (isFirst) {
          isFirst = false;
          await lane.accept(adjustIntent(to(2)));
        }
        return await read(...args);
      };
    });
    await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect(sent()).toEqual([]);
  });
});

describe("an order with a time", () => {
  test("that only closes is sent, also where what rested beside it has gone", async () => {
    const resting = lane.broker.show({
      orderId: orderId("r"),
      side: "SELL",
      orderQty: 2,
      leavesQty: 2,
      price: ticks(4_050),
    });
    lane.broker.held = [position(2)];
    meanwhile(() => lane.broker.change(resting.orderId, { ordStatus: "CANCELED", leavesQty: 0 }));
    const intent = {
      ...place({ side: "SELL", orderQty: 2, ordType: "LIMIT", price: ticks(4_040) }),
      handling: { timeout: { afterSeconds: 5, then: "cancel" } },
    } as Intent;
    const record = await lane.run(intent, webhook);
    expect([sent(), outcome(record)?.kind]).toEqual([["SELL 2"], "done"]);
  });
});

describe("what the caller is told", () => {
  test("says of a closing half that closes less why the rest was refused", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(2)];
    meanwhile(() => (lane.broker.held = [position(1)]));
    const record = await lane.run(place({ side: "SELL", orderQty: 4 }));
    expect(JSON.stringify(outcome(record))).toContain("kill switch");
  });
  test("says of a target that a stop has reached that it is done", async () => {
    lane.broker.held = [position(4)];
    meanwhile(() => (lane.broker.held = [position(2)]));
    const record = await lane.run(adjustIntent(to(2)));
    expect([sent(), outcome(record)?.kind]).toEqual([[], "done"]);
  });
});

describe("under a storm of reports of other contracts", () => {
  const storm = () => {
    const read = lane.broker.positions.bind(lane.broker);
    lane.broker.positions = async (...args) => {
      const held = await read(...args);
      report();
      return held;
    };
  };
  test("an exit that finds nothing leaves its lane", async () => {
    storm();
    const id = await lane.accept(adjustIntent(to(0)), webhook);
    expect(await lane.work(id)).not.toBe("later");
  });
  test("a flatten by alert that finds nothing leaves its lane", async () => {
    storm();
    const id = await lane.accept({ kind: "FLATTEN", cancelResting: true }, webhook);
    expect(await lane.work(id)).not.toBe("later");
  });
  test("a flatten that has closed everything is done", async () => {
    lane.broker.held = [position(2)];
    storm();
    const record = await lane.run({ kind: "FLATTEN", cancelResting: true });
    expect(lane.broker.commands.filter(([name]) => name === "close")).toHaveLength(1);
    for (let nth = 0; nth < 10; nth += 1) {
      lane.intents.clock += 60_000;
      await lane.settlePending(ACCOUNT);
    }
    expect(lane.record(record.intentId).outcome?.kind).toBe("done");
  });
});
