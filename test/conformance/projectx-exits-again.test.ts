import { describe, expect, test } from "vitest";
import { legCuts } from "../../src/domain/legs.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted } from "./broker-under-test.ts";
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

const { connected } = exitCases();

/**
 * Goal: what is placed again is there once, for what is held and no more, is known as its entry's, and
 * ends with what it protects. Method: a broker that ends a group over a partial exit, and loses answers.
 */
describe.concurrent("exits that are placed again", () => {
  /** An entry whose group a partial exit has ended: 3 of 4 are left. */
  async function bare() {
    const given = await connected({}, { partialExit: "endsChildren" });
    const { trader } = given;
    await enter(trader, 4);
    await untilExits(trader, 4);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.waitForPosition(3);
    await waitUntil("the group is gone", async () => (await standing(trader)) === "0 0");
    return given;
  }

  test("of two entries are never for more than is held", async () => {
    const { trader } = await connected({}, { partialExit: "endsChildren" });
    for (let n = 0; n < 2; n += 1) {
      await trader.limit("BUY", 995, { orderQty: 2, bracket: BRACKET });
    }
    await trader.market(994, 995, 4);
    await trader.waitForPosition(4);
    await trader.market(994, 996);
    await untilExits(trader, 4);
    await trader.place({ side: "SELL", orderQty: 1 });
    await trader.waitForPosition(3);
    const most = { stop: 0, target: 0 };
    await passing(trader, "all that is held has exits again", async () => {
      const [stop = 0, target = 0] = (await standing(trader)).split(" ").map(Number);
      most.stop = Math.max(most.stop, stop);
      most.target = Math.max(most.target, target);
      return stop === 3 && target === 3;
    });
    await untilStill(trader, "3 3");
    expect(most).toEqual({ stop: 3, target: 3 });
  });

  test.each([
    ["carried out", true],
    ["not carried out", false],
  ])("stand once though answer and event of one are lost: %s", async (_, isCarriedOut) => {
    const { trader, fault, turn, broker } = await bare();
    await fault({ kind: "drop", isCarriedOut }, "Order/place");
    const { user } = broker;
    if (isCarriedOut) await turn({ knob: "loseEvents", user, count: 1, kind: "order" });
    await untilExits(trader, 3);
    await untilStill(trader, "3 3");
    expect(await trader.netQty()).toBe(3);
  });

  test("are those of their entry after a restart too, and come back once more", async () => {
    const { trader, turn, broker } = await bare();
    await untilExits(trader, 3);
    await trader.restart();
    const again = await exitsOf(trader);
    const entries = new Set(again.map(({ parentOrderId }) => parentOrderId));
    expect([again.length, entries.size, entries.has(undefined)]).toEqual([2, 1, false]);
    const ids = again.map(({ clOrdId }) => clOrdId ?? "").toSorted(byText);
    expect(ids.map((id) => id.slice(-3))).toEqual(["-SL", "-TP"]);
    for (const { orderId } of again) {
      await turn({ knob: "cancelOrder", account: `${broker.user}-1`, orderId: Number(orderId) });
    }
    await waitUntil("they are gone", async () => (await standing(trader)) === "0 0");
    await untilExits(trader, 3);
  });

  test("are seen by the gateway as what is left, and end, when something else has closed it", async () => {
    const { trader } = await bare();
    await untilExits(trader, 3);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    const working = await trader.working();
    const cuts = legCuts({ working, positions: [], filled: [], nativeOco: false });
    // Which of the two the broker placed first is its own matter.
    expect(
      cuts.map(({ leg, leavesQty, why }) => `${leg.role} ${leavesQty} ${why}`).toSorted(),
    ).toEqual(["STOP_LOSS 0 noPosition", "TAKE_PROFIT 0 noPosition"]);
    await passing(trader, "they are gone", async () => (await trader.working()).length === 0);
    expect(await trader.netQty()).toBe(0);
  });

  test("do not leave when a close that went before them has gone through", async () => {
    const { trader, hold, asked } = await bare();
    const placed = await asked("Order/place");
    const question = await hold("Trade/search");
    await passing(trader, "an exit is about to leave", question.isAsked);
    accepted(await trader.closeOut());
    await trader.waitForPosition(0);
    await question.letGo();
    await untilStill(trader, "0 0");
    expect((await asked("Order/place")) - placed).toBe(1);
  });

  test("leave nothing behind when one of them fills", async () => {
    const { trader } = await bare();
    await untilExits(trader, 3);
    await trader.market(1_010, 1_011);
    await trader.waitForPosition(0);
    await passing(trader, "the stop is gone", async () => (await standing(trader)) === "0 0");
    await trader.market(979, 980);
    expect(await trader.netQty()).toBe(0);
  });
});
