import { type AccountDay, nameOf } from "../../domain/calendar/account-day.ts";
import type { AccountId, ConnectionId } from "../../domain/ids.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AccountView, StoredAccount } from "../connections/ports.ts";
import type { Caller } from "../people/caller.ts";
import { readIdCursor, writeIdCursor } from "../reads/page-cursor.ts";
import { errors } from "../../errors.ts";
import { BrokerReadError, type ConnectionBoard } from "../ports.ts";
import type { Balances, BrokerBalance, KnownQuotes, Ledger, Quotes } from "./ports.ts";
import { quotesByConnection } from "./quotes-by-connection.ts";
import { type Valuation, valueAccount, type ValuationDeps } from "./value-account.ts";

/** What an account is worth, by the broker's word and by our own account. */
export interface AccountMoney extends Valuation {
  readonly account: AccountView;
  /** The day of the account that goes on. */
  readonly day: AccountDay;
  /** By the broker, each currency once; none where it does not say. */
  readonly balances: readonly BrokerBalance[];
  /** Unix ms. */
  readonly asOf: number;
  /** Why its broker tells no prices, in words; absent while it does. */
  readonly pricesMissing?: string;
}

export interface LedgerRequest {
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

export interface LedgerPage {
  readonly items: readonly PlacedEntry[];
  readonly nextCursor?: string;
}

export interface MoneyUses {
  readonly readAccountMoney: (caller: Caller, account: AccountId) => Promise<AccountMoney>;
  /** Of all accounts of the caller, in the order of their ids; `MOST_VALUED` at most. */
  readonly readAllMoney: (caller: Caller) => Promise<readonly AccountMoney[]>;
  readonly readLedger: (
    caller: Caller,
    account: AccountId,
    request: LedgerRequest,
  ) => Promise<LedgerPage>;
}

/** Beyond these nobody looks at each account. */
const MOST_VALUED = 500;

const LIST = "ledger";
/** What a store gives a line; nothing comes before 0, where it would refuse to look. */
const LINE = /^[1-9]\d{0,14}-\d{1,9}$/;

function readLine(cursor: string): string {
  const line = readIdCursor(LIST, cursor);
  if (LINE.test(line)) return line;
  throw errors.validationFailed([{ path: "cursor", message: "is no nextCursor of this list" }]);
}

export interface ReadMoneyDeps extends Omit<ValuationDeps, "quote" | "day"> {
  readonly accounts: AccountDirectory;
  readonly board: ConnectionBoard;
  readonly ledger: Ledger;
  readonly quotes: Pick<Quotes, "of">;
  readonly balances: Pick<Balances, "of">;
  /** What the broker says now; throws `BrokerReadError`. */
  readonly askBalances: (
    connection: ConnectionId,
    account: AccountId,
  ) => Promise<readonly BrokerBalance[]>;
  readonly now: () => number;
}

export function createReadMoney(deps: ReadMoneyDeps): MoneyUses {
  const { accounts, board, ledger, quotes, balances, askBalances, now } = deps;

  return {
    readAccountMoney: async ({ userId }, id) => {
      const account = await accounts.require(userId, id);
      const told = await quotes.of(account.connectionId);
      return await valued(account, told, await newestOf(account));
    },

    readAllMoney: async ({ userId }) => {
      await accounts.load();
      const own = accounts.of(userId).slice(0, MOST_VALUED);
      const told = await quotesByConnection(quotes, own);
      return await Promise.all(
        own.map(async (account) =>
          valued(
            account,
            told.get(account.connectionId) ?? { quotes: new Map() },
            await balances.of(account.accountId),
          ),
        ),
      );
    },

    readLedger: async ({ userId }, id, { limit, cursor }) => {
      await accounts.require(userId, id);
      const before = cursor === undefined ? undefined : readLine(cursor);
      const query = { limit, ...(before !== undefined && { before }) };
      const { items, next } = await ledger.entries(id, query);
      return { items, ...(next !== undefined && { nextCursor: writeIdCursor(LIST, next) }) };
    },
  };

  async function valued(
    account: StoredAccount,
    { quotes: told, missing }: KnownQuotes,
    said: readonly BrokerBalance[],
  ): Promise<AccountMoney> {
    const at = now();
    const day = accounts.dayAt(account.accountId, at);
    const book = await ledger.book(account.accountId);
    const valuation = valueAccount(book, {
      ...deps,
      quote: (contract) => told.get(contract),
      day: nameOf(day),
    });
    const { userId: _, number: _number, ...view } = account;
    return {
      account: { ...view, connectionStatus: board.status(account.connectionId) },
      day,
      balances: said,
      asOf: at,
      ...(missing !== undefined && { pricesMissing: missing }),
      ...valuation,
    };
  }

  /** By its owner; where that does not answer, what it said last. */
  async function newestOf({
    connectionId,
    accountId,
  }: StoredAccount): Promise<readonly BrokerBalance[]> {
    try {
      return await askBalances(connectionId, accountId);
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      return await balances.of(accountId);
    }
  }
}
