import type { Redis } from "ioredis";

type Listener = (message: string) => void;

/** What this process listens to, over one connection: one that listens can do nothing else. */
export interface Channels {
  /** Resolves once nothing said from now on is missed, and with what ends the listening. */
  readonly listen: (channel: string, listener: Listener) => Promise<() => void>;
  /** Called each time the connection hears again: what was said meanwhile is lost. */
  readonly onReturn: (look: () => void) => void;
}

/** `redis` is a connection that comes back by itself; its commands wait for that. */
export function openChannels(redis: Redis): Channels {
  const listenersOf = new Map<string, Set<Listener>>();
  const looks = new Set<() => void>();
  redis.on("message", (channel, message) => {
    for (const listener of listenersOf.get(channel) ?? []) listener(message);
  });

  /** One channel a command: half an answer to more of them could not be sent again. */
  async function listenAgain(): Promise<void> {
    await Promise.all([...listenersOf.keys()].map((channel) => redis.subscribe(channel)));
  }

  redis.on("ready", () => {
    listenAgain().then(
      () => looks.forEach((look) => look()),
      () => undefined, // Closed for good, or broken again: then it will be ready again.
    );
  });

  return {
    listen: async (channel, listener) => {
      const listeners = listenersOf.get(channel) ?? new Set<Listener>();
      listenersOf.set(channel, listeners.add(listener));
      await redis.subscribe(channel);
      return () => {
        listeners.delete(listener);
        if (listeners.size > 0) return;
        listenersOf.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined);
      };
    },
    onReturn: (look) => {
      looks.add(look);
    },
  };
}
