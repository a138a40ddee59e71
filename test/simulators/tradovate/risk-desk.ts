import { type Answer, failure } from "./answer.ts";
import type { BrokerClock } from "./broker-clock.ts";
import type { EntityStore } from "./entity-store.ts";
import type { Holdings } from "./holdings.ts";
import type { Origin } from "./order-journal.ts";
import { definedOf } from "./order-request.ts";
import type { Settings } from "./settings.ts";

export interface RiskDeskDeps {
  readonly store: EntityStore;
  readonly clock: BrokerClock;
  readonly holdings: Pick<Holdings, "netQty">;
  readonly settings: (accountId: number) => Settings;
  /** What the account's positions would win or lose at the last prices, in dollars. */
  readonly openProfit: (accountId: number) => number;
  /** Ends the account's orders and closes what it holds. */
  readonly liquidate: (accountId: number) => void;
}

type RiskType = "userAccountAutoLiq" | "accountRiskStatus";

/** What of a row is to be otherwise; null takes a field away, or the row. */
interface RiskChange {
  readonly change: Readonly<Record<string, unknown>> | null;
  readonly isTold: boolean;
}

/** The words after which only exits are taken. */
const EXITS_ONLY: ReadonlySet<string | undefined> = new Set([
  "AgreedOnLiqOnlyModeByAutoLiq",
  "AgreedOnLiquidationByAutoLiq",
  "LiquidateImmediately",
  "LiquidateOnlyModeImmediately",
]);

/**
 * Acts on what accounts are held to: refuses what opens, and liquidates at a day's loss or profit.
 * Weekly figures, percentages, drawdowns and times are told only.
 */
export class RiskDesk {
  readonly #deps: RiskDeskDeps;
  /** Accounts of which something was set; of the others there is nothing to look at. */
  readonly #guarded = new Set<number>();
  /** The trade day on which an account was locked by itself. */
  readonly #lockedOn = new Map<number, string>();
  readonly #liquidated = new Set<number>();
  #isLooking = false;

  constructor(deps: RiskDeskDeps) {
    this.#deps = deps;
  }

  set(type: RiskType, accountId: number, { change, isTold }: RiskChange): void {
    const { store } = this.#deps;
    this.#guarded.add(accountId);
    const known = store.get(type, accountId);
    if (change === null) store.remove(type, accountId);
    else {
      const fields = Object.entries({ ...known, ...change, id: accountId });
      const row = Object.fromEntries(fields.map(([name, value]) => [name, value ?? undefined]));
      const whole = { ...definedOf(row), id: accountId };
      if (!isTold) store.seed(type, whole, accountId);
      else if (known === undefined) store.create(type, accountId, whole);
      else store.update(type, accountId, row);
    }
    const action = this.#deps.store.get("accountRiskStatus", accountId)?.adminAction;
    if (type === "accountRiskStatus" && action === "LiquidateImmediately") {
      this.#deps.liquidate(accountId);
    }
    this.look();
  }

  /** Why an order that would open something is turned down; undefined where it may go. */
  refusalOf({ accountId, listed, wish, orderQty }: Origin): Answer | undefined {
    const { store, settings, holdings } = this.#deps;
    const status = store.get("accountRiskStatus", accountId);
    if (status === undefined || !settings(accountId).riskActs) return undefined;
    const { adminAction, liquidateOnly, userTriggeredLiqOnly } = status;
    if (adminAction === "LockTradingImmediately") {
      return failure("TradingLocked", "Trading is locked");
    }
    const isLiqOnly =
      EXITS_ONLY.has(adminAction) || liquidateOnly !== undefined || userTriggeredLiqOnly === true;
    const held = holdings.netQty(accountId, listed);
    const closes = wish.action === "Buy" ? held < 0 : held > 0;
    if (!isLiqOnly || (closes && orderQty <= Math.abs(held))) return undefined;
    return failure("LiquidationOnly", "The account may only be liquidated");
  }

  /** Once what goes on now is done. */
  look(): void {
    if (this.#isLooking || this.#guarded.size === 0) return;
    this.#isLooking = true;
    setImmediate(() => {
      this.#isLooking = false;
      for (const accountId of this.#guarded) this.#lookAt(accountId);
    });
  }

  #lookAt(accountId: number): void {
    const { store, settings } = this.#deps;
    this.#unlock(accountId);
    const limits = store.get("userAccountAutoLiq", accountId);
    if (limits === undefined || !settings(accountId).riskActs) return;
    const { dailyLossLiqOnly, dailyLossAutoLiq, dailyProfitAutoLiq } = limits;
    const won = this.#wonToday(accountId);
    const isLost = (limit: number | undefined) => limit !== undefined && -won >= limit;
    const isWon = dailyProfitAutoLiq !== undefined && won >= dailyProfitAutoLiq;
    if (isLost(dailyLossAutoLiq) || isWon) {
      this.#lock(accountId);
      if (this.#liquidated.has(accountId)) return;
      this.#liquidated.add(accountId);
      this.#deps.liquidate(accountId);
    } else if (isLost(dailyLossLiqOnly)) this.#lock(accountId);
  }

  /** With fees, and with what is open. */
  #wonToday(accountId: number): number {
    const { store, openProfit } = this.#deps;
    const [cash] = store.visible("cashBalance", new Set([accountId]));
    const isToday = cash !== undefined && dayOf(cash.tradeDate) === this.#today();
    return (isToday ? cash.amount - cash.amountSOD : 0) + openProfit(accountId);
  }

  #lock(accountId: number): void {
    const { store, clock } = this.#deps;
    if (this.#lockedOn.has(accountId)) return;
    this.#lockedOn.set(accountId, this.#today());
    if (store.get("accountRiskStatus", accountId) === undefined) return;
    const liquidateOnly = clock.iso();
    store.update("accountRiskStatus", accountId, { liquidateOnly, userTriggeredLiqOnly: true });
  }

  /** The next trade day ends it, unless it is not to end by itself. */
  #unlock(accountId: number): void {
    const { store } = this.#deps;
    const lockedOn = this.#lockedOn.get(accountId);
    const isOver = lockedOn !== undefined && lockedOn !== this.#today();
    if (!isOver || store.get("userAccountAutoLiq", accountId)?.doNotUnlock === true) return;
    this.#lockedOn.delete(accountId);
    this.#liquidated.delete(accountId);
    const open = { liquidateOnly: undefined, userTriggeredLiqOnly: false };
    if (store.get("accountRiskStatus", accountId) === undefined) return;
    store.update("accountRiskStatus", accountId, open);
  }

  #today(): string {
    return dayOf(this.#deps.clock.tradeDate());
  }
}

const dayOf = (date: { readonly year: number; readonly month: number; readonly day: number }) =>
  `${date.year}-${date.month}-${date.day}`;
