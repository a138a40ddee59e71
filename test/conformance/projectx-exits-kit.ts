import { expect } from "vitest";
import { newIntentId } from "../../src/app/new-ids.ts";
import { clOrdIdOf } from "../../src/domain/intent.ts";
import type { OrderReport } from "../../src/domain/order.ts";
import { waitUntil } from "../support/wait.ts";
import { atPrice, type Trader } from "./broker-under-test.ts";

export const BRACKET = { takeProfit: atPrice(1_010), stopLoss: atPrice(980) };

/** An entry for so many at 995, of which the market then sells `filled`. */
export async function enter(trader: Trader, orderQty: number, filled = orderQty) {
  const clOrdId = clOrdIdOf(newIntentId(), 1);
  const taken = await trader.limit("BUY", 995, { clOrdId, orderQty, bracket: BRACKET });
  if (filled > 0) {
    await trader.market(994, 995, filled);
    await trader.waitForPosition(filled);
    await trader.market(994, 996);
  }
  return taken;
}

export const exitsOf = async (trader: Trader): Promise<readonly OrderReport[]> =>
  (await trader.working()).filter(
    ({ role, ordStatus }) => role !== "ORDER" && ordStatus !== "HELD",
  );

/** How many contracts live exits of each kind are for, in words that a failure shows. */
export async function standing(trader: Trader): Promise<string> {
  const exits = await exitsOf(trader);
  const qtyOf = (role: OrderReport["role"]) =>
    exits.filter((exit) => exit.role === role).reduce((sum, { leavesQty }) => sum + leavesQty, 0);
  const isPlaced = exits.every(({ price, stopPx }) => price === 1_010 || stopPx === 980);
  return `${qtyOf("STOP_LOSS")} ${qtyOf("TAKE_PROFIT")}${isPlaced ? "" : " elsewhere"}`;
}

export const untilExits = (trader: Trader, qty: number): Promise<void> =>
  waitUntil(`both exits work for ${qty}`, async () => (await standing(trader)) === `${qty} ${qty}`);

/** Nothing of it comes back, though there is time for it. */
export async function untilStill(trader: Trader, expected: string): Promise<void> {
  const until = performance.now() + COMES_BACK_WITHIN_MS;
  while (performance.now() < until) {
    expect(await standing(trader)).toBe(expected);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

export const byText = (one: string, other: string) => one.localeCompare(other);

/** What is missing is placed again after 2 s. */
const COMES_BACK_WITHIN_MS = 3_000;
