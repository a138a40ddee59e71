import type { ContractCode } from "../../domain/contracts/contract.ts";
import { type AccountId, type IntentId, intentIdOf } from "../../domain/ids.ts";
import { type DenialCode, denialOf } from "../../domain/denials.ts";
import { type IntentKind, type IntentRecord, isUnsettled } from "../../domain/intent.ts";
import type { Alarms } from "../alarms/alarm.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import {
  type CopyEntry,
  type CopyLog,
  type CopyMeasure,
  type CopyNews,
  type LoggedCopy,
  SUPERSEDED,
} from "./ports.ts";
import { joinLate } from "./join-followers.ts";
import type { CopyId } from "./plan-copies.ts";
import { isToRepeat, repeated, stillFollowing } from "./repeat-unsent.ts";
import type { FollowedCopy, SendCopies, SentCopy } from "./send-copies.ts";
import type { IntentStore, Outcomes } from "../orders/ports.ts";
import { counted, type Fill } from "../../domain/order.ts";
import { slippageTicks } from "../../domain/slippage.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { AccountViews } from "../reads/ports.ts";

/** Hears of copies; for logs and metrics. */
export interface CopyObserver {
  readonly copySkipped: (entry: CopyEntry, reason: string) => void;
  /** Its intent has ended. */
  readonly copyEnded: (entry: CopyEntry, record: IntentRecord, measure: CopyMeasure) => void;
  /** Whether it was carried out is not known; it is settled later. */
  readonly copyUnsure: (entry: CopyEntry) => void;
  readonly copyingFailed: (error: unknown, account: AccountId) => void;
}

export interface CopyOutcomesDeps extends MeasureCopyDeps {
  readonly groups: CopyGroupDirectory;
  readonly intents: Pick<IntentStore, "find" | "now">;
  readonly outcomes: Outcomes;
  readonly log: Pick<CopyLog, "note" | "measure" | "open">;
  readonly news: Pick<CopyNews, "countRejects">;
  readonly send: SendCopies;
  readonly copyId: CopyId;
  readonly observer: CopyObserver;
  readonly alarms: Pick<Alarms, "raise">;
}

/** What has not ended by then is found by the sweep. */
const FOLLOWED_MS = 10_000;
/** So long after it was noted nobody is still trying to put it on its lane. */
const NEVER_ACCEPTED_AFTER_MS = 30_000;
const NEVER_ACCEPTED = "It never reached the follower's lane; nothing was sent for it";

/**
 * Follows copies until their intents have ended: measures them, and stops a follower whose side has
 * refused too many in a row. What another process began, or this one before it ended, is found in
 * the log.
 */
export class CopyOutcomes {
  readonly #deps: CopyOutcomesDeps;
  /** What was handed on and has not ended, as far as this process knows. */
  readonly #open = new Map<AccountId, Map<IntentId, CopyEntry>>();
  readonly #ending = new Set<IntentId>();
  /** The newest that have ended: a sweep may have found one open a moment before. */
  readonly #ended = new Set<IntentId>();
  /** Told as unknown, and not settled yet. */
  readonly #unsure = new Set<IntentId>();

  constructor(deps: CopyOutcomesDeps) {
    this.#deps = deps;
  }

