import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { BrokerGuards } from "../money/ports.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { GuardStore } from "./guard-store.ts";
import { isBehind, isResting, type Kept } from "./kept-account.ts";
import type { Heard } from "./read-facts.ts";
import type { CalendarsByName } from "./schedules.ts";

export interface ReadAnewDeps {
  readonly store: Pick<GuardStore, "stands">;
  readonly bookOf: (account: AccountId) => Promise<AccountBook>;
  readonly othersOf: (account: AccountId, settings: GuardSettings) => Promise<Heard["others"]>;
  /** All that works for an account, asked of its broker now. Throws `BrokerReadError`. */
  readonly workingOf: (account: AccountId) => Promise<readonly OrderReport[]>;
  readonly brokerGuardsOf: (account: AccountId) => Promise<BrokerGuards | undefined>;
  /** Of the account's user. Throws `StoreError`. */
  readonly calendarsOf: (account: AccountId) => Promise<CalendarsByName>;
  /** Once what was reported of the account is stored, or after a while: whether all of it is. */
  readonly fillsStored: (account: AccountId) => Promise<boolean>;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** What is open is read again so often, where nothing was reported. */
const READ_EVERY_MS = 1_000;
/** Of an account that rests only fees may still change. */
const RESTING_EVERY_MS = 30_000;
/** What was reported and cannot be stored now. */
const UNSTORED_AGAIN_MS = 50;
/** What is reported again and again meanwhile. */
const TRIES = 4;

/**
 * Reads what is not known yet of an account, one reading at a time: what is reported meanwhile is read by
 * the next one. Throws where its ledger cannot be read.
 */
export async function readAnew(id: AccountId, kept: Kept, deps: ReadAnewDeps): Promise<void> {
  const isDue = () => {
    const sinceMs = deps.elapsed() - kept.readAt;
    if (isBehind(kept)) return kept.areStored || sinceMs >= UNSTORED_AGAIN_MS;
    return sinceMs >= (isResting(kept) ? RESTING_EVERY_MS : READ_EVERY_MS);
  };
  for (let tries = 0; tries < TRIES && isDue(); tries += 1) {
    kept.reading ??= read(id, kept, deps).finally(() => (kept.reading = undefined));
    await kept.reading;
  }
}

async function read(
  id: AccountId,
  kept: Kept,
  { store, bookOf, workingOf, fillsStored, elapsed, onError }: ReadAnewDeps,
): Promise<void> {
  // An entry may wait for what was reported; for this it need not.
  if (!isBehind(kept)) await noteChange(id, kept, store);
  const areStored = await fillsStored(id);
  const upTo = kept.reported;
  kept.book = await bookOf(id);
  kept.working = await workingOf(id).catch((error: unknown) => {
    // What stops would lose is not known then; all else is.
    onError(id, error);
    return undefined;
  });
  kept.areStored = areStored;
  if (areStored) kept.readUpTo = upTo;
  kept.readAt = elapsed();
}

/** The news of a change are lost with the process that made it. */
async function noteChange(id: AccountId, kept: Kept, store: ReadAnewDeps["store"]): Promise<void> {
  if (kept.writing !== undefined) return;
  const { version, lock } = kept.account.stored;
  const stands = await store.stands(id);
  const isSame = stands.version === version && stands.lockId === lock?.id;
  if (!isSame && kept.writing === undefined && kept.account.stored.lock === lock) {
    kept.isOutdated = true;
  }
}

/** What only some rules need: where it cannot be read, these alone cannot be judged. Never throws. */
export async function readBeside(
  id: AccountId,
  kept: Kept,
  { brokerGuardsOf, othersOf, calendarsOf, onError }: ReadAnewDeps,
): Promise<void> {
  const { settings } = kept.account.stored;
  const adds = settings.rules.some((rule) => "together" in rule);
  const waitsForNews = settings.rules.some(({ kind }) => kind === "news");
  const unread = (error: unknown) => {
    onError(id, error);
    return undefined;
  };
  kept.brokerGuards = await brokerGuardsOf(id).catch(unread);
  if (adds) kept.others = (await othersOf(id, settings).catch(unread)) ?? new Map();
  if (waitsForNews) kept.calendars = await calendarsOf(id).catch(unread);
}
