import assert from "node:assert/strict";
import { describe, expect, test } from "vitest";
import { newIntentId } from "../../src/app/new-ids.ts";
import { clOrdIdOf } from "../../src/domain/intent.ts";
import type { Settings } from "../simulators/projectx/settings.ts";
import { eventually, waitUntil } from "../support/wait.ts";
import { accepted, atDistance, atPrice, px } from "./broker-under-test.ts";
import { legsOf } from "./cases/given.ts";
import {
  BRACKET,
  byText,
  enter,
  exitCases,
  exitsOf,
  passing,
  standing,
  untilExits,
  untilStill,
} from "./projectx-exits-kit.ts";
import { memoryOf } from "./projectx-kit.ts";

const { connected, prepared } = exitCases();

/**
 * Goal: an entry has the exits that it was placed with, whatever the broker does with its own, and never
 * more than that. Method: one setting of the simulator turned at a time; exits are looked at at the broker.
 */

/** As the broker calls it: `CON.F.US.EP.Z26` is `ESZ2026`. */
const idOf = (contract: string): string => {
  const [, root = "", month = "", year = ""] = /^(.+)([A-Z])20(\d\d)$/.exec(contract) ?? [];
  return `CON.F.US.${root === "ES" ? "EP" : root}.${month}${year}`;
};

describe.concurrent("where the legs of an entry go", () => {
  test.each([
    ["bought", "BUY", 1_012, 990],
    ["sold", "SELL", 987, 1_009],
  ] as const)(
    "they are at the levels asked for once it is answered: %s",
    async (_, side, tp, sl) => {
      const { trader } = await connected();
      // The reference is the bid: what is bought fills a tick above it.
      const bracket = { takeProfit: atPrice(tp), stopLoss: atPrice(sl) };
      const startedAt = performance.now();
      const taken = await trader.place({ side, orderQty: 2, bracket });
      // After 2 s it is answered in any case.
      const isSoon = performance.now() - startedAt < 2_000;
      const { target, stop } = legsOf(taken);
      const look = async () => {
        expect(await trader.workingOrder(target)).toMatchObject({ price: tp, leavesQty: 2 });
        expect(await trader.workingOrder(stop)).toMatchObject({ stopPx: sl, leavesQty: 2 });
      };
      await (isSoon ? look() : eventually(look));
    },
  );

  test("a limit that fills at a better price has them where they were asked for", async () => {
    const { trader } = await connected();
    await trader.limit("BUY", 1_005, { bracket: BRACKET });
    await trader.waitForPosition(1);
    await untilExits(trader, 1);
    expect(await standing(trader)).toBe("1 1");
  });

  test("without a word on where the market is nothing is sent", async () => {
    const { trader, fault, asked } = await connected();
    await fault({ kind: "status", status: 503 }, "History/retrieveBars", 10);
    expect((await trader.submit({ bracket: BRACKET })).kind).toBe("notSent");
    expect(await asked("Order/place")).toBe(0);
  });

  test.each([3, 2, 1])("nearer than the broker takes them they are refused: %i", async (away) => {
    const { trader, asked } = await connected();
    const outcome = await trader.submit({ bracket: { stopLoss: atDistance(away) } });
    expect(outcome).toMatchObject({ kind: "rejected", reason: expect.stringContaining("nearer") });
    expect(await asked("Order/place")).toBe(0);
  });
});

describe.concurrent("legs that do not grow with their entry", () => {
  test.each<[string, Partial<Settings>]>([
    ["they go live for its first fill alone", { childrenOn: "firstFill" }],
    ["they wait until all of it is filled", { childrenOn: "fullFill" }],
    ["they are told once they are live", { childrenOn: "fullFill", tellsChildren: "live" }],
  ])("what is filled is protected all the same: %s", async (_, behaviour) => {
    const { trader } = await connected({}, behaviour);
    await enter(trader, 4, 1);
    await untilExits(trader, 1);
    await trader.market(994, 995, 3);
    await trader.waitForPosition(4);
    await untilExits(trader, 4);
    await trader.market(979, 980);
    await trader.waitForPosition(0);
    await passing(trader, "nothing is left", async () => (await standing(trader)) === "0 0");
    expect(await trader.netQty()).toBe(0);
  });

  test("an entry that is canceled when a part of it is filled keeps exits for that", async () => {
    const { trader } = await connected({}, { childrenOn: "fullFill" });
    const { orderId } = await enter(trader, 4, 1);
    expect(await trader.cancel(orderId)).toEqual({ kind: "accepted" });
    await untilExits(trader, 1);
  });
});

