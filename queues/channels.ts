import type { Redis } from "ioredis";

type Hear = (message: string) => void;

/** What this process listens to, over one connection: one that listens can do nothing else. */
export interface Channels {
  /** Resolves once nothing said from now on is missed, and with what ends the listening. */
  readonly listen: (channel: string, hear: Hear) => Promise<() => void>;
  /** Called each time the connection stands again: what was said meanwhile is lost. */
  readonly onReturn: (look: () => void) => void;
}

export function openChannels(redis: Redis): Channels {
  const heard = new Map<string, Set<Hear>>();
  redis.on("message", (channel, message) => {
    for (const hear of heard.get(channel) ?? []) hear(message);
  });

  return {
    listen: async (channel, hear) => {
      const listeners = heard.get(channel) ?? new Set<Hear>();
      heard.set(channel, listeners.add(hear));
      // ioredis subscribes again by itself after a reconnect.
      await redis.subscribe(channel);
      return () => {
        listeners.delete(hear);
        if (listeners.size > 0) return;
        heard.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined);
      };
    },
    onReturn: (look) => {
      redis.on("ready", look);
    },
  };
}
