import { describe, expect, test } from "vitest";
import { atPrice, px, type Trader } from "../broker-under-test.ts";
import { type Given, holdWithPair, legsOf } from "./given.ts";

const ROUNDS = [0, 1, 2, 3, 4, 5];

/**
 * Both at once. Every other round starts with the other one, and the later one waits some turns of
 * the microtask queue, so that either may win where there is no network between.
 */
async function race<First, Second>(
  round: number,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  const later = async <Result>(start: () => Promise<Result>): Promise<Result> => {
    for (let turn = 0; turn < round; turn += 1) await Promise.resolve();
    return start();
  };
  if (round % 2 === 0) return Promise.all([first(), later(second)]);
  const started = second();
  return Promise.all([later(first), started]);
}

/** What must be true whoever wins. */
export function raceCases(given: Given): void {
  describe.sequential("races", () => {
    test.each(ROUNDS)("900 a cancel crosses the fill: one of the two holds (%i)", async (round) => {
      const trader = given();
      const { orderId } = await trader.limit("BUY", 995);
      const [outcome] = await race(
        round,
        () => trader.cancel(orderId),
        () => trader.market(994, 995),
      );
      const isCanceled = outcome.kind === "accepted";
      expect(outcome.kind).toBe(isCanceled ? "accepted" : "rejected");
      await trader.waitForReport(orderId, isCanceled ? "CANCELED" : "TRADE");
      expect(trader.lastSeen(orderId)).toMatchObject({ cumQty: isCanceled ? 0 : 1 });
      expect(await trader.netQty()).toBe(isCanceled ? 0 : 1);
      await trader.waitForWorking();
    });

    test.each(ROUNDS)("901 a change crosses the fill: one of the two holds (%i)", async (round) => {
      const trader = given();
      const { orderId } = await trader.limit("BUY", 995);
      const [outcome] = await race(
        round,
        () => trader.modify({ orderId, price: px(980) }),
        () => trader.market(994, 995),
      );
      const isMoved = outcome.kind === "accepted";
      expect(outcome.kind).toBe(isMoved ? "accepted" : "rejected");
      await trader.waitForReport(orderId, isMoved ? "REPLACED" : "TRADE");
      expect(await trader.netQty()).toBe(isMoved ? 0 : 1);
      const price = (await trader.workingOrder(orderId))?.price;
      expect(price).toBe(isMoved ? 980 : undefined);
    });

    test.each(ROUNDS)(
      "902 a close and a stop at once: each does what it says (%i)",
      async (round) => {
        const trader = given();
        await trader.place({ orderQty: 2 });
        await trader.waitForPosition(2);
        const exit = { side: "SELL", orderQty: 2, ordType: "STOP", stopPx: px(990) } as const;
        const { orderId: stop } = await trader.place(exit);
        const [outcome] = await race(
          round,
          () => trader.closeOut(),
          () => trader.market(989, 990),
        );
        await trader.waitForReport(stop, "TRADE");
        const isClosed = outcome.kind === "accepted";
        expect(outcome.kind).toBe(isClosed ? "accepted" : "rejected");
        // The close does not end the stop: whoever flattens must have canceled it before.
        await trader.waitForPosition(isClosed ? -2 : 0);
      },
    );

    test("903 one identifier sent twice at once is one order, or two where it may be", async () => {
      const trader = given();
      const clOrdId = trader.newId();
      const outcomes = await Promise.all([trader.submit({ clOrdId }), trader.submit({ clOrdId })]);
      const taken = outcomes.filter(({ kind }) => kind === "accepted").length;
      expect(taken).toBe(trader.adapter.capabilities.refusesDuplicates ? 1 : 2);
      await trader.waitForPosition(taken);
      expect(await trader.adapter.fills(trader.broker.account, 0)).toHaveLength(taken);
    });

    test("904 of two cancels at once one is accepted", async () => {
      const trader = given();
      const { orderId } = await trader.limit("BUY", 990);
      const outcomes = await Promise.all([trader.cancel(orderId), trader.cancel(orderId)]);
      expect(outcomes.map(({ kind }) => kind).sort()).toEqual(["accepted", "rejected"]);
      await trader.waitForWorking();
    });

    test("905 what is sent without waiting is carried out in its order", async () => {
      const trader = given();
      const sent = Array.from({ length: 5 }, (_, n) => trader.limit("BUY", 990 - n));
      const ids = (await Promise.all(sent)).map(({ orderId }) => orderId);
      await trader.waitForWorking(...ids);
      const told = trader.reports.map(({ report }) => report.order.orderId);
      expect(told).toEqual(ids);
    });

    pairRaces(given);
  });
}

