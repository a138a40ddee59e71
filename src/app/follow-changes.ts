export interface Followed {
  /** Hears that something was written, maybe by another process; answers what ends it. */
  readonly listen: (hear: () => void) => Promise<() => void>;
  /** What news ask for; a whole look unless it is said. */
  readonly onNews?: () => Promise<void>;
  /** News can be lost. */
  readonly look: () => Promise<void>;
  readonly everyMs: number;
  /** It is looked at again. */
  readonly onError: (error: unknown) => void;
}

/** Something that is looked at now and then, and at once by what is heard of it. */
export interface Follower {
  readonly look: () => Promise<void>;
  /** Resolves when a look that was under way has ended. */
  readonly stop: () => Promise<void>;
}

/** Follows what is written elsewhere: at once by its news, and by a slow look for news that was lost. */
export async function followChanges(followed: Followed): Promise<Follower> {
  const { listen, everyMs, onError } = followed;
  const look = oneAtATime(followed.look);
  const { onNews = look } = followed;
  let looking: Promise<void> = Promise.resolve();
  const unlisten = await listen(() => void onNews().catch(onError));
  const timer = setInterval(() => {
    looking = look().catch(onError);
  }, everyMs);
  return {
    look: async () => {
      const first = look();
      looking = first.catch(() => undefined);
      await first;
    },
    stop: async () => {
      clearInterval(timer);
      unlisten();
      await looking;
    },
  };
}

/** What is asked for while it runs is done once more, by one that begins after all of them asked. */
export function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  const run = () => (running = work().finally(() => (running = undefined)));
  return () => {
    if (running === undefined) return run();
    next ??= running
      .catch(() => undefined)
      .then(() => {
        next = undefined;
        return run();
      });
    return next;
  };
}
