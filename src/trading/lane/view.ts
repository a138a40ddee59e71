import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { BrokerReadError } from "../ports.ts";
import { type IsMeant, readSnapshot, type Snapshot } from "./read-snapshot.ts";

/**
 * An account as it was read under a news number. With whatever is reported since then it is dead: nothing is
 * decided on it any more, and nothing that was decided on it is sent.
 */
export interface View extends Snapshot {
  readonly news: number;
}

/** How often an account is read for one decision. */
export const MOST_LOOKS = 3;

type Watching = Pick<LaneDeps, "watch">;
type OfAccount = Pick<LaneTask, "record" | "broker">;

/** Throws as `readSnapshot` does. A report during the reading counts as news. */
export async function readView(
  { watch }: Watching,
  { record: { accountId }, broker }: OfAccount,
  isMeant?: IsMeant,
): Promise<View> {
  const news = watch.newsOf(accountId);
  return { ...(await readSnapshot(accountId, broker, isMeant)), news };
}

export const isCurrent = (
  { watch }: Watching,
  { record: { accountId } }: Pick<OfAccount, "record">,
  { news }: Pick<View, "news">,
): boolean => watch.newsOf(accountId) === news;

/**
 * Reads until nothing is reported meanwhile, where `isNeeded` wants that of what was read: an account holds
 * nothing only by such a reading. Throws `BrokerReadError` for one that does not come to rest.
 */
export async function readQuietly<Read>(
  deps: Watching,
  task: OfAccount,
  read: () => Promise<Read>,
  isNeeded: (read: Read) => boolean,
): Promise<Read> {
  for (let look = 1; ; look += 1) {
    const news = deps.watch.newsOf(task.record.accountId);
    const one = await read();
    if (!isNeeded(one) || isCurrent(deps, task, { news })) return one;
    if (look === MOST_LOOKS) throw new BrokerReadError("The account changes during each reading");
  }
}