function pairRaces(given: Given): void {
  test("910 a stop filled in part and its target reached by one quote close what is held", async () => {
    const trader = given();
    const { nativeOco } = trader.adapter.capabilities;
    const { target, stop } = await holdWithPair(trader);
    await trader.market(980, 981, 1);
    await trader.waitForPosition(3);
    await trader.market(1_015, 1_016);
    // Both can be filled now: the rest of the stop, which sells at any price, and the target.
    await trader.waitForPosition(nativeOco ? 0 : -4);
    await trader.waitForWorking();
    const filled = (id: string) => trader.lastSeen(id)?.cumQty ?? 0;
    expect(filled(target) + filled(stop)).toBe(nativeOco ? 4 : 8);
  });

  test.each(ROUNDS)(
    "911 a cancel of one exit crosses the fill of the other (%i)",
    async (round) => {
      const trader = given();
      const { nativeOco, cancelEndsLinkedLeg } = trader.adapter.capabilities;
      const { target, stop } = await holdWithPair(trader);
      const [outcome] = await race(
        round,
        () => trader.cancel(target),
        () => trader.market(979, 980),
      );
      const isCanceled = outcome.kind === "accepted";
      // Without a link nothing but its own fill can end the target.
      expect(isCanceled || nativeOco).toBe(true);
      await trader.waitForReport(target, "CANCELED");
      const isStopGone = isCanceled && cancelEndsLinkedLeg;
      await trader.waitForReport(stop, isStopGone ? "CANCELED" : "TRADE");
      await trader.waitForPosition(isStopGone ? 4 : 0);
      await trader.waitForWorking();
    },
  );
}

/** Races of an entry with legs of its own. */
export function bracketRaceCases(given: Given): void {
  async function entry(trader: Trader) {
    const bracket = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };
    const taken = await trader.limit("BUY", 995, { orderQty: 2, bracket });
    return { entry: taken.orderId, ...legsOf(taken) };
  }

  describe.sequential("races of brackets", () => {
    test.each(ROUNDS)(
      "920 a cancel crosses the entry's fill: all or nothing (%i)",
      async (round) => {
        const trader = given();
        const orders = await entry(trader);
        const [outcome] = await race(
          round,
          () => trader.cancel(orders.entry),
          () => trader.market(994, 995),
        );
        const isCanceled = outcome.kind === "accepted";
        await trader.waitForPosition(isCanceled ? 0 : 2);
        await trader.waitForWorking(...(isCanceled ? [] : [orders.target, orders.stop]));
        for (const { leavesQty, ordStatus } of await trader.working()) {
          expect([ordStatus, leavesQty]).toEqual(["NEW", 2]);
        }
      },
    );

    test.each(ROUNDS)("921 a stop that is moved crosses its trigger (%i)", async (round) => {
      const trader = given();
      const orders = await entry(trader);
      await trader.market(994, 995);
      await trader.waitForPosition(2);
      const [outcome] = await race(
        round,
        () => trader.modify({ orderId: orders.stop, stopPx: px(970) }),
        () => trader.market(979, 980),
      );
      const isMoved = outcome.kind === "accepted";
      await trader.waitForReport(orders.stop, isMoved ? "REPLACED" : "TRADE");
      await trader.waitForPosition(isMoved ? 2 : 0);
      expect((await trader.workingOrder(orders.stop))?.stopPx).toBe(isMoved ? 970 : undefined);
    });
  });
}
