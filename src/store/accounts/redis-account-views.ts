import { type AccountId, type ExecId, intentIdOf } from "../../domain/ids.ts";
import { type Fill, sign } from "../../domain/order.ts";
import type { BrokerPosition } from "../../trading/ports.ts";
import type { Keys } from "../keys.ts";
import { encodeFill } from "./fill-record.ts";
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
  async function accounts(): Promise<readonly StoredAccount[]> {
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

  /**
   * A long list goes in parts, so that no script keeps Redis from everyone else for long. Most of one is
   * known when a process starts: that is asked first, which costs a tenth of sending it.
   */
  async function recordFills(
    account: AccountId,
    all: readonly Fill[],
    read: PositionReading | undefined,
  ): Promise<readonly ExecId[]> {
    if (all.length <= FEW_FILLS) return await recordSome(account, all, read);
    const added: ExecId[] = [];
    for (let from = 0; from < all.length; from += FILLS_AT_ONCE) {
      const some = await unrecorded(account, all.slice(from, from + FILLS_AT_ONCE));
      if (some.length > 0) added.push(...(await recordSome(account, some, undefined)));
    }
    await recordSome(account, [], read);
    return added;
  }

  /** Of one whose cost is told, what is kept is read as well: it may not have been told before. */
  async function unrecorded(account: AccountId, some: readonly Fill[]): Promise<readonly Fill[]> {
    const ids = some.map(({ execId }) => execId);
    const priced = some.filter(({ fee }) => fee !== undefined);
    const [times, bodies] = await run(
      Promise.all([
        redis.zmscore(keys.fillTimes(account), ...ids),
        priced.length === 0
          ? []
          : redis.hmget(keys.fills(account), ...priced.map(({ execId }) => execId)),
      ]),
    );
    const others = new Set(
      priced.filter((fill, index) => bodies[index] !== encodeFill(fill)).map((one) => one.execId),
    );
    return some.filter(({ execId }, index) => times[index] === null || others.has(execId));
  }

  async function recordSome(
    account: AccountId,
    some: readonly Fill[],
    read: PositionReading | undefined,
  ): Promise<readonly ExecId[]> {
    const body =
      read === undefined ? "" : JSON.stringify({ positions: read.positions, asOf: now() });
    const args = [body, read?.epoch ?? 0];
    for (const fill of some) args.push(...toArguments(fill));
    const names = [keys.account(account)];
    return (await runScript(redis, recordFillsScript, names, args)) as readonly ExecId[];
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
      const known = await accounts();
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
  const { execId, transactTimeAt, contract, side, lastQty, clOrdId, fee = "" } = fill;
  const intent = (clOrdId && intentIdOf(clOrdId)) ?? "";
  const body = encodeFill(fill);
  return [execId, transactTimeAt, body, contract, sign(side) * lastQty, intent, fee];
}
