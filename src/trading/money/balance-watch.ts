import type { AccountId } from "../../domain/ids.ts";
import type { Alarms } from "../alarms/alarm.ts";
import { differenceOf } from "./difference.ts";
import type { Balances, BrokerBalance, ValueSource } from "./ports.ts";
import { isOfUnknownCurrency, type OwnFigures } from "./value-account.ts";

/** So many are asked for each look, one second apart. */
const ASKED_AT_ONCE = 10;
/** Of those, so many are left to the accounts that rest. */
const LEFT_TO_RESTING = 1;
/** Of those that rest, so many are looked at each time: there may be thousands. */
const RESTING_AT_ONCE = 200;
/** What the ledger adds up to is computed for each: all at once would keep alerts waiting. */
const APART_MS = 90;
/** Of what holds something, or was worked a moment ago. */
const LIVELY_EVERY_MS = 5_000;
const QUIET_EVERY_MS = 5 * 60_000;
/** So long after its last report an account is lively. */
const LIVELY_FOR_MS = 10 * 60_000;
/** A fill reaches the broker's own figures, and us, at different moments. */
const LASTS_MS = 60_000;

export interface BalanceWatchDeps {
  /** The accounts of the connections that are up here, and whose brokers say what they are worth. */
  readonly accounts: () => readonly AccountId[];
  /** Those of them that hold something. */
  readonly holding: () => Iterable<AccountId>;
  readonly sourceOf: (account: AccountId) => ValueSource | undefined;
  readonly balances: Pick<Balances, "save">;
  /**
   * Our own figures of the day that the broker speaks of. The account may have no such day: undefined.
   * Throws `StoreError`.
   */
  readonly ownFigures: (
    account: AccountId,
    said: BrokerBalance,
  ) => Promise<readonly OwnFigures[] | undefined>;
  readonly alarms: Alarms;
  readonly pause: (ms: number) => Promise<void>;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
  readonly onError: (account: AccountId, error: unknown) => void;
}

interface Known {
  askedAt: number;
  workedAt: number;
  saved: string;
  /** Since when it differs, by currency. */
  readonly differsSince: Map<string, number>;
}

/**
 * Reads what brokers say that accounts are worth, in turns, and compares it with our own account. A
 * difference that lasts is an alarm.
 */
export class BalanceWatch {
  readonly #deps: BalanceWatchDeps;
  /** Whoever was asked last comes last. */
  readonly #known = new Map<AccountId, Known>();
  readonly #asking = new Set<AccountId>();
  /** All accounts of this round, and the next of them to look at. */
  #round: readonly AccountId[] = [];
  #at = 0;
  readonly #differing = new Set<string>();

  constructor(deps: BalanceWatchDeps) {
    this.#deps = deps;
  }

  /** How many differ, for longer than a moment. */
  get differing(): number {
    return this.#differing.size;
  }

  /** Something was reported of the account. */
  noteActivity(account: AccountId): void {
    this.#of(account).workedAt = this.#deps.elapsed();
  }

  /** Asks those whose turn it is, and resolves once each of them has answered. */
  async look(): Promise<void> {
    const { elapsed, holding, sourceOf } = this.#deps;
    const now = elapsed();
    const due = new Set<AccountId>();
    const take = (account: AccountId, everyMs: number, most: number) => {
      if (due.size >= most || this.#asking.has(account)) return;
      if (now - this.#of(account).askedAt < everyMs) return;
      if (sourceOf(account)?.balances !== undefined) due.add(account);
    };
    const held = new Set(holding());
    for (const account of held) this.#of(account);
    for (const [account, { workedAt }] of this.#known) {
      const isLively = held.has(account) || now - workedAt < LIVELY_FOR_MS;
      if (isLively) take(account, LIVELY_EVERY_MS, ASKED_AT_ONCE - LEFT_TO_RESTING);
    }
    for (const account of this.#nextResting()) take(account, QUIET_EVERY_MS, ASKED_AT_ONCE);
    for (const account of due) this.#asking.add(account);
    await Promise.all(
      [...due].map(async (account, nth) => {
        if (nth > 0) await this.#deps.pause(nth * APART_MS);
        await this.#ask(account);
      }),
    );
  }

  #nextResting(): readonly AccountId[] {
    if (this.#at >= this.#round.length) {
      this.#round = this.#deps.accounts();
      this.#at = 0;
      const present = new Set(this.#round);
      for (const account of this.#known.keys()) if (!present.has(account)) this.#forget(account);
    }
    const next = this.#round.slice(this.#at, this.#at + RESTING_AT_ONCE);
    this.#at += RESTING_AT_ONCE;
    const askedAt = (account: AccountId) => this.#known.get(account)?.askedAt ?? -Infinity;
    // Infinity less itself is no number.
    return next.toSorted((one, other) => askedAt(one) - askedAt(other) || 0);
  }

  async #ask(account: AccountId): Promise<void> {
    const { sourceOf, onError, elapsed } = this.#deps;
    const known = this.#of(account);
    known.askedAt = elapsed();
    this.#known.delete(account);
    this.#known.set(account, known);
    try {
      const said = await sourceOf(account)?.balances?.(account);
      if (said !== undefined) await this.#take(account, said);
    } catch (error) {
      onError(account, error);
    } finally {
      this.#asking.delete(account);
    }
  }

  async #take(account: AccountId, said: readonly BrokerBalance[]): Promise<void> {
    const known = this.#of(account);
    const text = JSON.stringify(said);
    if (text !== known.saved) {
      await this.#deps.balances.save(account, said);
      known.saved = text;
    }
    for (const one of said) {
      const own = await this.#deps.ownFigures(account, one);
      const same = own?.find(({ currency }) => currency === one.currency);
      // Nothing can be said of it, neither that it differs nor that it does not.
      if (own !== undefined && isOfUnknownCurrency(own)) continue;
      const difference = own && differenceOf(one, same);
      this.#compare(account, one, difference);
    }
  }

  #compare(account: AccountId, { currency }: BrokerBalance, reason: string | undefined): void {
    const { alarms, elapsed } = this.#deps;
    const { differsSince } = this.#of(account);
    const key = `${account} ${currency}`;
    if (reason === undefined) {
      differsSince.delete(currency);
      this.#differing.delete(key);
      alarms.clear({ kind: "moneyDiffers", accountId: account, currency });
      return;
    }
    const since = differsSince.get(currency) ?? elapsed();
    differsSince.set(currency, since);
    if (elapsed() - since < LASTS_MS) return;
    this.#differing.add(key);
    alarms.raise({ kind: "moneyDiffers", accountId: account, currency, reason });
  }

  /** It is another process' to watch, or nobody's. */
  #forget(account: AccountId): void {
    for (const currency of this.#of(account).differsSince.keys()) {
      this.#differing.delete(`${account} ${currency}`);
      this.#deps.alarms.clear({ kind: "moneyDiffers", accountId: account, currency }, "unseen");
    }
    this.#known.delete(account);
  }

  #of(account: AccountId): Known {
    const known = this.#known.get(account) ?? {
      askedAt: -Infinity,
      workedAt: -Infinity,
      saved: "",
      differsSince: new Map<string, number>(),
    };
    this.#known.set(account, known);
    return known;
  }
}
