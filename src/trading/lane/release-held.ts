import type { IntentRecord, Outcome } from "../../domain/intent.ts";
import type { HeldIntent, IntentStore, Outcomes } from "../store-ports.ts";
import type { LaneObserver, RunIntent } from "./run-intent.ts";

export interface ReleaseHeldDeps {
  readonly intents: IntentStore;
  readonly outcomes: Outcomes;
  readonly observer: LaneObserver;
  readonly runIntent: RunIntent;
}

export interface Held {
  /** In the order of acceptance. */
  readonly held: readonly HeldIntent[];
  /** Whether an earlier outcome is still unknown. */
  readonly isUnsure: boolean;
  /** The store's clock, Unix ms. */
  readonly now: number;
}

/** Answers whether anything is still held. */
export type ReleaseHeld = (held: Held) => Promise<boolean>;

/**
 * Looks after the entries that wait behind an unknown outcome ("Rules for money" 4): those that
 * became too old are expired, visibly, and once nothing is unknown the others are carried out in the
 * order of their acceptance. Runs in the lane's turn, before anything that came after them.
 */
export function createReleaseHeld(deps: ReleaseHeldDeps): ReleaseHeld {
  const { intents, outcomes, observer, runIntent } = deps;

  return async function releaseHeld({ held, isUnsure, now }) {
    const waiting: HeldIntent[] = [];
    for (const one of held) {
      if (now < one.record.entryExpiresAt || !(await end(one, now))) waiting.push(one);
    }
    return isUnsure ? waiting.length > 0 : await sendAll(waiting);
  };

  /** The first one that cannot be ended now keeps the others behind it. */
  async function sendAll(waiting: readonly HeldIntent[]): Promise<boolean> {
    for (const one of waiting) if (!(await run(one))) return true;
    return false;
  }

  /**
   * Of an adjustment only the entry is too old by then: what it closes still goes. What protects is
   * none, and waits for what it is to protect.
   */
  async function end(one: HeldIntent, now: number): Promise<boolean> {
    const { kind } = one.record.intent;
    if (kind === "ADJUST" || kind === "PROTECT") return await run(one);
    await expire(one, now);
    return true;
  }

  async function run({ record, replyTo }: HeldIntent): Promise<boolean> {
    const { kind, ending } = await runIntent(record.accountId, record.intentId, { replyTo });
    await ending;
    return kind === "done";
  }

  async function expire({ record, replyTo }: HeldIntent, now: number): Promise<void> {
    const { accountId, intentId } = record;
    const ended = await intents.withdraw(accountId, intentId, tooLate(record, now));
    // Its caller may have withdrawn it in this moment, and knows.
    if (ended.state !== "EXPIRED" && ended.state !== "OVERTAKEN") return;
    observer.intentSettled(ended);
    outcomes.announce(ended, replyTo);
  }
}

function tooLate({ acceptedAt }: IntentRecord, now: number): Outcome {
  const seconds = Math.floor((now - acceptedAt) / 1000);
  const reason = `It waited ${seconds} s behind an order whose outcome is unknown; not sent`;
  return { kind: "expired", reason };
}
