import { type AccountId, type ClOrdId, type ExecId, execId, intentIdOf } from "../../domain/ids.ts";
import { type Fill, netOf } from "../../domain/order.ts";
import type { BrokerPosition } from "../../trading/ports.ts";
import type { Keys } from "../keys.ts";
import { bodyOf, closesOf, encodeFill, readCloses } from "./fill-record.ts";
import { createReadFills } from "./read-fills.ts";
import { runScript } from "../redis/script.ts";
import { recordFills as recordFillsScript } from "./record-fills.ts";
import { saveHoldings } from "./save-holdings.ts";
import { toQuantities, UP_TO } from "./stored-quantities.ts";
import { translateStoreErrors } from "../store-error.ts";
import {
  type AccountViews,
  FEW_FILLS,
  type KnownHoldings,
  type PositionReading,
  type RecordedFills,
} from "../../trading/reads/ports.ts";
import type { StoredAccount } from "../../trading/connections/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

const FILLS_AT_ONCE = 500;
const ACCOUNTS_AT_ONCE = 500;
export const accountViewScripts = [recordFillsScript, saveHoldings];

/** What is shown of accounts, as the owner of their connection last wrote it. */
export function createRedisAccountViews({
  redis,
  keys,
  now = Date.now,
}: {
  redis: RedisClient;
  keys: Keys;
  now?: () => number;
}): AccountViews {
  const run = translateStoreErrors;

  /** In parts: all of them at once would keep Redis, and this process, from everyone else. */
  async function reportedAccounts(): Promise<readonly StoredAccount[]> {
    const found = new Map<string, StoredAccount>();
    let cursor = "0";
    do {
      const [next, entries] = await run(
        redis.hscan(keys.accounts, cursor, "COUNT", ACCOUNTS_AT_ONCE),
      );
      for (let at = 0; at + 1 < entries.length; at += 2) {
        const [id = "", account = ""] = entries.slice(at, at + 2);
        found.set(id, JSON.parse(account) as StoredAccount);
      }
      cursor = next;
    } while (cursor !== "0");
    return [...found.values()];
  }

  /** With the clocks of their days, which a report does not replace. */
  async function accounts(): Promise<readonly StoredAccount[]> {
    const [reported, clocks] = await Promise.all([
      reportedAccounts(),
      run(redis.hgetall(keys.accountClocks)),
    ]);
    return reported.map((account) => {
      const own = clocks[account.accountId];
      return own === undefined ? account : { ...account, clocks: JSON.parse(own) };
    });
  }

  /**
   * A long list goes in parts, so that no script keeps Redis from everyone else for long. Most of one is
   * known when a process starts: that is asked first, which costs a tenth of sending it.
   */
  async function recordFills(
    account: AccountId,
    all: readonly Fill[],
    read: PositionReading | undefined,
  ): Promise<RecordedFills> {
    if (all.length <= FEW_FILLS) return await recordSome(account, all, read);
    const parts: RecordedFills[] = [];
    for (let from = 0; from < all.length; from += FILLS_AT_ONCE) {
      const { some, closes } = await unrecorded(account, all.slice(from, from + FILLS_AT_ONCE));
      parts.push({ added: [], corrected: [], closes });
      if (some.length > 0) parts.push(await recordSome(account, some, undefined));
    }
    await recordSome(account, [], read);
    return {
      added: parts.flatMap(({ added }) => added),
      closes: new Map(parts.flatMap(({ closes }) => [...closes])),
      corrected: parts.flatMap(({ corrected }) => corrected),
    };
  }

  /** A known fill may have changed since: its cost, or the fill itself. The others say what they close. */
  async function unrecorded(
    account: AccountId,
    fills: readonly Fill[],
  ): Promise<{ readonly some: readonly Fill[]; readonly closes: RecordedFills["closes"] }> {
    const ids = fills.map(({ execId: id }) => id);
    const all = await run(redis.hmget(keys.fills(account), ...ids));
    const some = fills.filter((fill, nth) => bodyOf(all[nth] ?? "") !== encodeFill(fill));
    const named = ids.flatMap((id, nth) => {
      const closes = closesOf(all[nth] ?? "");
      return closes === undefined ? [] : [[id, closes] as const];
    });
    return { some, closes: new Map(named) };
  }

  async function recordSome(
    account: AccountId,
    some: readonly Fill[],
    read: PositionReading | undefined,
  ): Promise<RecordedFills> {
    const body =
      read === undefined ? "" : JSON.stringify({ positions: read.positions, asOf: now() });
    const args = [body, read?.epoch ?? 0];
    for (const fill of some) args.push(...toArguments(fill));
    const names = [keys.account(account)];
    const [added, corrected, closes] = (await runScript(redis, recordFillsScript, names, args)) as [
      readonly ExecId[],
      readonly ExecId[],
      readonly string[],
    ];
    const named = new Map<ExecId, readonly ClOrdId[]>();
    for (let nth = 0; nth + 1 < closes.length; nth += 2) {
      const [id = "", entries = ""] = closes.slice(nth, nth + 2);
      named.set(execId(id), readCloses(entries));
    }
    return { added, corrected, closes: named };
  }

  async function holdings(account: AccountId): Promise<KnownHoldings> {
    const [filledNet, { [UP_TO]: upTo, ...base }] = await run(
      Promise.all([
        redis.hgetall(keys.filledNet(account)),
        redis.hgetall(keys.positionBase(account)),
      ]),
    );
    return {
      filledNet: toQuantities(filledNet),
      base: toQuantities(base),
      reconciledUpTo: upTo === undefined ? undefined : Number(upTo),
    };
  }

  return {
    accounts,
    recordFills,
    holdings,
    fills: createReadFills(redis, keys),

    saveAccounts: async (connection, reported) => {
      const known = await reportedAccounts();
      const present = new Set(reported.map(({ accountId }) => accountId));
      const gone = known
        .filter((account) => account.connectionId === connection)
        .filter(({ accountId }) => !present.has(accountId))
        .map((account) => ({ ...account, active: false }));
      const entries = [...reported, ...gone].flatMap((account) => [
        account.accountId,
        JSON.stringify(account),
      ]);
      if (entries.length > 0) await run(redis.hset(keys.accounts, ...entries));
    },

    positions: async (account) => {
      const body = await run(redis.get(keys.positions(account)));
      if (body === null) return { value: [], asOf: 0 };
      const { positions, asOf } = JSON.parse(body) as {
        positions: readonly BrokerPosition[];
        asOf: number;
      };
      return { value: positions, asOf };
    },

    saveBase: async (account, { epoch, reconciledUpTo, base, prices }) => {
      if (reconciledUpTo === undefined && base.size === 0) return;
      const entries = [...base].flatMap(([contract, qty]) => [
        contract,
        qty,
        JSON.stringify(prices?.get(contract) ?? {}),
      ]);
      const args = [epoch, reconciledUpTo ?? "", ...entries];
      await runScript(redis, saveHoldings, [keys.account(account)], args);
    },
  };
}

function toArguments(fill: Fill): (string | number)[] {
  const { execId: id, transactTimeAt, contract, clOrdId, fee = "" } = fill;
  const intent = (clOrdId && intentIdOf(clOrdId)) ?? "";
  const body = encodeFill(fill);
  return [id, transactTimeAt, body, contract, netOf(fill), intent, fee];
}
