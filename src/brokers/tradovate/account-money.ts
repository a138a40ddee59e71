import { accountDayAt, nameOf, STANDARD_CLOCKS } from "../../domain/calendar/account-day.ts";
import { type Minor, minor } from "../../domain/money.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { BrokerBalance } from "../../trading/money/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { toAmount } from "./amounts.ts";
import { currencyOf } from "./broker-reads.ts";
import { wordsOf } from "./classify-error.ts";
import { isRecord } from "./frames.ts";
import { toTradeDay } from "./parse.ts";
import { RoundOfQuestions } from "./round-of-questions.ts";
import type { RateBudget } from "./rate-budget.ts";
import type { RestClient } from "./rest-client.ts";
import type { TradovateSession } from "./session.ts";
import type { TradovateCashBalance } from "./wire.ts";

export interface AccountMoneyDeps {
  readonly session: Pick<TradovateSession, "store" | "account" | "heardAt" | "isFed">;
  readonly rest: Pick<RestClient, "ask">;
  readonly token: () => string | undefined;
  readonly budget: RateBudget;
  readonly now: () => number;
  readonly elapsed: () => number;
  /** Aborted when the session ends. */
  readonly signal: AbortSignal;
}

/** What the broker answered of one account, in its currency. */
interface Snapshot {
  readonly at: number;
  /** That its cash was at then: the answer names none. */
  readonly day: Pick<BrokerBalance, "tradingDay">;
  readonly figures: Readonly<Record<string, unknown>>;
}

const SNAPSHOT = "cashBalance/getcashbalancesnapshot";

/**
 * What accounts are worth: what is told of their cash by itself, and what is asked for of all else, at
 * a pace that leaves half of the budget to others. It is asked for by HTTP: what is refused there ends
 * no session.
 */
export class AccountMoney {
  readonly #deps: AccountMoneyDeps;
  readonly #begunAt: number;
  readonly #snapshots = new Map<number, Snapshot>();
  readonly #questions: RoundOfQuestions;