describe.concurrent("legs that the broker ends unasked", () => {
  test("a partial exit ends the group: what is left is protected again", async () => {
    const { trader } = await connected({}, { partialExit: "endsChildren" });
    await enter(trader, 4);
    await untilExits(trader, 4);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.waitForPosition(3);
    await waitUntil("the group is gone", async () => (await standing(trader)) === "0 0");
    await untilExits(trader, 3);
    const again = await exitsOf(trader);
    // To the gateway they are the same exits of the same entry.
    expect(again.every(({ parentOrderId }) => parentOrderId !== undefined)).toBe(true);
    const ids = again.map(({ clOrdId }) => clOrdId?.slice(-3) ?? "").toSorted(byText);
    expect(ids).toEqual(["-SL", "-TP"]);
  });

  test("a second order under the same tag is refused, and takes nothing from the first", async () => {
    const { trader } = await connected({}, { partialExit: "endsChildren" });
    const clOrdId = clOrdIdOf(newIntentId(), 1);
    const asked = { clOrdId, orderQty: 3, bracket: BRACKET };
    accepted(await trader.submit({ ...asked, ordType: "LIMIT", price: px(995) }));
    const again = await trader.submit({ ...asked, ordType: "LIMIT", price: px(995) });
    expect(again).toMatchObject({ kind: "rejected" });
    await trader.market(994, 995, 3);
    await trader.waitForPosition(3);
    await trader.market(994, 996);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.waitForPosition(2);
    await untilExits(trader, 2);
  });

  test("what was placed again and is ended again comes back again", async () => {
    const { trader, turn, broker } = await connected({}, { partialExit: "endsChildren" });
    await enter(trader, 4);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.waitForPosition(3);
    await untilExits(trader, 3);
    for (const { orderId } of await exitsOf(trader)) {
      await turn({ knob: "cancelOrder", account: `${broker.user}-1`, orderId: Number(orderId) });
    }
    await waitUntil("they are gone", async () => (await standing(trader)) === "0 0");
    await untilExits(trader, 3);
    expect(await trader.netQty()).toBe(3);
  });

  test("an exit of all of it brings nothing back", async () => {
    const { trader } = await connected({}, { partialExit: "endsChildren" });
    await enter(trader, 2);
    await untilExits(trader, 2);
    for (const { orderId } of await exitsOf(trader)) await trader.cancel(orderId);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    await untilStill(trader, "0 0");
    expect(await trader.working()).toEqual([]);
  });

  test("a leg that is canceled takes the other one along: that one comes back", async () => {
    const { trader } = await connected({}, { siblingOnCancel: "ends" });
    const { target } = legsOf(await enter(trader, 2));
    await untilExits(trader, 2);
    expect(await trader.cancel(target)).toEqual({ kind: "accepted" });
    await passing(trader, "the stop is back", async () => (await standing(trader)) === "2 0");
    await untilStill(trader, "2 0");
  });

  test("a part fill of one that leaves the other as it is opens nothing", async () => {
    const { trader } = await connected({}, { siblingOnPartFill: "stays" });
    await enter(trader, 4);
    await untilExits(trader, 4);
    await trader.market(1_010, 1_011, 1);
    await trader.waitForPosition(3);
    await untilStill(trader, "4 3");
    expect(await trader.netQty()).toBe(3);
  });

  test("a stop that is refused three times is said aloud, and never placed as something else", async () => {
    const { trader, broker } = await connected({}, { partialExit: "endsChildren" });
    await enter(trader, 2);
    await untilExits(trader, 2);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.market(970, 971);
    await passing(trader, "it is told", () =>
      broker.told.some((told) => told.includes("stop-loss")),
    );
    expect(await trader.netQty()).toBe(1);
  });
});

test.concurrent("what an earlier run was to see to is missed aloud where its memory is lost", async () => {
  const kept = memoryOf();
  let isLost = false;
  const memory = { ...kept, load: async () => (isLost ? undefined : await kept.load()) };
  const { trader, broker } = await connected({ memory });
  await enter(trader, 2, 0);
  expect(broker.told.filter((told) => told.includes("not known any more"))).toEqual([]);
  isLost = true;
  await trader.restart();
  expect(broker.told.filter((told) => told.includes("not known any more"))).toHaveLength(1);
});

