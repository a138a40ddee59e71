import type { AccountId, UserId } from "../../domain/ids.ts";
import type { IntentState } from "../../domain/intent.ts";
import type {
  EventDraft,
  Outbox,
  OutboxLine,
  TellerLease,
  ToldState,
  ToldUpTo,
} from "../../trading/notify/outbox.ts";
import { toIntentId } from "../intents/intent-record.ts";
import type { Keys } from "../keys.ts";
import { decodeEntry, type StreamEntry } from "../ledger/ledger-record.ts";
import type { RedisClient } from "../redis/redis-client.ts";
import { runScript } from "../redis/script.ts";
import { translateStoreErrors as run } from "../store-error.ts";
import { noteEvents } from "./note-events.ts";
import { bindLedger } from "./bind-ledger.ts";
import { holdTeller } from "./hold-teller.ts";

export const outboxScripts = [bindLedger, noteEvents, holdTeller];

interface OutboxDeps {
  readonly redis: RedisClient;
  readonly keys: Keys;
}

export function createRedisOutbox({ redis, keys }: OutboxDeps): Outbox {
  const after = (line: string | undefined, since: number): string => {
    const [ms = 0] = (line ?? "").split("-").map(Number);
    return line !== undefined && ms >= since ? `(${line}` : `${since}-0`;
  };
  const lines = async (key: string, from: string, limit: number) =>
    (await run(redis.xrange(key, from, "+", "COUNT", limit))) as readonly StreamEntry[];
  const note = async (key: string, event: EventDraft) => {
    await runScript(redis, noteEvents, [key], [0, JSON.stringify(event)]);
  };

  return {
    read: async (account, upTo, { limit, since }) => {
      const [noted, entries] = await Promise.all([
        lines(keys.outbox(account), after(upTo.outbox, since), limit),
        lines(keys.ledger(account), after(upTo.ledger, since), limit),
      ]);
      return { lines: noted.map(decodeLine), entries: entries.map(decodeEntry) };
    },
    toldUpTo: async (account) => (await run(redis.hgetall(keys.toldUpTo(account)))) as ToldUpTo,
    bindLedger: async (account, { from = "", to }) => {
      const bound = await runScript(redis, bindLedger, [keys.toldUpTo(account)], [from, to]);
      return typeof bound === "string" ? bound : undefined;
    },
    advance: async (account: AccountId, { outbox, ledger }) => {
      const fields = { ...(outbox && { outbox }), ...(ledger && { ledger }) };
      if (Object.keys(fields).length > 0) await run(redis.hset(keys.toldUpTo(account), fields));
    },
    note: async (account, event) => await note(keys.outbox(account), event),

    readUser: async (user, { limit, since }) => {
      const upTo = await run(redis.hget(keys.userToldUpTo(user), "outbox"));
      const from = after(upTo ?? undefined, since);
      return (await lines(keys.userOutbox(user), from, limit)).map(decodeLine);
    },
    advanceUser: async (user, line) => {
      await run(redis.hset(keys.userToldUpTo(user), { outbox: line }));
    },
    noteUser: async (user, event) => await note(keys.userOutbox(user), event),

    states: async (user) => {
      const stored = await run(redis.hgetall(keys.toldStates(user)));
      const states = Object.entries(stored).map(
        ([key, state]) => [key, JSON.parse(state) as ToldState] as const,
      );
      return new Map(states);
    },
    saveStates: async (user: UserId, changes, events) => {
      const json = (state: ToldState | undefined) =>
        state === undefined ? "" : JSON.stringify(state);
      const changed = changes.flatMap(({ key, before, after }) => [key, json(before), json(after)]);
      const names = [keys.userOutbox(user), keys.toldStates(user)];
      const told = events.map((one) => JSON.stringify(one));
      const args = [changes.length, ...changed, ...told];
      return (await runScript(redis, noteEvents, names, args)) === 1;
    },
    forgetStates: async (user) => {
      await run(redis.del(keys.toldStates(user)));
    },
    forgetUser: async (user) => {
      const names = [keys.toldStates(user), keys.userToldUpTo(user), keys.userOutbox(user)];
      await run(redis.del(...names));
    },
  };
}

export function createRedisTeller({ redis, keys }: OutboxDeps, processId: string): TellerLease {
  return {
    hold: async (forMs) =>
      (await runScript(redis, holdTeller, [keys.teller], [processId, forMs])) === 1,
  };
}

function decodeLine([id, fields]: StreamEntry): OutboxLine {
  const at = Number(id.split("-")[0]);
  const [name, value = "", , before = "", , ended] = fields;
  if (name === "i") {
    const intent = {
      intentId: toIntentId(value),
      before: before as IntentState,
      ...(ended !== undefined && { ended: ended as IntentState }),
    };
    return { id, at, kind: "intent", ...intent };
  }
  if (name === "a") return { id, at, kind: "alert", alertId: toIntentId(value) };
  return { id, at, kind: "event", event: JSON.parse(value) as EventDraft };
}