  constructor(deps: AccountMoneyDeps) {
    this.#deps = deps;
    this.#begunAt = deps.now();
    const { elapsed, signal } = deps;
    const ask = (id: number) =>
      this.#ask(id).catch((error: unknown) => {
        // What was told by itself since is newer.
        this.#snapshots.delete(id);
        throw error;
      });
    this.#questions = new RoundOfQuestions({ elapsed, signal, ask });
  }

  /** In each of its currencies. Throws `BrokerReadError`. */
  async balances(called: AccountId): Promise<readonly BrokerBalance[]> {
    const { session } = this.#deps;
    const account = session.account(called);
    if (account === undefined) throw new BrokerReadError(`Unknown account ${called}`);
    const { id } = account;
    const currency = currencyOf(session.store, id);
    // In which of several currencies an answer would be is not said.
    if (currency === undefined) return this.#cashOnly(id);
    const isOpen = (one: number) => this.#isOpen(one);
    const open = session.store.all("account").filter((one) => isOpen(one.id)).length;
    const state = this.#stateOf(id);
    await this.#questions.want(id, { isOpen: isOpen(id), open, state });
    const snapshot = this.#snapshots.get(id);
    const [cash] = this.#cashOf(id);
    if (snapshot !== undefined) return [withSnapshot(currency, snapshot)];
    return cash === undefined ? [] : [this.#withCash(currency, cash)];
  }

  #cashOnly(id: number): readonly BrokerBalance[] {
    const { store } = this.#deps.session;
    const told = this.#cashOf(id).flatMap((cash) => {
      const name = store.get("currency", cash.currencyId)?.name;
      return name !== undefined && /^[A-Z]{3}$/.test(name) ? [this.#withCash(name, cash)] : [];
    });
    if (told.length > 0) return told;
    throw new BrokerReadError("Tradovate does not say in which currency the account is");
  }

  /** The newest row of each currency. */
  #cashOf(account: number): readonly TradovateCashBalance[] {
    const rows = this.#deps.session.store
      .all("cashBalance")
      .filter(({ accountId }) => accountId === account)
      .sort((a, b) => dayOf(a).localeCompare(dayOf(b)) || a.id - b.id);
    return [...new Map(rows.map((row) => [row.currencyId, row])).values()];
  }

  /** What was pushed is the broker's word of now, as long as it is heard. */
  #withCash(currency: string, cash: TradovateCashBalance): BrokerBalance {
    const { session, now, elapsed } = this.#deps;
    const { heardAt, isFed, store } = session;
    const at = isFed && heardAt !== undefined ? now() - (elapsed() - heardAt) : this.#begunAt;
    const isOfToday = dayOf(cash) === nameOf(accountDayAt(STANDARD_CLOCKS, now()));
    const margin = store.get("marginSnapshot", cash.accountId);
    const balance = balanceOf(currency, Math.round(at), {
      cash: cash.amount,
      realizedPnl: isOfToday ? cash.realizedPnL : undefined,
      initialMargin: margin?.initialMargin,
      maintenanceMargin: margin?.maintenanceMargin,
    });
    return { ...balance, ...dayTold(cash) };
  }

  #isOpen(account: number): boolean {
    const { positions, unread } = this.#deps.session.store.holdingsOf(account);
    return unread.length > 0 || positions.some(({ netPos }) => netPos !== 0);
  }

  /** What makes the last answer old where it has changed. */
  #stateOf(account: number): string {
    const { positions } = this.#deps.session.store.holdingsOf(account);
    const held = positions.map(({ contractId, netPos }) => [contractId, netPos]);
    const cash = this.#cashOf(account).map(({ amount, realizedPnL }) => [amount, realizedPnL]);
    return JSON.stringify([held, cash]);
  }

  /** Throws `BrokerReadError` where the broker does not answer it. */
  async #ask(accountId: number): Promise<void> {
    const { rest, token, budget, now, signal } = this.#deps;
    const refusal = budget.take("read", SNAPSHOT);
    if (refusal !== undefined) throw new BrokerReadError(refusal);
    const answer = await rest.ask({
      method: "POST",
      path: SNAPSHOT,
      body: { accountId },
      token: token() ?? "",
      signal,
    });
    const { status, data } = answer;
    budget.heed(SNAPSHOT, answer);
    const words = wordsOf(data);
    const isAnswer = status === 200 && isRecord(data) && words === undefined;
    if (!isAnswer) throw new BrokerReadError(words ?? `Tradovate answered ${status}`);
    if (FIGURES.every((name) => typeof data[name] !== "number")) {
      throw new BrokerReadError("Tradovate's answer on the account's money cannot be read");
    }
    const [cash] = this.#cashOf(accountId);
    this.#snapshots.set(accountId, { at: now(), day: dayTold(cash), figures: data });
  }
}

const FIGURES = ["totalCashValue", "netLiq", "openPnL", "realizedPnL"] as const;

function withSnapshot(currency: string, { at, day, figures }: Snapshot): BrokerBalance {
  const { totalCashValue, netLiq, openPnL, realizedPnL, initialMargin, maintenanceMargin } =
    figures;
  const balance = balanceOf(currency, at, {
    cash: totalCashValue,
    netLiquidation: netLiq,
    realizedPnl: realizedPnL,
    openPnl: openPnL,
    initialMargin,
    maintenanceMargin,
  });
  return { ...balance, ...day };
}

type Amounts = Omit<BrokerBalance, "currency" | "at" | "tradingDay" | "marginExcess" | "fees">;

function balanceOf(
  currency: string,
  at: number,
  told: { readonly [Name in keyof Amounts]?: unknown },
): BrokerBalance {
  const amounts: { -readonly [Name in keyof Amounts]?: Minor } = {};
  for (const [name, value] of Object.entries(told)) {
    const amount = typeof value === "number" ? toAmount(value, currency) : undefined;
    if (amount !== undefined) amounts[name as keyof Amounts] = amount;
  }
  const { netLiquidation, initialMargin } = amounts;
  const hasBoth = netLiquidation !== undefined && initialMargin !== undefined;
  return {
    currency,
    at,
    ...amounts,
    ...(hasBoth && { marginExcess: minor(netLiquidation - initialMargin) }),
  };
}

/** The day that what was won counts by. */
function dayTold(cash: TradovateCashBalance | undefined): Pick<BrokerBalance, "tradingDay"> {
  const tradingDay = cash && dayOf(cash);
  return tradingDay ? { tradingDay } : {};
}

const dayOf = ({ tradeDate }: TradovateCashBalance): string =>
  (tradeDate && toTradeDay(tradeDate)) ?? "";
