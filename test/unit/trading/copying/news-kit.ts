import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { execId, orderId } from "../../../../src/domain/ids.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { LeaderNews, NotedFill } from "../../../../src/trading/copying/ports.ts";
import { NOW } from "./copy-kit.ts";

/** What a leader did, in plain values. */

/** A fill of a leader: bought where the quantity is above 0. */
export function noted(
  seq: number,
  contract: ContractCode,
  qty: number,
  { px = 100, at = NOW }: { readonly px?: number; readonly at?: number } = {},
): NotedFill {
  return {
    seq,
    fill: {
      execId: execId(`x${seq}`),
      orderId: orderId(`o${seq}`),
      contract,
      side: qty > 0 ? "BUY" : "SELL",
      lastQty: Math.abs(qty),
      lastPx: ticks(px),
      transactTimeAt: at,
    },
  };
}

export function news(
  fills: readonly NotedFill[],
  holds: readonly (readonly [ContractCode, number])[],
): LeaderNews {
  return { fills, holds: new Map(holds), now: NOW };
}
