import type { CopyGroup } from "../../domain/copy-group.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { CopyLog, CopyNews } from "./ports.ts";

export interface EndWaitingDeps {
  readonly copies: Pick<CopyLog, "open">;
  readonly news: Pick<CopyNews, "nextSeq" | "claim">;
}

/**
 * Ends what still waits on the lanes of followers to which nothing is copied from here on: their
 * connection may be down, and come back while the group is paused. A later number is claimed for it.
 */
export async function endWaiting(
  { copies, news }: EndWaitingDeps,
  before: CopyGroup,
  after: CopyGroup | undefined,
): Promise<void> {
  const { leader } = before;
  for (const follower of endedBy(before, after)) {
    const open = await copies.open(follower);
    const contracts = new Set(open.map(({ entry }) => entry.contract));
    if (contracts.size === 0) continue;
    const seq = await news.nextSeq(leader);
    for (const contract of contracts) {
      if (contract !== undefined) await news.claim(follower, contract, { leader, seq });
    }
  }
}

/** Who was copied to before a change, and is not after it. */
function endedBy(before: CopyGroup, after: CopyGroup | undefined): readonly AccountId[] {
  const following = (group: CopyGroup | undefined) =>
    group === undefined || group.paused
      ? []
      : group.followers.filter(({ enabled }) => enabled).map(({ accountId }) => accountId);
  const still = new Set(following(after));
  return following(before).filter((account) => !still.has(account));
}
