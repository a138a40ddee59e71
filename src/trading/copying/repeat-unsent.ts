import { exitsOnlyIn } from "../../domain/copying/copy-drift.ts";
import type { CopyGroup, Follower } from "../../domain/copying/copy-group.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { CopyId } from "./plan-copies.ts";
import type { CopyEntry } from "./ports.ts";
import type { SentCopy } from "./send-copies.ts";

/** Who still is away after that is left to the group's drift policy. */
const MOST_REPEATS = 3;

/**
 * Whether a copy is to be made once more because nothing of it left: its connection ended right
 * before it was sent. A drift has its own attempts.
 */
export function isToRepeat(
  { cause, repeat = 0 }: CopyEntry,
  { outcome, intent, copy }: IntentRecord,
): boolean {
  if (outcome?.kind !== "notSent" || intent.kind !== "ADJUST" || copy === undefined) return false;
  return cause !== "drift" && repeat < MOST_REPEATS;
}

/** The follower that a copy was for, while its group still copies to it. */
export function stillFollowing(
  { groupId, follower }: CopyEntry,
  led: readonly CopyGroup[],
): Follower | undefined {
  return led
    .find((group) => group.groupId === groupId && !group.paused)
    ?.followers.find(
      ({ accountId, enabled, barred }) => accountId === follower && enabled && barred === undefined,
    );
}

/**
 * The same once more, as old as it is by now and with the same number of the leader's: if a later one
 * was claimed meanwhile, it ends on the lane, unsent. A follower that was stopped since only leaves.
 */
export function repeated(
  entry: CopyEntry,
  { intent, copy, outcome, entryExpiresAt, exitExpiresAt, ...record }: IntentRecord,
  {
    now,
    copyId,
    to,
  }: { readonly now: number; readonly copyId: CopyId; readonly to: Pick<Follower, "stopped"> },
): SentCopy {
  const exitsOnly = record.exitsOnly ?? exitsOnlyIn(to, false);
  const { groupId, follower, targetQty, decisions, repeat = 0 } = entry;
  const reason = outcome !== undefined && "reason" in outcome ? outcome.reason : "";
  return {
    kind: "send",
    entry: {
      ...entry,
      copyId: copyId(groupId, follower, `again ${entry.copyId}`),
      notedAt: now,
      decisions: [...decisions, `It is sent again, for nothing of it had left: ${reason}`],
      repeat: repeat + 1,
    },
    intent,
    ...(copy !== undefined && { seq: copy.seq }),
    entryMaxAgeMs: Math.max(0, entryExpiresAt - now),
    exitMaxAgeMs: Math.max(0, exitExpiresAt - now),
    isExit: targetQty === 0,
    ...(exitsOnly !== undefined && { exitsOnly }),
  };
}
