import type { Redis } from "ioredis";

type Hear = (message: string) => void;

/** What this process listens to, over one connection: one that listens can do nothing else. */
export interface Channels {
  /** Resolves once nothing said from now on is missed, and with what ends the listening. */
  readonly listen: (channel: string, hear: Hear) => Promise<() => void>;
  /** Called each time the connection hears again: what was said meanwhile is lost. */
  readonly onReturn: (look: () => void) => void;
}

/** `redis` is a connection that comes back by itself; its commands wait for that. */
export function openChannels(redis: Redis): Channels {
  const heard = new Map<string, Set<Hear>>();
  const looks = new Set<() => void>();
  redis.on("message", (channel, message) => {
    for (const hear of heard.get(channel) ?? []) hear(message);
  });

  /** One channel a command: half an answer to more of them could not be sent again. */
  async function hearAgain(): Promise<void> {
    await Promise.all([...heard.keys()].map((channel) => redis.subscribe(channel)));
  }

  redis.on("ready", () => {
    hearAgain().then(
      () => looks.forEach((look) => look()),
      () => undefined, // Closed for good, or broken again: then it will be ready again.
    );
  });

  return {
    listen: async (channel, hear) => {
      const listeners = heard.get(channel) ?? new Set<Hear>();
      heard.set(channel, listeners.add(hear));
      await redis.subscribe(channel);
      return () => {
        listeners.delete(hear);
        if (listeners.size > 0) return;
        heard.delete(channel);
        redis.unsubscribe(channel).catch(() => undefined);
      };
    },
    onReturn: (look) => {
      looks.add(look);
    },
  };
}
