import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { LaneContext } from "../../trading/lane/ports.ts";
import { toHash } from "../redis/script.ts";
import { decodeIntent, decodeWanted, type Fields } from "./intent-record.ts";
import { decodeKillSwitch } from "./kill-switch-record.ts";
import { decodeLimits } from "./redis-limit-store.ts";

/** What `contextOf` answers. */
export type ContextReply =
  | readonly [
      now: number,
      fields: Fields,
      exitFollows: 0 | 1,
      unknown: readonly (readonly [record: string | null, isEarlier: 0 | 1])[],
      parkedBefore: number,
      limits: unknown,
      killSwitch: unknown,
      exit: string | null,
      targetFollows: 0 | 1,
    ]
  | readonly [];

/** Undefined for that of an intent that is not there. */
export function decodeContext(
  account: AccountId,
  id: IntentId,
  reply: ContextReply,
): LaneContext | undefined {
  const [now, fields, exitFollows, unknown, parkedBefore, limits, killSwitch, exit, targetFollows] =
    reply;
  const record = fields && decodeIntent(account, id, fields);
  if (record === undefined || now === undefined) return undefined;
  return {
    record,
    now,
    exitFollows: exitFollows === 1,
    targetFollows: targetFollows === 1,
    ...(exit && { mayFollow: decodeWanted(exit) }),
    unknown: (unknown ?? []).map(([one, isEarlier]) => ({
      ...(one && { intent: decodeWanted(one) }),
      isEarlier: isEarlier === 1,
    })),
    parkedBefore: parkedBefore !== 0,
    limits: decodeLimits(toHash(limits)),
    accountKillSwitch: decodeKillSwitch(toHash(killSwitch)),
  };
}
