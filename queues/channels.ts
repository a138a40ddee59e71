import type { Redis } from "ioredis";

type Listener = (message: string) => void;

/** This process' subscriptions, over one connection: a subscribed connection can do nothing else. */
export interface Channels {
  /** Resolves once subscribed, with the function that unsubscribes. */
  readonly listen: (channel: string, listener: Listener) => Promise<() => void>;
  /** Called each time the connection is subscribed again: messages in between are lost. */
  readonly onReturn: (look: () => void) => void;
}

/** `redis` reconnects by itself; its commands wait for that. */
export function openChannels(redis: Redis): Channels {
  const listenersOf = new Map<string, Set<Listener>>();
  const looks = new Set<() => void>();
  redis.on("message", (channel, message) => {
    for (const listener of listenersOf.get(channel) ?? []) listener(message);
  });

  /** One channel per command: a command for several that fails half-way could not be repeated. */
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
