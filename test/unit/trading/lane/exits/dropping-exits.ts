import { vi } from "vitest";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { intentId, legIdOf } from "../../../../../src/domain/ids.ts";
import { clOrdIdOf } from "../../../../../src/domain/intent.ts";
import type { Bracket, NewOrderSingle } from "../../../../../src/domain/order.ts";
import type { PreparedOrder } from "../../../../../src/domain/order-ticket.ts";
import type { SubmitOutcome } from "../../../../../src/trading/ports.ts";
import { ACCOUNT, ES, order } from "../../lane-kit.ts";
import { BID, type PlanWorld } from "./exits-kit.ts";

export const by = (distance: number) => ({ by: "distance", distance: ticks(distance) }) as const;
export const BOTH: Bracket = { takeProfit: by(10), stopLoss: by(20) };
export const LIMIT = { ordType: "LIMIT", price: ticks(BID - 5) } as const;
const LOST = { kind: "unknown", reason: "The connection ended" } as const;

/** Orders whose exits the broker drops, and what it places itself a moment later. */
export const droppingExits = (world: () => PlanWorld) => ({
  /** The broker takes the next order, and so much of what comes with it; this is how it answers. */
  losesExits: (
    kept: (asked: Bracket) => Bracket = () => ({}),
    answer: (real: SubmitOutcome) => SubmitOutcome = () => LOST,
  ): void => {
    const { paper } = world();
    const submit = paper.submitOrder.bind(paper);
    vi.spyOn(paper, "submitOrder").mockImplementationOnce(
      async (account, { bracket, ...sent }: NewOrderSingle) => {
        const left = bracket && kept(bracket);
        const hasLeft = left !== undefined && Object.keys(left).length > 0;
        return answer(await submit(account, hasLeft ? { ...sent, bracket: left } : sent));
      },
    );
  },
  enter: async (bracket: Bracket, change: Partial<PreparedOrder> = {}) =>
    await world().run({ kind: "PLACE", order: order({ ...change, bracket }) }),
  plain: async (change: Partial<PreparedOrder> = {}) =>
    await world().run({ kind: "PLACE", order: order(change) }),
  /** The exits of the nth entry, by the broker itself or by its adapter. */
  brokerPlaces: async (nth: number, qty: number, stop = 3_980, profit?: number) => {
    const id = clOrdIdOf(intentId(`i${nth.toString(16).padStart(28, "0")}`), 1);
    return await world().paper.submitProtection(ACCOUNT, {
      contract: ES,
      side: "SELL",
      orderQty: qty,
      stopLoss: { clOrdId: legIdOf(id, "STOP_LOSS"), stopPx: ticks(stop) },
      ...(profit !== undefined && {
        takeProfit: { clOrdId: legIdOf(id, "TAKE_PROFIT"), price: ticks(profit) },
      }),
    });
  },
});
