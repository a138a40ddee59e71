import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Balances, BrokerBalance, Quotes } from "../../trading/money/ports.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { decodeQuote, encodeQuote } from "./ledger-record.ts";

/** Nobody shows a price of yesterday; ms. */
const QUOTES_KEPT_MS = 24 * 3_600_000;

/** The field that is no contract. */
const MISSING = "missing";

interface Place {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export function createRedisQuotes({ redis, keys }: Place): Quotes {
  return {
    save: async (connection, { quotes, isAll, dropped, missing }) => {
      const key = keys.quotes(connection);
      const told = [...quotes].flatMap(([contract, quote]) => [contract, encodeQuote(quote)]);
      const kept = isAll ? await run(redis.hkeys(key)) : [];
      const others = kept.filter((one) => one !== MISSING && !quotes.has(one as ContractCode));
      const gone = [...dropped, ...others, ...(missing === undefined ? [MISSING] : [])];
      if (missing !== undefined) told.push(MISSING, missing);
      await run(
        Promise.all([
          told.length > 0 && redis.hset(key, ...told),
          gone.length > 0 && redis.hdel(key, ...gone),
          redis.pexpire(key, QUOTES_KEPT_MS),
        ]),
      );
    },
    of: async (connection) => {
      const { [MISSING]: missing, ...told } = await run(redis.hgetall(keys.quotes(connection)));
      const quotes = Object.entries(told).map(
        ([contract, text]) => [contract as ContractCode, decodeQuote(text)] as const,
      );
      return { quotes: new Map(quotes), ...(missing !== undefined && { missing }) };
    },
  };
}

export function createRedisBalances({ redis, keys }: Place): Balances {
  return {
    save: async (account, balances) => {
      await run(redis.set(keys.balances(account), JSON.stringify(balances)));
    },
    of: async (account) => {
      const text = await run(redis.get(keys.balances(account)));
      return text === null ? [] : (JSON.parse(text) as readonly BrokerBalance[]);
    },
  };
}
