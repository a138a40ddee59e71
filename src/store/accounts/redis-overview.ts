import type { AccountId, UserId } from "../../domain/ids.ts";
import type { OrderResult } from "../../domain/intent-result.ts";
import type { AlertMinute, AlertTraffic, OverviewStore } from "../../trading/reads/overview.ts";
import { askInParts } from "../../domain/ask-in-parts.ts";
import { toIntentId } from "../intents/intent-record.ts";
import type { Keys } from "../keys.ts";
import { type Merged, MergeNewest } from "../redis/merge-newest.ts";
import { readActiveKillSwitches } from "../intents/redis-limit-store.ts";
import { UserGuards } from "../intents/user-guards.ts";
import { runScript } from "../redis/script.ts";
import { countAlerts } from "./count-alerts.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import type { CredentialStore } from "../../trading/people/ports.ts";
import type { RedisClient } from "../redis/redis-client.ts";

export const overviewScripts = [countAlerts];

const MINUTE_MS = 60_000;
const MINUTES = 60;
/** Of how many alerts the latency is told: enough for a p99 that means something. */
const LATENCIES = 200;

/** How many alerts of an account were accepted and ended in each minute. */
interface Counted {
  readonly account: AccountId;
  readonly accepted: readonly number[];
  readonly ended: readonly number[];
}

/** What the overview shows of all accounts of a user; hundreds of them are asked about at once. */
export function createRedisOverview({
  redis,
  keys,
  alertAccounts,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
  readonly alertAccounts: CredentialStore["alertAccounts"];
}): OverviewStore {
  const guards = new UserGuards({ redis, keys });
  return {
    killSwitches: async (user, accounts) => {
      const named = new Map(
        accounts.map((accountId) => [keys.killSwitch({ accountId }), accountId]),
      );
      const [own, on] = await Promise.all([
        guards.settledSwitch(user),
        readActiveKillSwitches(redis, keys, (key) => named.has(key)),
      ]);
      const active = new Set(on.map((key) => named.get(key)));
      return {
        ofUser: own.active,
        accounts: accounts.filter((account) => active.has(account)),
      };
    },

    alertTraffic,
  };

  async function alertTraffic(user: UserId, now: number): Promise<AlertTraffic> {
    const firstAt = Math.floor(now / MINUTE_MS) * MINUTE_MS - (MINUTES - 1) * MINUTE_MS;
    const all = await askInParts(await alertAccounts(user), (account) => count(account, firstAt));
    const busy = all.filter((one) => one !== undefined);
    const accepting = busy.filter(({ accepted }) => accepted.some((times) => times > 0));
    const minutes = Array.from({ length: MINUTES }, (_, minute): AlertMinute => ({
      at: firstAt + minute * MINUTE_MS,
      accepted: busy.reduce((sum, { accepted }) => sum + (accepted[minute] ?? 0), 0),
      refused: busy.reduce((sum, { ended }) => sum + (ended[minute] ?? 0), 0),
    }));
    const latencies = await latenciesOf(
      accepting.map(({ account }) => account),
      firstAt,
    );
    return { minutes, latenciesMs: latencies.filter((ms) => ms !== undefined) };
  }

  /** Undefined for an account without alerts in all that time. */
  async function count(account: AccountId, firstAt: number): Promise<Counted | undefined> {
    const sets = [keys.acceptedAlerts(account), keys.endedAlerts(account)];
    const reply = await runScript(redis, countAlerts, sets, [firstAt, MINUTES]);
    const [accepted, ended] = reply as readonly (readonly number[])[];
    if (accepted === undefined || ended === undefined) return undefined;
    return { account, accepted, ended };
  }

  async function latenciesOf(accounts: readonly AccountId[], fromAt: number) {
    const sets = accounts.map((account) => ({ key: keys.acceptedAlerts(account), kind: account }));
    const newest = new MergeNewest<AccountId>(redis, sets, { fromAt, expected: LATENCIES });
    return await askInParts(await newest.take(LATENCIES), latencyOf);
  }

  /** Undefined where the broker acknowledged nothing, or not yet. */
  async function latencyOf({ id, at, kind }: Merged<AccountId>): Promise<number | undefined> {
    const intent = keys.intent(kind, toIntentId(id));
    const [sentAt, outcome] = await run(redis.hmget(intent, "sentAt", "outcome"));
    if (!sentAt || !outcome) return undefined;
    const ackMs = acknowledgedAfter(outcome);
    return ackMs === undefined ? undefined : Math.max(0, Number(sentAt) + ackMs - at);
  }
}

/** ms from the write-ahead to the broker's answer on the order, in any form of stored outcomes. */
function acknowledgedAfter(outcome: string): number | undefined {
  const { result } = JSON.parse(outcome) as { result?: { order?: Pick<OrderResult, "ackMs"> } };
  return result?.order?.ackMs;
}
