import type { IntentId } from "../domain/ids.ts";
import type { Stages } from "../trading/stages.ts";

/** What of an intent was reached here, as `performance.now()` had it. */
interface Reached {
  /** From where it was read: of a message's later intents, the end of the one before. */
  readonly from: number;
  readonly understood: number | undefined;
  accepted: number | undefined;
  settled: number | undefined;
}

export interface StageTimes {
  readonly name: "admission" | "reading" | "accepting" | "answering";
  /** Unix ms by Redis' clock, with a fraction. */
  readonly from: number;
  readonly to: number;
}

/** One intent of a request, from the request's first byte to its answer. */
export interface RequestTimes {
  readonly intentId: IntentId;
  readonly from: number;
  readonly to: number;
  readonly stages: readonly StageTimes[];
}

/**
 * When a request reached each of its stages. It is measured by the process' own steady clock and told
 * by Redis' clock, as the lane's stages are: so that both fit together whichever process worked the lane.
 */
export class RequestStages implements Stages {
  readonly #startedAt = performance.now();
  #admittedAt = 0;
  /** What Redis' clock is ahead of ours; undefined until somebody was admitted. */
  #ahead: number | undefined;
  #first: IntentId | undefined;
  readonly #reached = new Map<IntentId, Reached>();
  #last = 0;

  admitted(now: number): void {
    this.#admittedAt = this.#last = performance.now();
    this.#ahead = now - this.#admittedAt;
    this.#first = undefined;
    this.#reached.clear();
  }

  named(intent: IntentId): void {
    this.#first = intent;
  }

  understood(intent: IntentId): void {
    const understood = performance.now();
    const reached = { from: this.#last, understood, accepted: undefined, settled: undefined };
    this.#reached.set(intent, reached);
    this.#last = understood;
  }

  accepted(intent: IntentId): void {
    const reached = this.#reached.get(intent);
    if (reached !== undefined) reached.accepted = this.#last = performance.now();
  }

  settled(intent: IntentId, now: number | undefined): void {
    const reached = this.#reached.get(intent);
    if (reached === undefined) return;
    reached.settled = this.#last = performance.now();
    // What Redis tells is older than its arrival: the latest of two such clocks is the better one.
    if (now !== undefined) this.#ahead = Math.max(this.#ahead ?? -Infinity, now - this.#last);
  }

  /** What it came to: nothing where there is no intent, nor could have been one. */
  finished(): readonly RequestTimes[] {
    const endedAt = performance.now();
    const ahead = this.#ahead;
    if (ahead === undefined) return [];
    const intents = [...this.#reached];
    // Refused while it was read.
    if (intents.length === 0 && this.#first !== undefined) intents.push([this.#first, UNREAD]);
    return intents.map(([intentId, reached]) => ({
      intentId,
      from: this.#startedAt + ahead,
      to: endedAt + ahead,
      stages: this.#stagesOf(reached, endedAt).map(({ name, from, to }) => ({
        name,
        from: from + ahead,
        to: to + ahead,
      })),
    }));
  }

  #stagesOf({ from, understood, accepted, settled }: Reached, endedAt: number): StageTimes[] {
    const admission = { name: "admission", from: this.#startedAt, to: this.#admittedAt } as const;
    const reading = Math.max(from, this.#admittedAt);
    const stages: StageTimes[] = [
      admission,
      { name: "reading", from: reading, to: understood ?? endedAt },
    ];
    if (understood === undefined) return stages;
    stages.push({ name: "accepting", from: understood, to: accepted ?? endedAt });
    if (accepted === undefined) return stages;
    stages.push({ name: "answering", from: settled ?? accepted, to: endedAt });
    return stages;
  }
}

const UNREAD: Reached = { from: 0, understood: undefined, accepted: undefined, settled: undefined };
