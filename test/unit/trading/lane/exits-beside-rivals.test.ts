// The goal: exits of a busy account are neither lost nor sent for what is not held. The method: rivals that fill or end
// unfilled, late positions and locks around the write-ahead.
import { beforeEach, describe, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, credentialId, execId, intentId, orderId } from "../../../../src/domain/ids.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import type { EntryGuards } from "../../../../src/trading/guards/entry-guards.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { runIn, settleIn } from "./going-on-kit.ts";
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
/** So many readings have news meanwhile; `shown` instead of what is held, where that is given. */
function storm(looks: number, shown?: readonly ReturnType<typeof position>[]): void {
  const read = lane.broker.positions.bind(lane.broker);
  let look = 0;
  lane.broker.positions = async (...args) => {
    look += 1;
    const held = await read(...args);
    if (look > looks) return held;
    report();
    return shown ?? held;
  };
}
const webhook = { source: { kind: "webhook", credentialId: credentialId("t1") } as never };
const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);

describe("a flatten that goes on beside newer contracts sells nothing that no reading shows", () => {
  test.each([
    ["its stop has filled, the 2 newer ones are held", 2],
    ["all is closed", 0],
    ["the account is 1 short", -1],
  ])("%s", async (_, after) => {
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
    meanwhile(() => {
      lane.broker.held = after === 0 ? [] : [position(after)];
      storm(3);
    });
    await settleIn(lane, 10_000);
    expect(sent()).toEqual([]);
  });
});

const EXITS = [
  ["target", adjustIntent(to(1))],
  ["part", adjustIntent({ to: "close", qty: 2 })],
  [
    "reduce",
    adjustIntent({
      to: "enter",
      side: "SELL",
      qty: 2,
      whenHeld: "add",
      whenOpposite: "reduceIfLess",
    } as never),
  ],
] as readonly (readonly [string, Intent])[];
async function goesOn(intent: Intent, afterwards: () => void): Promise<void> {
  const id = await lane.accept(intent, webhook);
  await lane.work(id);
  afterwards();
  for (let nth = 0; nth < 5; nth += 1) await settleIn(lane, 10_000);
}

describe("an exit of a webhook goes on beside another order that then ends unfilled", () => {
  test.each(EXITS)("%s", async (_, intent) => {
    lane.broker.held = [position(3)];
    meanwhile(() =>
      lane.broker.show({
        orderId: orderId("r"),
        side: "SELL",
        ordType: "MARKET",
        orderQty: 3,
        leavesQty: 3,
      }),
    );
    await goesOn(intent, () => {
      lane.broker.change(orderId("r"), { ordStatus: "CANCELED", leavesQty: 0 });
      report();
    });
    expect(sent()).toHaveLength(1);
  });
});

describe("an exit of a webhook goes on after three readings with news that show its position late", () => {
  test.each(EXITS)("%s", async (_, intent) => {
    lane.broker.held = [position(3)];
    meanwhile(() => storm(3, []));
    await goesOn(intent, () => undefined);
    expect(sent()).toHaveLength(1);
  });
});

describe("the closing half of a reversal goes where a lock comes just before the write-ahead", () => {
  const byAdjust = adjustIntent({ to: "order", side: "SELL", qty: 4 });
  const byPlace = place({ side: "SELL", orderQty: 4 });
  test.each([
    ["adjust", byAdjust],
    ["place", byPlace],
  ] as const)("kill switch, by %s", async (_, intent) => {
    lane.broker.held = [position(2)];
    const read = lane.broker.positions.bind(lane.broker);
    lane.broker.positions = async (...args) => {
      lane.intents.accountKillSwitch = { active: true };
      return await read(...args);
    };
    await lane.run(intent, webhook);
    expect(sent()).toEqual(["SELL 2"]);
  });
});

function fillingRival(): void {
  const market = { side: "SELL", ordType: "MARKET", orderQty: 2, leavesQty: 2 } as const;
  lane.broker.show({ orderId: orderId("r"), ...market });
}

describe("the rest of a timed exit is not called closed while it is held", () => {
  test.each([
    ["by three readings with news", (): void => storm(3, [])],
    ["by another order that is being filled, and ends unfilled", fillingRival],
  ] as const)("%s", async (_, happens) => {
    const intent = {
      ...place({ side: "SELL", orderQty: 2, ordType: "LIMIT", price: ticks(4_040) }),
      handling: { timeout: { afterSeconds: 5, then: "market" } },
    } as Intent;
    const own = intentId(`i${"a".repeat(28)}`);
    lane.broker.held = [position(2)];
    await lane.accept(intent, { intentId: own });
    await lane.work(own);
    const [timed] = lane.timedOrders;
    if (timed === undefined) throw new Error("no deadline");
    lane.broker.sent.length = 0;
    lane.intents.clock += 5_000;
    let nth = 0;
    lane.intents.after.beginSending = () => {
      nth += 1;
      if (nth < 2) return;
      delete lane.intents.after.beginSending;
      happens();
      report();
    };
    const { outcome } = await lane.run(timed.intent);
    expect(sent().length > 0 || !JSON.stringify(outcome).includes("closed already")).toBe(true);
  });
});
