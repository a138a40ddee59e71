import type { BrokerClock } from "./broker-clock.ts";
import { USD } from "./contract-directory.ts";
import type { CashBalanceEntity, FillEntity, FillFeeEntity } from "./entities.ts";
import type { EntityStore } from "./entity-store.ts";
import { FEE_PARTS, type FeePart } from "./money-settings.ts";
import type { Settings } from "./settings.ts";
import { weekOf } from "../bars/trade-days.ts";
import type { Users } from "./users.ts";

export interface CashDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly users: Users;
  readonly settings: (accountId: number) => Settings;
}

/** Balances, from one trade day to the next, and the fees of fills. */
export class Cash {
  readonly #deps: CashDeps;

  constructor(deps: CashDeps) {
    this.#deps = deps;
  }

  /** What was won or lost by closing. */
  win(accountId: number, won: number): void {
    const cash = this.#of(accountId);
    if (cash === undefined) return;
    this.#tell(cash, {
      amount: cash.amount + won,
      realizedPnL: cash.realizedPnL + won,
      weekRealizedPnL: cash.weekRealizedPnL + won,
    });
  }

  /** The fee of a fill, as late as it comes, or never told. */
  charge(accountId: number, fill: FillEntity): void {
    const { feeDelayMs } = this.#deps.settings(accountId);
    if (feeDelayMs === 0) this.#charge(accountId, fill);
    else setTimeout(() => this.#charge(accountId, fill), feeDelayMs).unref();
  }

  /** Changes the balance by hand; untold, only who reads it finds out. */
  adjust(accountId: number, by: number, isTold: boolean): void {
    const cash = this.#of(accountId);
    if (cash === undefined) return;
    const amount = cash.amount + by;
    if (isTold) this.#tell(cash, { amount });
    else this.#deps.store.seed("cashBalance", { ...cash, amount }, accountId);
  }

  /** Begins the new trade day of balances that are still at an earlier one. */
  roll(): void {
    const { users, settings } = this.#deps;
    for (const accountId of users.all().flatMap(({ accounts }) => [...accounts])) {
      if (settings(accountId).cashDay !== "rolls") continue;
      const known = this.#known(accountId);
      const cash = known && this.#today(known);
      if (cash !== known && cash !== undefined) this.#tell(cash, {});
    }
  }

  #charge(accountId: number, fill: FillEntity): void {
    const { store, settings } = this.#deps;
    const { commission, fees, tellsFees, feesLeaveCash } = settings(accountId);
    const costs: Partial<Record<FeePart, number>> = { ...fees, commission };
    const parts = FEE_PARTS.map((part) => [part, (costs[part] ?? 0) * fill.qty] as const);
    if (tellsFees) store.create("fillFee", accountId, toFillFee(fill.id, new Map(parts)));
    const sum = parts.reduce((total, [, cost]) => total + cost, 0);
    const cash = this.#of(accountId);
    if (sum === 0 || !feesLeaveCash || cash === undefined) return;
    this.#tell(cash, { amount: cash.amount - sum });
  }

  /** The balance as it is to be at the present trade day. */
  #of(accountId: number): CashBalanceEntity | undefined {
    const known = this.#known(accountId);
    return known && this.#today(known);
  }

  #known(accountId: number): CashBalanceEntity | undefined {
    return this.#deps.store.visible("cashBalance", new Set([accountId]))[0];
  }

  #today(cash: CashBalanceEntity): CashBalanceEntity {
    const tradeDate = this.#deps.clock.tradeDate();
    const { year, month, day } = cash.tradeDate;
    const isSameDay = day === tradeDate.day && month === tradeDate.month && year === tradeDate.year;
    if (isSameDay) return cash;
    const isSameWeek = weekOf(tradeDate) === weekOf(cash.tradeDate);
    return {
      ...cash,
      tradeDate,
      realizedPnL: 0,
      weekRealizedPnL: isSameWeek ? cash.weekRealizedPnL : 0,
      amountSOD: cash.amount,
    };
  }

  #tell(cash: CashBalanceEntity, change: Partial<CashBalanceEntity>): void {
    const { store, clock } = this.#deps;
    store.update("cashBalance", cash.id, { ...cash, timestamp: clock.iso(), ...change });
  }
}

function toFillFee(id: number, parts: ReadonlyMap<FeePart, number>): FillFeeEntity {
  const of = (part: FeePart) => parts.get(part) ?? 0;
  return {
    id,
    clearingFee: of("clearing"),
    clearingCurrencyId: USD,
    exchangeFee: of("exchange"),
    exchangeCurrencyId: USD,
    nfaFee: of("nfa"),
    nfaCurrencyId: USD,
    brokerageFee: of("brokerage"),
    brokerageCurrencyId: USD,
    ipFee: of("ip"),
    ipCurrencyId: USD,
    commission: of("commission"),
    commissionCurrencyId: USD,
    orderRoutingFee: of("orderRouting"),
    orderRoutingCurrencyId: USD,
  };
}
