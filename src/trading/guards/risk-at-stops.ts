import { NOTHING, type Scaled, sumOf, times } from "../../domain/contracts/decimal.ts";
import { type Countable, countTicks } from "../../domain/guards/countable.ts";
import { minor, roundToMinor } from "../../domain/money.ts";
import type { NewOrderSingle, OrderReport } from "../../domain/order.ts";
import { ticksToStop } from "../../domain/sizing.ts";
import type { Snapshot } from "../lane/read-snapshot.ts";
import type { ValuationDeps } from "../money/value-account.ts";

export type RiskDeps = Pick<ValuationDeps, "describe" | "expectedFee">;

/**
 * The loss of what rests of every entry, in any contract, once it has filled and its stop is hit, with the
 * fees of both ways. An entry without a stop counts as nothing: the limit stops it.
 */
export function restingRisk(
  { working }: Pick<Snapshot, "working">,
  currency: string,
  deps: RiskDeps,
): Countable {
  let atStops = 0;
  let fees = NOTHING;
  for (const leg of working) {
    const entry = working.find(({ orderId }) => orderId === leg.parentOrderId);
    const ticks = entry && ticksToItsStop(entry, leg);
    if (entry === undefined || ticks === undefined) continue;
    const { contract, leavesQty: orderQty } = entry;
    const loss = countTicks(ticks * orderQty, deps.describe(contract, entry.terms), currency);
    if (loss.kind === "uncountable") return loss;
    atStops += loss.amount;
    fees = sumOf(fees, feesBothWays({ contract, orderQty }, deps));
  }
  const paid = roundToMinor(fees, currency);
  if (paid === undefined) return { kind: "uncountable", why: "its fees are too large" };
  return { kind: "counted", amount: minor(atStops + paid) };
}

/** The ticks from an entry to its stop, which works once a part has filled; undefined of another leg. */
function ticksToItsStop(entry: OrderReport, leg: OrderReport): number | undefined {
  if (leg.stopPx === undefined) return undefined;
  const stopLoss = { by: "price", price: leg.stopPx } as const;
  const ticks = ticksToStop({ ...entry, bracket: { stopLoss } }, undefined);
  return ticks && Math.max(0, ticks);
}

/** The expected fees of an order's way in and out; nothing where no fee is known. */
export const feesBothWays = (
  { contract, orderQty }: Pick<NewOrderSingle, "contract" | "orderQty">,
  { expectedFee }: RiskDeps,
): Scaled => times(expectedFee(contract) ?? NOTHING, 2 * orderQty);

/** The expected fees of closing all positions. */
export const feesToClose = (
  { positions }: Pick<Snapshot, "positions">,
  { expectedFee }: RiskDeps,
): Scaled =>
  sumOf(
    ...positions.map(({ contract, netQty }) =>
      times(expectedFee(contract) ?? NOTHING, Math.abs(netQty)),
    ),
  );
