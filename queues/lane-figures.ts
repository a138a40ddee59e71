import type { Redis } from "ioredis";
import type { AccountId } from "../src/domain/ids.ts";
import { laneAccount } from "./lane.ts";

/** How much waits on all lanes together. */
export interface LaneFigures {
  /** Intents that no worker has in hand. */
  readonly waiting: number;
  /** Intents whose outcome at the broker is not known. */
  readonly unknown: number;
}

export interface LaneFigureDeps {
  readonly redis: Redis;
  readonly prefix: string;
  readonly laneNamesKey: string;
  /** The set of an account's intents whose outcome is unknown. */
  readonly unknownKeyOf: (account: AccountId) => string;
}

/** Counts over every lane that ever held an intent; all questions go out at once. */
export async function readLaneFigures(deps: LaneFigureDeps): Promise<LaneFigures> {
  const { redis, prefix, laneNamesKey, unknownKeyOf } = deps;
  const names = await redis.smembers(laneNamesKey);
  const [waiting, unknown] = await Promise.all([
    Promise.all(names.map((name) => redis.llen(`${prefix}:${name}:wait`))),
    Promise.all(names.map((name) => redis.scard(unknownKeyOf(laneAccount(name))))),
  ]);
  return { waiting: sum(waiting), unknown: sum(unknown) };
}

const sum = (numbers: readonly number[]): number =>
  numbers.reduce((total, number) => total + number, 0);
