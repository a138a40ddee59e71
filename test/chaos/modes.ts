import type { Shape } from "./schedule.ts";

export interface Mode {
  readonly shape: Shape;
  readonly quietMs: number;
}

const PLACE = {
  connections: 4,
  accountsPerConnection: 25,
  groupsPerConnection: 2,
  followersPerGroup: 6,
  strategiesPerConnection: 2,
  guardedPerConnection: 4,
} as const;

export const MODES = {
  /** Under a minute: for the tests. */
  short: {
    shape: {
      ...PLACE,
      accountsPerConnection: 10,
      groupsPerConnection: 1,
      followersPerGroup: 3,
      loadMs: 20_000,
      intentsPerSecond: 75,
      faultEveryMs: 1_800,
    },
    // What a process that died left of a slot is ended after a minute.
    quietMs: 90_000,
  },
  /** Some minutes. */
  default: {
    shape: { ...PLACE, loadMs: 3 * 60_000, intentsPerSecond: 150, faultEveryMs: 3_000 },
    quietMs: 90_000,
  },
  /** Far beyond 20,000 intents and 200 kills, in less than half an hour. */
  long: {
    shape: { ...PLACE, loadMs: 24 * 60_000, intentsPerSecond: 150, faultEveryMs: 2_400 },
    quietMs: 120_000,
  },
} as const satisfies Record<string, Mode>;
