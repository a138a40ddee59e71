import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { type IsMeant, readSnapshot, type Snapshot } from "./read-snapshot.ts";

/**
 * An account as it was read under a news number. With whatever is reported since then, of the contracts that it
 * was read for, it is dead: nothing is decided on it any more, and nothing that was decided on it is sent.
 */
export interface View extends Snapshot, ReadAt {
  /** The number of all contracts: guards judge an entry by all that the account holds. */
  readonly allNews: number;
}

/** When something was read, by the news of an account. */
interface ReadAt {
  readonly news: number;
  readonly isMeant?: IsMeant | undefined;
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
  const [news, allNews] = [watch.newsOf(accountId, isMeant), watch.newsOf(accountId)];
  return { ...(await readSnapshot(accountId, broker, isMeant)), news, allNews, isMeant };
}

export const isCurrent = (
  { watch }: Watching,
  { record: { accountId } }: Pick<OfAccount, "record">,
  { news, isMeant }: ReadAt,
): boolean => watch.newsOf(accountId, isMeant) === news;

/** The same of what is to open or grow a position. */
export const isCurrentForEntry = (
  { watch }: Watching,
  { record: { accountId } }: Pick<OfAccount, "record">,
  { allNews }: Pick<View, "allNews">,
): boolean => watch.newsOf(accountId) === allNews;

/**
 * Reads until nothing is reported meanwhile, where `isNeeded` wants that of what was read, three times at most:
 * an account holds nothing only by such a reading, and an exit waits for no account to come to rest.
 */
export async function readQuietly<Read>(
  deps: Watching,
  task: OfAccount,
  { read, isNeeded, isMeant }: QuietReading<Read>,
): Promise<Read> {
  for (let look = 1; ; look += 1) {
    const news = deps.watch.newsOf(task.record.accountId, isMeant);
    const one = await read();
    const isEnough = look === MOST_LOOKS || !isNeeded(one);
    if (isEnough || isCurrent(deps, task, { news, isMeant })) return one;
  }
}

interface QuietReading<Read> {
  readonly read: () => Promise<Read>;
  readonly isNeeded: (read: Read) => boolean;
  readonly isMeant: IsMeant;
}
