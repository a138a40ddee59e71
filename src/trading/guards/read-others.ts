import { accountDayAt, accountWeekOf } from "../../domain/calendar/account-day.ts";
import type { OtherAccounts, OtherFigures } from "../../domain/guards/guard-facts.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { type AccountDirectory, identities } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { Quotes } from "../money/ports.ts";
import { othersFrom, type ReadFacts } from "./read-facts.ts";

export interface ReadOthersDeps {
  readonly accounts: Pick<AccountDirectory, "find" | "sameAtBroker" | "clocksOf">;
  readonly bookOf: (account: AccountId) => Promise<AccountBook>;
  readonly quotes: Pick<Quotes, "of">;
  readonly readFacts: ReadFacts;
}

/**
 * What the other accounts have brought that rules of this one add to it, whoever owns them: by their
 * ledgers and the quotes that are stored each second. One that is not the same user's is not among
 * them, and the rule cannot be judged then. Throws `StoreError`.
 */
export function createReadOthers({ accounts, bookOf, quotes, readFacts }: ReadOthersDeps) {
  const identityOf = identities(accounts);

  return async function readOthers(
    account: AccountId,
    settings: GuardSettings,
  ): Promise<OtherAccounts> {
    const others = new Map<AccountId, OtherFigures | "itself">();
    const userId = accounts.find(account)?.userId;
    const ids = settings.rules.flatMap((rule) => ("together" in rule ? (rule.together ?? []) : []));
    for (const id of new Set(ids)) {
      const other = accounts.find(id);
      if (other === undefined || other.userId !== userId) continue;
      if (identityOf(id) === identityOf(account)) {
        others.set(id, "itself");
        continue;
      }
      const trading = whereItTrades(other);
      const { now, ...figures } = await figuresOf(trading, settings);
      const areOtherDays = !beginAlike(account, trading.accountId, now);
      others.set(id, {
        ...figures,
        identity: identityOf(id),
        ...(areOtherDays && { areOtherDays }),
      });
    }
    return others;
  };

  /** The ledger of a login that is paused has ended; another login may go on with the account. */
  function whereItTrades(account: StoredAccount): StoredAccount {
    if (account.active) return account;
    return accounts.sameAtBroker(account).find(({ active }) => active) ?? account;
  }

  /** Whether the present day of both accounts began at one instant, and the week of both. */
  function beginAlike(one: AccountId, other: AccountId, now: number): boolean {
    const [own, theirs] = [one, other].map((id) => {
      const clocks = accounts.clocksOf(id);
      const today = accountDayAt(clocks, now);
      return { day: today.beganAt, week: accountWeekOf(clocks, today).beganAt };
    });
    return own?.day === theirs?.day && own?.week === theirs?.week;
  }

  async function figuresOf(
    { accountId, connectionId }: StoredAccount,
    settings: GuardSettings,
  ): Promise<ReturnType<typeof othersFrom> & { readonly now: number }> {
    const told = await quotes.of(connectionId);
    const facts = readFacts(await bookOf(accountId), settings, {
      clocks: accounts.clocksOf(accountId),
      quote: (contract) => told.quotes.get(contract),
      working: undefined,
      balances: [],
      brokerGuards: undefined,
      others: new Map(),
    });
    return { ...othersFrom(facts), now: facts.now };
  }
}
