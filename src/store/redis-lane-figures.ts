import type { Redis } from "ioredis";
import type { AccountId } from "../domain/ids.ts";
import type { Keys } from "./keys.ts";
import { translateStoreErrors } from "./store-error.ts";

/** How much waits on all lanes together. */
export interface LaneFigures {
  /** Intents that no worker has in hand. */
  readonly waiting: number;
  /** Intents whose outcome at the broker is not known. */
  readonly unknown: number;
}

/** Counts over every lane that ever held an intent; all questions go out at once. */
export async function readLaneFigures(redis: Redis, keys: Keys): Promise<LaneFigures> {
  const names = await translateStoreErrors(redis.smembers(keys.laneNames));
  const [waiting, unknown] = await translateStoreErrors(
    Promise.all([
      Promise.all(names.map((name) => redis.llen(`${keys.lanes}:${name}:wait`))),
      Promise.all(names.map((name) => redis.scard(keys.unknown(name.slice(1, -1) as AccountId)))),
    ]),
  );
  return { waiting: sum(waiting), unknown: sum(unknown) };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
