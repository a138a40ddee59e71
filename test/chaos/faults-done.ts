import { setTimeout as sleep } from "node:timers/promises";
import type { Fault } from "./schedule.ts";

/** A fault as it was carried out. Times are Unix ms. */
export interface DoneFault extends Struck {
  readonly fault: Fault;
  readonly startedAt: number;
  readonly endedAt: number;
}

/** What came of a fault. */
export interface Struck {
  /** Who it struck, and what else there is to say. */
  readonly note: string;
  /** Whether it came to what it was for: a crash point may not be reached, a frame not be sent. */
  readonly isHit: boolean;
  /** How many processes died of it. */
  readonly kills: number;
  /** Of a worker that died. */
  readonly death?: WorkerDeath;
}

export interface WorkerDeath {
  readonly at: number;
  readonly isReported: boolean;
  /** Those that it owned. */
  readonly connections: readonly string[];
}

/** How long a fault is waited for that needs something to happen first. */
export const HIT_WITHIN_MS = 4_000;
/** Some strategies have a slot every five seconds. */
export const SLOT_HIT_WITHIN_MS = 6_000;

const LOOK_MS = 20;

/** Resolves when it has become true, or the time is over. */
export async function until(isTrue: () => boolean, withinMs: number): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!isTrue() && performance.now() < deadline) await sleep(LOOK_MS);
}