describe.concurrent("legs that the gateway changes", () => {
  test.each<[string, Settings["modifySuspended"]]>([
    ["the broker takes it", "works"],
    ["the broker knows no such order", "refused"],
    ["the broker passes it over", "passedOver"],
  ])("a level given to a leg that waits holds once it is live: %s", async (_, modifySuspended) => {
    const { trader } = await connected({}, { modifySuspended });
    const { stop } = legsOf(await enter(trader, 2, 0));
    const moved = { orderId: stop, stopPx: px(970) };
    expect(await trader.modify(moved)).toEqual({ kind: "accepted" });
    expect(await trader.workingOrder(stop)).toMatchObject({ ordStatus: "HELD", stopPx: 970 });
    await trader.market(994, 995);
    await trader.waitForPosition(2);
    await passing(
      trader,
      "it is there",
      async () => (await trader.workingOrder(stop))?.stopPx === 970,
    );
  });

  test("a level given to a leg that waits is also that of what protects a part already", async () => {
    const { trader } = await connected({}, { childrenOn: "fullFill" });
    const { stopLossOrderId: waiting } = accepted(await enter(trader, 3, 1));
    assert(waiting !== undefined, "the stop is named");
    await untilExits(trader, 1);
    expect(await trader.modify({ orderId: waiting, stopPx: px(985) })).toEqual({
      kind: "accepted",
    });
    const stops = async () =>
      (await trader.working())
        .filter(({ role }) => role === "STOP_LOSS")
        .map(({ ordStatus, leavesQty, stopPx }) => `${ordStatus} ${leavesQty} ${stopPx ?? ""}`)
        .toSorted(byText);
    expect(await stops()).toEqual(["HELD 3 985", "NEW 1 985"]);
    await trader.market(994, 995, 2);
    await trader.waitForPosition(3);
    await trader.market(994, 996);
    await passing(trader, "all of it has a stop there", async () => {
      return JSON.stringify(await stops()) === JSON.stringify(["NEW 3 985"]);
    });
  });

  test("a level that is changed afterwards is not moved back", async () => {
    const { trader } = await connected();
    const { stop } = legsOf(await enter(trader, 2));
    await untilExits(trader, 2);
    expect(await trader.modify({ orderId: stop, stopPx: px(985) })).toEqual({ kind: "accepted" });
    await untilStill(trader, "2 2 elsewhere");
    expect(await trader.workingOrder(stop)).toMatchObject({ stopPx: 985 });
  });

  test("one that is made smaller stays so, and one that is ended stays away", async () => {
    const { trader } = await connected();
    const { target, stop } = legsOf(await enter(trader, 4));
    await untilExits(trader, 4);
    expect(await trader.modify({ orderId: target, orderQty: 1 })).toEqual({ kind: "accepted" });
    expect(await trader.cancel(stop)).toEqual({ kind: "accepted" });
    await untilStill(trader, "0 1");
  });
});

describe.concurrent("a gateway that is started again", () => {
  test("shows the legs that wait for an entry, and has them where they were asked for", async () => {
    const { trader } = await connected();
    const { target, stop } = legsOf(await enter(trader, 2, 0));
    await trader.restart();
    const held = { ordStatus: "HELD", leavesQty: 2 };
    expect(await trader.workingOrder(target)).toMatchObject({ ...held, price: 1_010 });
    expect(await trader.workingOrder(stop)).toMatchObject({ ...held, stopPx: 980 });
    await trader.market(994, 995);
    await trader.waitForPosition(2);
    await untilExits(trader, 2);
  });

  test("places what the broker ended meanwhile", async () => {
    const { trader, turn, broker } = await connected({}, { partialExit: "endsChildren" });
    await enter(trader, 3);
    await untilExits(trader, 3);
    await trader.disconnect();
    await turn({
      knob: "placeOrder",
      account: `${broker.user}-1`,
      order: { contractId: idOf(broker.contract), type: 2, side: 1, size: 1 },
    });
    await trader.connect();
    await untilExits(trader, 2);
    expect(await trader.netQty()).toBe(2);
  });

  test("forgets what a person ended by hand", async () => {
    const { trader } = await connected();
    const { target, stop } = legsOf(await enter(trader, 2));
    await untilExits(trader, 2);
    await trader.cancel(target);
    await trader.cancel(stop);
    await trader.restart();
    await untilStill(trader, "0 0");
    expect(await trader.working()).toEqual([]);
  });
});

test.concurrent("a broker that names legs late lets an entry through, and has them all the same", async () => {
  const { trader } = await prepared({}, { tellsChildren: "live" });
  await trader.connect();
  await trader.market(999, 1_000);
  const taken = await enter(trader, 2, 0);
  expect(taken.stopLossOrderId).toBeUndefined();
  await trader.market(994, 995);
  await trader.waitForPosition(2);
  await untilExits(trader, 2);
});
