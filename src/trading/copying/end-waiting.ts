import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import { joinersOf } from "./join-followers.ts";
import type { CopyLog, CopyNews } from "./ports.ts";
import type { IntentStore } from "../orders/ports.ts";

export interface EndWaitingDeps {
  /** Cancels what rests there for a leader that cannot be seen. */
  readonly endMirrors: (group: CopyGroup, follower: AccountId) => Promise<void>;
  readonly copies: Pick<CopyLog, "open">;
  readonly intents: Pick<IntentStore, "withdraw">;
  readonly news: Pick<CopyNews, "nextSeq" | "claim">;
}

/**
 * Ends what still waits on the lanes of followers to which nothing is copied from here on, or on
 * other terms: their connection may be down, and come back while the group is paused. For what is on
 * its way to a lane just now, a later number is claimed.
 */
export async function endWaiting(
  deps: EndWaitingDeps,
  before: CopyGroup,
  after: CopyGroup | undefined,
): Promise<void> {
  const left = leftBy(before, after);
  const anew = after === undefined ? [] : [...joinersOf(before, after)];
  const known = anew.filter((account) => !left.includes(account) && isOf(before, account));
  for (const follower of [...left, ...known]) await endOpen(deps, before, follower);
  for (const follower of left) await deps.endMirrors(before, follower);
}

async function endOpen(
  { copies, intents, news }: EndWaitingDeps,
  { leader }: CopyGroup,
  follower: AccountId,
): Promise<void> {
  const open = await copies.open(follower);
  const contracts = new Set(open.map(({ entry }) => entry.contract));
  const seq = contracts.size === 0 ? 0 : await news.nextSeq(leader);
  for (const contract of contracts) {
    if (contract !== undefined) await news.claim(follower, contract, { leader, seq });
  }
  const reason = "Copying to the account was ended or changed before it was sent";
  for (const { entry, intent } of open) {
    if (intent?.state !== "PREPARED") continue;
    await intents.withdraw(follower, entry.copyId, { kind: "withdrawn", reason });
  }
}

/** Followers of before to which nothing is copied after; a change may be asked for once more. */
function leftBy(before: CopyGroup, after: CopyGroup | undefined): readonly AccountId[] {
  const goesOn = (account: AccountId) =>
    after?.paused === false &&
    after.followers.some(({ accountId, enabled }) => accountId === account && enabled);
  return before.followers.map(({ accountId }) => accountId).filter((account) => !goesOn(account));
}

const isOf = ({ followers }: CopyGroup, account: AccountId): boolean =>
  followers.some(({ accountId }) => accountId === account);
