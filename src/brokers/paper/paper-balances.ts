import type { ContractCode } from "../../domain/contracts/contract.ts";
import { negated, NOTHING, type Scaled, sumOf } from "../../domain/contracts/decimal.ts";
import { type Ticks, worthOfTicks } from "../../domain/contracts/price.ts";
import { type Minor, roundToMinor } from "../../domain/money.ts";
import { openTicks, type Position } from "../../domain/position.ts";
import type { BrokerBalance } from "../../trading/money/ports.ts";
import { type AccountTotals, NO_TAKINGS, ofDay } from "./account-totals.ts";
import type { PaperProduct } from "./exchange/product.ts";

/** The currency of the start balance; all others begin at 0. */
const HOME = "USD";

export interface PaperBalancesDeps {
  /** Whole dollars. */
  readonly startBalance: number;
  readonly product: (contract: ContractCode) => PaperProduct | undefined;
  /** What a position would be closed at now; undefined where that is not told. */
  readonly markOf: (position: Position) => Ticks | undefined;
  readonly now: () => number;
  /** When the broker's day of an instant began. */
  readonly dayBeganAt: (at: number) => number;
}

/**
 * What an account is worth, in dollars and each currency in which it traded. The sums are exact and each
 * amount is rounded once. There is no margin: the paper broker asks for none.
 */
export function balancesOf(
  { positions, totals }: { positions: readonly Position[]; totals: AccountTotals },
  deps: PaperBalancesDeps,
): readonly BrokerBalance[] {
  const at = deps.now();
  const dayBeganAt = deps.dayBeganAt(at);
  const held = positions.flatMap(({ contract }) => deps.product(contract)?.currency ?? []);
  return [...new Set([HOME, ...totals.keys(), ...held])].map((currency) => {
    const { realized, fees } = totals.get(currency) ?? NO_TAKINGS;
    const day = ofDay(totals.get(currency), dayBeganAt);
    const start = currency === HOME ? { units: BigInt(deps.startBalance), scale: 0 } : NOTHING;
    const cash = sumOf(start, realized, negated(fees));
    const open = openPnl(positions, currency, deps);
    const amounts = {
      cash,
      netLiquidation: open && sumOf(cash, open),
      realizedPnl: day.realized,
      openPnl: open,
      fees: day.fees,
    };
    return { currency, at, ...rounded(amounts, currency) };
  });
}

/** Undefined where the price of a position is not told, or what it is a position in. */
function openPnl(
  positions: readonly Position[],
  currency: string,
  { product, markOf }: PaperBalancesDeps,
): Scaled | undefined {
  let sum = NOTHING;
  for (const position of positions) {
    const traded = product(position.contract);
    if (traded === undefined) return undefined;
    if (traded.currency !== currency) continue;
    const mark = markOf(position);
    if (mark === undefined) return undefined;
    sum = sumOf(sum, worthOfTicks(openTicks(position, mark), traded.tickValue));
  }
  return sum;
}

function rounded<Name extends string>(
  amounts: Readonly<Record<Name, Scaled | undefined>>,
  currency: string,
): { readonly [Each in Name]?: Minor } {
  const told: { [Each in Name]?: Minor } = {};
  for (const name of Object.keys(amounts) as Name[]) {
    const value = amounts[name];
    const amount = value && roundToMinor(value, currency);
    if (amount !== undefined) told[name] = amount;
  }
  return told;
}