  readonly follow = (copy: SentCopy): FollowedCopy => {
    const { follower, copyId } = copy.entry;
    const expected = this.#deps.outcomes.expect(follower, copyId);
    return {
      failed: () => expected.stop(),
      accepted: () => {
        this.#openOf(follower).set(copyId, copy.entry);
        void expected
          .within(FOLLOWED_MS)
          .then(async (record) => {
            // What is to be made again is so by the sweep: the connection may still look as if it stood.
            if (record === undefined || isToRepeat(copy.entry, record)) return;
            await this.#end(copy.entry, record);
          })
          .catch((error: unknown) => this.#deps.observer.copyingFailed(error, follower))
          .finally(() => expected.stop());
      },
    };
  };

  /** Whether something is on its way into a contract of the follower, or to all of them. */
  isOpen(follower: AccountId, contract: ContractCode): boolean {
    const open = this.#open.get(follower)?.values() ?? [];
    return [...open].some((entry) => entry.contract === undefined || entry.contract === contract);
  }

  /** Whether anything at all is on its way to the follower, as far as this process knows. */
  isBusy(follower: AccountId): boolean {
    return (this.#open.get(follower)?.size ?? 0) > 0;
  }

  /** Looks in the log for what has ended meanwhile. */
  async sweep(follower: AccountId): Promise<void> {
    const { log } = this.#deps;
    const open = await log.open(follower);
    const known = this.#openOf(follower);
    const found = new Set(open.map(({ entry }) => entry.copyId));
    for (const copyId of known.keys()) if (!found.has(copyId)) known.delete(copyId);
    const waits = open.some(({ intent }) => intent === undefined || intent.state === "PREPARED");
    const now = waits ? await this.#deps.intents.now() : 0;
    for (const copy of open) await this.#look(copy, now);
  }

  /** What this process follows no more, because another one owns the leader. */
  forget(follower: AccountId): void {
    this.#open.delete(follower);
  }

  async #look({ entry, intent }: LoggedCopy, now: number): Promise<void> {
    if (intent === undefined) return await this.#skipUnaccepted(entry, now);
    const { follower, copyId, contract, targetQty = 0 } = entry;
    this.#openOf(follower).set(copyId, entry);
    // It waits on, for what it may still close: what it was to open is missed already.
    const isMissed = intent.state === "PREPARED" && now >= intent.entryExpiresAt;
    if (isMissed && contract !== undefined && targetQty !== 0) {
      await joinLate(this.#deps.groups, entry, contract);
    }
    if (isToRepeat(entry, intent)) await this.#repeat(entry, intent);
    await this.#end(entry, intent);
  }

  /**
   * Where the acceptance was refused or lost, what it was for is planned anew, often as another copy.
   * Should this one be put on its lane after all, the log has it as open again.
   */
  async #skipUnaccepted(entry: CopyEntry, now: number): Promise<void> {
    if (now < entry.notedAt + NEVER_ACCEPTED_AFTER_MS) return;
    await this.#deps.log.note(entry, { reason: NEVER_ACCEPTED });
    this.#deps.observer.copySkipped(entry, NEVER_ACCEPTED);
  }

  /**
   * Before the first one is measured: a crash in between makes it again, and it is accepted once. What
   * was ended or has grown too old since, as while the gateway was down, is left as it ended.
   */
  async #repeat(entry: CopyEntry, record: IntentRecord): Promise<void> {
    const { groups, intents, send, copyId } = this.#deps;
    const to = stillFollowing(entry, groups.ledBy(entry.leader));
    const now = await intents.now();
    if (to === undefined || now >= record.exitExpiresAt) return;
    await send([repeated(entry, record, { now, copyId, to })], now);
  }

  async #end(entry: CopyEntry, record: IntentRecord): Promise<void> {
    const { copyId, follower } = entry;
    if (record.state === "UNKNOWN") return this.#tellUnsure(entry);
    if (isUnsettled(record.state) || this.#ending.has(copyId) || this.#ended.has(copyId)) return;
    this.#ending.add(copyId);
    try {
      const measure = await measureCopy(this.#deps, entry, record);
      await this.#guard(entry, record);
      await this.#joinLate(entry, record);
      await this.#deps.log.measure(entry, measure);
      this.#noteEnded(copyId);
      this.#open.get(follower)?.delete(copyId);
      this.#unsure.delete(copyId);
      this.#deps.observer.copyEnded(entry, record, measure);
    } finally {
      this.#ending.delete(copyId);
    }
  }

  #noteEnded(copyId: IntentId): void {
    this.#ended.add(copyId);
    for (const oldest of this.#ended) {
      if (this.#ended.size <= MOST_ENDED) return;
      this.#ended.delete(oldest);
    }
  }

  /** Once, and again how it was settled. */
  #tellUnsure(entry: CopyEntry): void {
    if (this.#unsure.has(entry.copyId)) return;
    this.#unsure.add(entry.copyId);
    this.#deps.observer.copyUnsure(entry);
  }

  /** So many refusals in a row, and the follower takes no more entries until a person looked. */
  async #guard(entry: CopyEntry, record: IntentRecord): Promise<void> {
    const { groups, news, intents, alarms } = this.#deps;
    const { follower, groupId } = entry;
    if (!TRADES.has(record.intent.kind)) return;
    const refusal = refusalOf(record);
    const isDone = isCarriedOut(record);
    if (refusal === undefined && !isDone) return;
    const inARow = await news.countRejects(follower, refusal !== undefined);
    if (refusal === undefined) return;
    const at = await intents.now();
    const reason =
      inARow === 1
        ? `A copy was refused: ${refusal}`
        : `${inARow} copies in a row were refused, the last one: ${refusal}`;
    const group = groups.ledBy(entry.leader).find((one) => one.groupId === groupId);
    if (group === undefined || inARow < group.stopAfterRejects) return;
    const isStopped = await groups.changeFollower(groupId, follower, (one) =>
      one.stopped === undefined ? { ...one, stopped: { reason, at } } : undefined,
    );
    if (isStopped) alarms.raise({ kind: "followerStopped", entry, reason });
  }

