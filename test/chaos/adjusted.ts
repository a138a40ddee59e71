import type { Aim } from "../../src/domain/alert.ts";
import type { IntentId } from "../../src/domain/ids.ts";
import { sign } from "../../src/domain/order.ts";
import { entryIdOf } from "../../src/trading/lane/adjust/entry-id.ts";
import type { SentOrder, Trade } from "./broker-view.ts";

/** An adjustment reads the broker again three times, and so once more where it was interrupted. */
const MOST_ROUNDS = 6;

/** What is wrong with the orders of one adjustment, in words; they are in the broker's order. */
export function findBadShape(intentId: string, orders: readonly SentOrder[]): string | undefined {
  const entryId = entryIdOf(intentId as IntentId);
  const closes = orders.filter(({ op }) => op === "closePosition").length;
  const placed = orders.filter(({ op }) => op === "submitOrder").length;
  const entryAt = orders.findIndex(({ clOrdId }) => clOrdId === entryId);
  if (closes > MOST_ROUNDS) return `an adjustment sent ${closes} closes`;
  if (placed > 1) return `an adjustment placed ${placed} orders`;
  if (entryAt === -1 || entryAt === orders.length - 1) return undefined;
  return "an adjustment sent something after its entry";
}

/** Where the position stood before and after one intent traded. */
export interface Moved {
  readonly before: number;
  readonly after: number;
}

/** Undefined where the intent sent nothing, or something else traded before it was done. */
export function findMove(intentId: string, trades: readonly Trade[]): Moved | undefined {
  const isOwn = (trade: Trade) => trade.intentId === intentId;
  const first = trades.findIndex(isOwn);
  if (first === -1) return undefined;
  const last = trades.findLastIndex(isOwn);
  if (!trades.slice(first, last + 1).every(isOwn)) return undefined;
  return { before: trades[first - 1]?.net ?? 0, after: trades[last]?.net ?? 0 };
}

/** Where an aim leads from a position, all of one contract; undefined for what no call here asks. */
export function aimedAt(aim: Aim, net: number): number | undefined {
  const size = Math.abs(net);
  switch (aim.to) {
    case "position":
      return aim.netQty;
    case "reverse":
      return -Math.sign(net) * (aim.qty ?? size);
    case "close":
      if ("qty" in aim) return Math.sign(net) * Math.max(0, size - aim.qty);
      return aim.percent === 100 ? 0 : undefined;
    case "enter":
      return aim.whenHeld === "refuse" ? sign(aim.side) * aim.qty : undefined;
    case "order":
    case "add":
      return undefined;
  }
}
