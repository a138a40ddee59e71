import type { PlannedCopy } from "./plan-copies.ts";
import type { CopyLog, CopyNews } from "./ports.ts";
import type { IntentStore, Lanes, NewIntent } from "../orders/ports.ts";
import { StoreError } from "../store-error.ts";

export interface SendCopiesDeps {
  /** All on one connection, which keeps the order of what is sent. */
  readonly intents: Pick<IntentStore, "accept">;
  readonly lanes: Lanes;
  readonly log: Pick<CopyLog, "note">;
  /** It waits while the store is away: a copy that is on its lane must be told. */
  readonly patientLog: Pick<CopyLog, "note">;
  readonly news: Pick<CopyNews, "claim">;
  /** Watches for the outcome, from before it can come. */
  readonly follow: (copy: SentCopy) => FollowedCopy;
  /** How old a copy may become unsent, if it only reduces a position, ms. */
  readonly exitMaxAgeMs: number;
}

export type SentCopy = Extract<PlannedCopy, { kind: "send" }>;

/** Told exactly one of the two. */
export interface FollowedCopy {
  readonly accepted: () => void;
  /** It may be on its lane all the same; it is sent again. */
  readonly failed: () => void;
}

/** `now` is the store's clock, Unix ms, where it was read after the copies were planned. */
export type SendCopies = (copies: readonly PlannedCopy[], now?: number) => Promise<void>;

/**
 * Puts copies on their followers' lanes, all side by side and in the order given, and into the log.
 * Throws `StoreError` when some of them may be missing; all of them may be sent again then, for each
 * is accepted once however often it comes.
 */
export function createSendCopies(deps: SendCopiesDeps): SendCopies {
  const { intents, lanes, log, patientLog, news, follow, exitMaxAgeMs } = deps;

  return async (copies, now) => {
    await Promise.all(copies.map(async (copy) => await send(copy, now ?? copy.entry.notedAt)));
  };

  async function send(copy: PlannedCopy, now: number): Promise<void> {
    if (copy.kind === "skip") return await log.note(copy.entry, { reason: copy.reason });
    const followed = follow(copy);
    try {
      await put(copy, now);
    } catch (error) {
      followed.failed();
      throw error;
    }
    followed.accepted();
  }

  /** In one round trip: what is on its lane although a later one was claimed ends there unsent. */
  async function put(
    { entry, intent, seq, exitsOnly, seenAt, ...ages }: SentCopy,
    now: number,
  ): Promise<void> {
    const { follower, leader, contract, copyId } = entry;
    lanes.prepare(follower);
    const copy = seq === undefined ? undefined : { leader, seq };
    const claimed = contract && copy && news.claim(follower, contract, copy);
    // Once more: of what was accepted beside it nothing may be left to send, and nobody would tell it.
    const noted = log.note(entry).catch(async () => await patientLog.note(entry));
    const isRung = lanes.isElsewhere(follower);
    const sent: NewIntent = {
      intentId: copyId,
      isDerived: true,
      accountId: follower,
      userId: entry.userId,
      source: { kind: "copy" },
      requestId: copyId,
      intent,
      ...(copy !== undefined && { copy }),
      entryMaxAgeMs: ages.entryMaxAgeMs,
      exitMaxAgeMs: ages.exitMaxAgeMs ?? exitMaxAgeMs,
      receivedAt: seenAt ?? now,
      ...(exitsOnly !== undefined && { exitsOnly }),
    };
    const accepted = intents.accept(sent, { rings: isRung });
    lanes.expect(follower, copyId);
    const [acceptance] = await Promise.all([accepted, noted, claimed]);
    if (acceptance.kind === "accepted" && isRung) return;
    // One that is there already may not have been rung for.
    if (acceptance.kind !== "tooLate") return lanes.ring(follower, copyId);
    throw new StoreError("The store was reached too late", { certainlyNotWritten: true });
  }
}
