import type { AccountId, UserId } from "../src/domain/ids.ts";
import { CHANGE_KINDS, type ChangeKind, type ChangeFeed } from "../src/trading/changes.ts";
import type { Channels } from "./channels.ts";
import type { RedisClient } from "./redis-client.ts";

interface ChangeFeedDeps {
  /** Publishes; fails fast. */
  readonly redis: RedisClient;
  readonly channels: Channels;
  readonly channel: string;
}

/** Changes are collected for this long: a process sends at most four messages a second. */
const COLLECT_MS = 250;
/** Lines in one message, so that a large one does not delay orders at Redis. */
const MAX_LINES = 500;

type Line = readonly [kind: "account" | "user", id: string, ...what: ChangeKind[]];
type Listener = Parameters<ChangeFeed["listen"]>[0];

/**
 * Publishes to every process what has changed, over pub/sub. A message that could not be sent is sent
 * later; a process that was not connected for a while learns that anything may have changed.
 */
export function openChangeFeed({ redis, channels, channel }: ChangeFeedDeps): ChangeFeed {
  const unpublished = new Map<string, { line: Line; what: Set<ChangeKind> }>();
  const listeners = new Set<Listener>();
  let timer: NodeJS.Timeout | undefined;
  let listening: Promise<() => void> | undefined;

  function collect(kind: Line[0], id: string, what: Iterable<ChangeKind>): void {
    const name = `${kind} ${id}`;
    const before = unpublished.get(name);
    if (before === undefined) unpublished.set(name, { line: [kind, id], what: new Set(what) });
    else for (const change of what) before.what.add(change);
    timer ??= setTimeout(flush, COLLECT_MS).unref();
  }

  function flush(): void {
    timer = undefined;
    const lines = [...unpublished.values()].map(({ line: [kind, id], what }): Line => [
      kind,
      id,
      ...what,
    ]);
    unpublished.clear();
    for (let first = 0; first < lines.length; first += MAX_LINES) {
      const some = lines.slice(first, first + MAX_LINES);
      const again = () => {
        // Closed for good: nothing can be published any more.
        if (redis.status === "end") return;
        some.forEach(([kind, id, ...what]) => collect(kind, id, what));
      };
      redis.publish(channel, JSON.stringify(some)).catch(again);
    }
  }

  function onMessage(message: string): void {
    for (const [kind, id, ...what] of JSON.parse(message) as readonly Line[]) {
      const of = kind === "account" ? { accountId: id as AccountId } : { userId: id as UserId };
      for (const listener of listeners) listener(of, what);
    }
  }

  channels.onReturn(() => listeners.forEach((listener) => listener("unknown", CHANGE_KINDS)));

  return {
    publish: (of, ...what) =>
      "accountId" in of ? collect("account", of.accountId, what) : collect("user", of.userId, what),

    listen: async (listener) => {
      // Wrapped, so that a listener added twice is called twice and removed once.
      const own: Listener = (of, what) => listener(of, what);
      listening ??= channels.listen(channel, onMessage);
      listening.catch(() => (listening = undefined));
      await listening;
      listeners.add(own);
      return () => listeners.delete(own);
    },
  };
}
