import { randomUUID } from "node:crypto";
import type { GuardState } from "../../domain/guards/guard-state.ts";
import type { GuardLock } from "../../domain/guards/verdict.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { GuardStore, GuardWrite, StoredGuards } from "../../trading/guards/guard-store.ts";
import { decisionArgument } from "../notify/note-decision.ts";
import type { Keys } from "../keys.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { StoreError } from "../../trading/store-error.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { writeGuards } from "./write-guards.ts";

export const guardScripts = [writeGuards];

const PARTS = ["settings", "next", "state", "lock", "sight"] as const;

/** Guards in Redis: a hash of each account, in its slot, which the write-ahead of its entries reads. */
export function createRedisGuards({
  redis,
  keys,
}: {
  readonly redis: RedisClient;
  readonly keys: Keys;
}): GuardStore {
  return {
    guarded: async () => (await run(redis.smembers(keys.guardedAccounts))) as AccountId[],

    load: async (account) => {
      const [version, ...parts] = await run(redis.hmget(keys.guards(account), "version", ...PARTS));
      return version ? decode(version, parts) : undefined;
    },

    stands: async (account) => {
      const [version, lockId] = await run(redis.hmget(keys.guards(account), "version", "lockId"));
      return { version: version ?? "", lockId: lockId ?? undefined };
    },

    write: async (account, expected, write) => {
      // First, and for good: whoever looks for guarded accounts must not miss one.
      if (write.settings !== undefined) await run(redis.sadd(keys.guardedAccounts, account));
      const fields = fieldsOf(write);
      const args = [
        expected.epoch ?? "",
        expected.version,
        expected.lockId ?? "",
        "state" in expected ? textOf(expected.state) : "*",
        fields.length,
        ...fields.flat(),
        ...write.decisions.flatMap(({ decision, event }) => [
          JSON.stringify(decision),
          decisionArgument(event),
        ]),
      ];
      const answer = await runScript(redis, writeGuards, [keys.account(account)], args);
      // What an owner has locked itself nobody has to hear: each write-ahead asks for it.
      const isLockNews = write.lock !== undefined && expected.epoch === undefined;
      const isNews = write.settings !== undefined || isLockNews;
      if (answer === "written" && isNews) await run(redis.publish(keys.guardChanges, account));
      return answer as Awaited<ReturnType<GuardStore["write"]>>;
    },

    history: async (account, { limit, before }) => {
      const until = before === undefined ? "+" : `(${before}`;
      const lines = await run(
        redis.xrevrange(keys.guardLog(account), until, "-", "COUNT", limit + 1),
      );
      const items = lines
        .slice(0, limit)
        .map(([id, [, decision = "{}"]]) => ({ id, ...JSON.parse(decision) }));
      const last = items.at(-1);
      return { items, ...(lines.length > limit && last !== undefined && { next: last.id }) };
    },
  };
}

const textOf = (state: GuardState | undefined): string =>
  state === undefined ? "" : JSON.stringify(state);

/** What is not as it was written is not guessed: then no entry passes. Throws `StoreError`. */
function decode(version: string, parts: readonly (string | null)[]): StoredGuards {
  try {
    const known = PARTS.map((name, at) => [name, parts[at]] as const)
      .filter(([, text]) => text !== null && text !== undefined)
      .map(([name, text]) => [name, JSON.parse(text ?? "")]);
    const stored = { version, ...Object.fromEntries(known) } as StoredGuards;
    if (Array.isArray(stored.settings.rules)) return stored;
  } catch (cause) {
    throw new StoreError(UNREADABLE, { certainlyNotWritten: true, cause });
  }
  throw new StoreError(UNREADABLE, { certainlyNotWritten: true });
}

const UNREADABLE = "What is stored of the account's guards cannot be read";

function fieldsOf(write: GuardWrite): readonly (readonly [string, string])[] {
  const { decisions: _, ...parts } = write;
  const fields = Object.entries(parts)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => [name, value === null ? "" : JSON.stringify(value)] as const);
  const { settings, lock } = parts;
  return [
    ...fields,
    ...(settings === undefined ? [] : [["version", randomUUID()] as const]),
    ...(lock === undefined ? [] : [["lockId", lock?.id ?? ""] as const]),
  ];
}

/** The lock as the write-ahead finds it; one that cannot be read locks all the same. */
export function decodeLock(text: string): GuardLock {
  try {
    return JSON.parse(text) as GuardLock;
  } catch {
    return { id: "", at: 0, lock: "hard", then: "exitsOnly", reason: UNREADABLE };
  }
}