  async #joinLate(entry: CopyEntry, record: IntentRecord): Promise<void> {
    const { contract, targetQty = 0 } = entry;
    if (contract === undefined || targetQty === 0 || !hasMissed(record)) return;
    await joinLate(this.#deps.groups, entry, contract);
  }

  #openOf(follower: AccountId): Map<IntentId, CopyEntry> {
    const open = this.#open.get(follower) ?? new Map<IntentId, CopyEntry>();
    this.#open.set(follower, open);
    return open;
  }
}

/** Of so many it is known for certain that they have ended. */
const MOST_ENDED = 1_000;

/** What is changed, cancelled or protected may be too late for it, and no side has refused anything. */
const TRADES: ReadonlySet<IntentKind> = new Set(["PLACE", "ADJUST", "FLATTEN"]);

/** Of a reversal, the close may be carried out and the order after it refused. */
function isCarriedOut({ outcome, sentAt }: IntentRecord): boolean {
  if (outcome?.kind !== "done" || sentAt === undefined) return false;
  return outcome.result.kind !== "ADJUST" || outcome.result.problems.length === 0;
}

/** What it was to open was too late for it, or was kept from it by a switch. */
function hasMissed(record: IntentRecord): boolean {
  const { outcome, exitsOnly, entryExpiresAt, settledAt = 0 } = record;
  const isLate = settledAt >= entryExpiresAt;
  // A newer copy replaced it; older records call that expired.
  if (outcome?.kind === "expired" || outcome?.kind === "overtaken") {
    return isLate || outcome.reason !== SUPERSEDED;
  }
  if (outcome?.kind === "denied") return outcome.code === "EXITS_ONLY" || isSwitch(outcome.code);
  const isPart = outcome?.kind === "done" && !isCarriedOut(record);
  return isPart && record.sentAt !== undefined && (isLate || exitsOnly !== undefined);
}

const isSwitch = (code: DenialCode): boolean => denialOf(code).isSwitch === true;

/** What the follower's side refused; a person's own switches, and what only exits may, are none. */
function refusalOf({ outcome, exitsOnly }: IntentRecord): string | undefined {
  if (outcome?.kind === "rejected") return outcome.reason;
  if (outcome?.kind !== "denied" || exitsOnly !== undefined) return undefined;
  return isSwitch(outcome.code) ? undefined : outcome.reason;
}

export interface MeasureCopyDeps {
  readonly views: Pick<AccountViews, "fills">;
  readonly describe: DescribeContract;
}

/** A copy is a handful of orders; so many fills of its account are looked through for its own. */
const FILLS_LOOKED_AT = 500;
/** Brokers' clocks are not the store's. */
const CLOCK_SLACK_MS = 60_000;

/** What is known of a copy once its intent has ended, its fills included. */
export async function measureCopy(
  { views, describe }: MeasureCopyDeps,
  entry: CopyEntry,
  record: IntentRecord,
): Promise<CopyMeasure> {
  const { sentAt, settledAt = record.acceptedAt } = record;
  const times = {
    settledMs: Math.max(0, settledAt - entry.leaderAt),
    ...(sentAt !== undefined && { sentMs: Math.max(0, sentAt - entry.leaderAt) }),
  };
  if (sentAt === undefined) return { filledQty: 0, ...times };
  const { items } = await views.fills(record.accountId, {
    limit: FILLS_LOOKED_AT,
    fromAt: record.acceptedAt - CLOCK_SLACK_MS,
  });
  const own = counted(items).filter(
    ({ clOrdId }) => clOrdId !== undefined && intentIdOf(clOrdId) === record.intentId,
  );
  const [first] = own;
  if (first === undefined) return { filledQty: 0, ...times };

  // A copy buys or it sells; through flat it does the same twice.
  const filledQty = own.reduce((sum, { lastQty }) => sum + lastQty, 0);
  const worth = own.reduce((sum, { lastQty, lastPx }) => sum + lastQty * lastPx, 0);
  const avgPx = { numerator: worth, denominator: filledQty };
  const slippage = slippageOf(entry, first, avgPx, describe);
  return {
    filledQty,
    avgPx,
    ...times,
    ...(slippage !== undefined && { slippageTicks: slippage }),
  };
}

function slippageOf(
  { leaderPx, leaderContract }: CopyEntry,
  { side, contract, terms }: Fill,
  avgPx: NonNullable<CopyMeasure["avgPx"]>,
  describe: DescribeContract,
): number | undefined {
  if (leaderPx === undefined || leaderContract === undefined) return undefined;
  const own = describe(contract, terms).tickSize;
  const leaders = describe(leaderContract).tickSize;
  if (own === undefined || leaders === undefined) return undefined;
  return slippageTicks(side, { px: avgPx, tickSize: own }, { px: leaderPx, tickSize: leaders });
}
