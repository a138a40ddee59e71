import { setTimeout as sleep } from "node:timers/promises";
import { appendToLedgerFile } from "../data-folder/ledger-files.ts";
import { dayOfBroker, nameOf } from "../domain/calendar/account-day.ts";
import type { ContractCode } from "../domain/contracts/contract.ts";
import type { AccountId, ConnectionId, OrderId } from "../domain/ids.ts";
import { isClosed } from "../domain/order.ts";
import { BalanceWatch } from "../trading/money/balance-watch.ts";
import type { BrokerBalance } from "../trading/money/ports.ts";
import { QuoteBoard, type QuoteFigures } from "../trading/money/quote-board.ts";
import { valueAccount } from "../trading/money/value-account.ts";
import type { Connections, ReportListener } from "../trading/ports.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Lifecycle } from "./lifecycle.ts";

/**
 * What keeps prices and balances of the connections that are owned here. What it asks of the store goes
 * over the connection of those who read: no alert and no lane waits for it.
 */
export interface ValueWorks {
  readonly board: QuoteBoard;
  readonly onReport: ReportListener;
  /** What its broker says that an account is worth: asked now, else as it said last. */
  readonly balancesOf: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  /** What the account is worth is asked soon, and often for a while. */
  readonly askSoon: (account: AccountId) => void;
  /** All that works for the account at its broker, as it was read now. */
  readonly noteWorking: (account: AccountId, contracts: readonly ContractCode[]) => void;
  readonly figures: () => QuoteFigures & { readonly differing: number };
  readonly start: (lifecycle: Lifecycle) => void;
}

const LOOK_MS = 1_000;
/** An entry waits no longer to be told what its account is worth. */
const ASKED_WITHIN_MS = 800;
/** Looks at balances that wait at once: a broker that is slow for one account keeps nobody from others. */
const MOST_LOOKS = 30;
const ARCHIVE_EVERY_MS = 10 * 60_000;
/** Of what may stay: nothing is moved for a single line. */
const ARCHIVED_SHARE = 0.1;

interface ValueParts {
  readonly connections: Connections;
  /** What these accounts hold or work trades at another price. */
  readonly onQuote: (accounts: Iterable<AccountId>) => void;
  readonly onBalances: (account: AccountId, said: readonly BrokerBalance[]) => void;
  readonly elapsed: () => number;
}

export function composeValues(
  base: Foundation,
  { connections, elapsed, onQuote, onBalances }: ValueParts,
): ValueWorks {
  const { accounts, changes, reading, log, now, alarms, describe, expectedFee } = base;
  const standing = (connection: ConnectionId) => {
    const owned = connections.find(connection);
    return owned?.ownership.isOwned() === true ? owned : undefined;
  };
  const sourceOf = (account: AccountId) => {
    const stored = accounts.find(account);
    const owned = stored && standing(stored.connectionId);
    return owned?.status === "CONNECTED" ? owned.broker : undefined;
  };
  const board = new QuoteBoard({
    pricesOf: (connection) => standing(connection)?.broker.prices,
    connectionOf: (account) => {
      const stored = accounts.find(account);
      return stored?.active === true ? stored.connectionId : undefined;
    },
    onQuote,
    now,
  });
  const watch = new BalanceWatch({
    accounts: () =>
      [...accounts.all()]
        .filter(({ accountId, active }) => active && sourceOf(accountId)?.balances !== undefined)
        .map(({ accountId }) => accountId),
    holding: () => board.holders(),
    sourceOf,
    balances: {
      save: async (account, said) => {
        onBalances(account, said);
        await reading.balances.save(account, said);
      },
    },
    ownFigures: async (account, said) => {
      const day = dayOfBroker(accounts.clocksOf(account), said);
      if (day === undefined) return undefined;
      const book = await reading.ledger.book(account);
      const quote = () => undefined;
      return valueAccount(book, { describe, day: nameOf(day), expectedFee, quote }).figures;
    },
    alarms,
    pause: async (ms) => await sleep(ms, undefined, { ref: false }),
    elapsed,
    onError: (accountId, error) =>
      log.warn("What an account is worth was not read", { accountId, error }),
  });
  const working = new Map<AccountId, Map<OrderId, ContractCode>>();

  async function look(): Promise<void> {
    for (const { connection, holders, ...news } of board.look()) {
      await reading.quotes.save(connection, news);
      const users = new Set([...holders].map((account) => accounts.find(account)?.userId));
      for (const userId of users) {
        if (userId !== undefined) changes.publish({ userId }, "marks");
      }
    }
  }

  /** Of one account after another: it is no hurry. */
  async function archive(): Promise<void> {
    const { LEDGER_MAX_LINES: most, DATA_DIR: folder } = base.config;
    for (const { accountId } of accounts.all()) {
      if (sourceOf(accountId) === undefined) continue;
      if ((await reading.ledger.length(accountId)) <= most) continue;
      const count = await reading.ledger.archive(accountId, {
        keep: Math.floor(most * (1 - ARCHIVED_SHARE)),
        written: async (lines) => await appendToLedgerFile(folder, accountId, lines),
      });
      log.info("The oldest lines of a ledger were moved to a file", { accountId, count });
    }
  }

  return {
    board,
    onReport: (account, { order }) => {
      watch.noteActivity(account);
      if (!("ordStatus" in order)) return;
      const orders = working.get(account) ?? new Map<OrderId, ContractCode>();
      if (isClosed(order.ordStatus)) orders.delete(order.orderId);
      else orders.set(order.orderId, order.contract);
      if (orders.size > 0) working.set(account, orders);
      else working.delete(account);
      board.need(account, "worked", orders.values());
    },
    balancesOf: async (account) => {
      const asked = sourceOf(account)?.balances?.(account);
      const late = sleep(ASKED_WITHIN_MS, undefined, { ref: false });
      // What the broker cannot say now it may have said a moment ago.
      const said = await Promise.race([asked, late]).catch(() => undefined);
      return said ?? (await reading.balances.of(account));
    },
    askSoon: (account) => watch.noteActivity(account),
    noteWorking: (account, contracts) => board.need(account, "worked", contracts),
    figures: () => ({ ...board.figures, differing: watch.differing }),
    start: (lifecycle) => {
      // Apart: no price waits for a broker that takes its time to say what an account is worth.
      const stops = [
        repeat(LOOK_MS, look, (error) => log.warn("Prices were not kept", { error })),
        repeat(
          LOOK_MS,
          async () => await watch.look(),
          (error) => log.warn("Balances were not kept", { error }),
          MOST_LOOKS,
        ),
        repeat(ARCHIVE_EVERY_MS, archive, (error) =>
          log.warn("A ledger was not moved to its file", { error }),
        ),
      ];
      lifecycle.started("the look at prices and balances", async () => {
        await Promise.all(stops.map(async (stop) => await stop()));
      });
    },
  };
}

/**
 * Does it again and again, so often at once at most. The result ends that, and resolves once it is
 * idle.
 */
function repeat(
  everyMs: number,
  work: () => Promise<void>,
  onError: (error: unknown) => void,
  most = 1,
): () => Promise<void> {
  const working = new Set<Promise<void>>();
  const timer = setInterval(() => {
    if (working.size >= most) return;
    const one = work()
      .catch(onError)
      .finally(() => working.delete(one));
    working.add(one);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await Promise.all(working);
  };
}
