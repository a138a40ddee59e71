import type { AccountId, IntentId } from "../../domain/ids.ts";
import { type IntentRecord, isUnsettled, type Outcome, stateOf } from "../../domain/intent.ts";
import { onlyReduces } from "../../domain/overtaking.ts";
import { SUPERSEDED } from "../copying/ports.ts";
import { BrokerReadError } from "../ports.ts";
import type { AccountProjector } from "./reconcile/account-projector.ts";
import { connectedOf, type ConnectedDeps } from "./connected.ts";
import { type LaneDeps, type LaneTask, withUserSwitch } from "./lane-deps.ts";
import type { Ahead } from "./ahead.ts";
import { lookUp } from "./look-up.ts";
import { runAdjust } from "./run-adjust.ts";
import { runCancel } from "./run-cancel.ts";
import { runCancelEntries } from "./run-cancel-entries.ts";
import { runFlatten } from "./run-flatten.ts";
import { runModify } from "./run-modify.ts";
import { runPlace } from "./run-place.ts";
import { runTimeout } from "./timeouts/run-timeout.ts";
import { runProtect } from "./legs/run-protect.ts";
import type { UnknownSettler } from "./settle/settle-unknown.ts";
import type { LaneContext, Settlement } from "./ports.ts";
import { judgeEnding } from "../orders/judge-ending.ts";
import type { IntentStore, Outcomes } from "../orders/ports.ts";
import type { AccountViews } from "../reads/ports.ts";
import { StoreError } from "../store-error.ts";

export interface RunIntentDeps extends LaneDeps, ConnectedDeps {
  readonly outcomes: Outcomes;
  readonly projector: AccountProjector;
  readonly settler: UnknownSettler;
  readonly observer: LaneObserver;
  /** The account's positions, as they are shown. */
  readonly views: Pick<AccountViews, "positions">;
}

/** Observes what the lanes do; for logs and metrics. */
export interface LaneObserver {
  /**
   * Called when the outcome is unknown too, and again once it is settled. `takenAt` is when the turn began
   * in which it was carried out, by the store's clock.
   */
  readonly intentSettled: (record: IntentRecord, takenAt?: number) => void;
  /** Still unknown, but for another reason, or more of it was carried out. */
  readonly intentStillOpen: (record: IntentRecord) => void;
  readonly intentFailed: (record: IntentRecord, error: unknown) => void;
}

/** How the lane continues after one intent. */
export interface LaneStep {
  /**
   * `later` leaves it at the head of its lane. `unsettled` removes it, and what is pending on the
   * lane is settled soon: its outcome is not known yet, or it is parked.
   */
  readonly kind: "done" | "later" | "unsettled";
  /** How the intent ends. It is to be stored: with the end of its job, or by itself (`storeStep`). */
  readonly settlement?: Settlement;
  /**
   * Asked in the instant in which the settlement is sent: the other process that may be told in the
   * same step, because nothing else is to be stored before its caller is answered.
   */
  readonly tells?: () => string | undefined;
  /**
   * To be called once that is stored, with the intent as it then stands, and with whether the other
   * process was told. The lane need not wait for what it resolves to.
   */
  readonly announce: (settled: IntentRecord | undefined, isTold?: boolean) => Promise<void>;
}

export type RunIntent = (
  account: AccountId,
  intent: IntentId,
  job: { readonly replyTo: string },
  /** As it was read in the lane's turn; it is read now where it is absent. */
  given?: LaneContext,
  /** Of an intent that is not accepted yet: then `given` is what is foreseen. */
  ahead?: Ahead,
) => Promise<LaneStep>;

type Attempt = Outcome | "later" | "parked";

const announce = async () => undefined;
const NOTHING_TO_DO: LaneStep = { kind: "done", announce };
const LATER: LaneStep = { kind: "later", announce };
const UNSETTLED: LaneStep = { kind: "unsettled", announce };
const PARKED: LaneStep = { kind: "unsettled", announce };

/**
 * Works one intent of a lane. A job without a record came too late and does nothing; a job whose
 * record is settled is a duplicate, and only announces the outcome again. A rejection leaves the
 * intent as it is, for the next worker.
 */
export function createRunIntent(deps: RunIntentDeps): RunIntent {
  const { intents, outcomes, observer, projector, copies, views } = deps;

  return async function runIntent(account, id, { replyTo }, given, ahead) {
    const context = given ?? (await intents.loadForLane(account, id));
    if (context === undefined) return NOTHING_TO_DO;
    const { record } = context;
    if (!isUnsettled(record.state)) {
      outcomes.announce(record, replyTo);
      return NOTHING_TO_DO;
    }
    // A dry run never reaches the write-ahead.
    const shown = record.test === true ? await withUserSwitch(deps, context) : context;
    const task = openTask(shown, ahead);
    if (record.state !== "PREPARED") return await settle(record, task, replyTo);

    const isCopy = record.copy !== undefined;
    const refused = refuse(shown) ?? (isCopy ? await refuseOld(record) : undefined);
    const attempted = refused ?? (await attempt(shown, task));
    // It ended before its first write-ahead: nothing is stored of it, and nothing was sent.
    if (ahead?.isAccepted === false) return LATER;
    if (attempted === "later") return LATER;
    if (attempted === "parked") {
      // Its job ends with this step, so it must be parked first.
      const isParked = await intents.park(account, id, replyTo);
      return isParked ? PARKED : NOTHING_TO_DO;
    }
    const outcome = await judgeEnding(views, record, attempted);
    deps.settler.noteTry(record, outcome);
    return {
      kind: isUnsettled(stateOf(outcome)) ? "unsettled" : "done",
      // A process that was frozen meanwhile must not end what a new owner has begun to send.
      settlement: { record: ahead?.record ?? record, outcome, onlyUnsent: task?.isBegun !== true },
      tells: () => tellable(account, replyTo),
      announce: (settled, isTold) => announceTo(replyTo, settled, isTold, shown.now),
    };
  };

  /** Its caller is answered with positions that can be read: they must be on their way by then. */
  function tellable(account: AccountId, replyTo: string): string | undefined {
    return outcomes.isElsewhere(replyTo) && projector.hasSent(account) ? replyTo : undefined;
  }

  async function announceTo(
    replyTo: string,
    settled: IntentRecord | undefined,
    isTold = false,
    takenAt?: number,
  ): Promise<void> {
    if (settled?.outcome === undefined) return;
    observer.intentSettled(settled, takenAt);
    await projector.upToDate(settled.accountId);
    if (isTold) outcomes.announce(settled);
    else outcomes.announce(settled, replyTo);
  }

  /** What any process has begun is never begun again. */
  async function settle(
    record: IntentRecord,
    task: LaneTask | undefined,
    replyTo: string,
  ): Promise<LaneStep> {
    if (task === undefined) return LATER;
    // An outcome that cannot be looked up now must not block the exits behind it; it is retried.
    const settled = await lookUp(deps, record, task.connection).catch((error: unknown) => {
      if (error instanceof BrokerReadError) return undefined;
      throw error;
    });
    if (settled === undefined) return UNSETTLED;
    const kind = isUnsettled(settled.state) ? "unsettled" : "done";
    return { kind, announce: () => announceTo(replyTo, settled) };
  }

  async function attempt(context: LaneContext, task: LaneTask | undefined): Promise<Attempt> {
    if (task === undefined) return withoutConnection(context);
    try {
      return await carryOut(task);
    } catch (error) {
      if (error instanceof StoreError || task.ahead?.isAccepted === false) throw error;
      return failed(task, error);
    }
  }

  function openTask(context: LaneContext, ahead: Ahead | undefined): LaneTask | undefined {
    const { record } = context;
    const by = onlyReduces(record.intent) ? "exit" : "entry";
    const connection = connectedOf(record.accountId, deps, { by, ahead });
    if (connection === undefined) return undefined;
    const { broker } = connection;
    return { context, record, connection, broker, isBegun: false, ahead };
  }

  function refuse({ record, now }: LaneContext): Outcome | undefined {
    if (now >= record.exitExpiresAt) return tooOld(record, now);
    const account = deps.accounts.find(record.accountId);
    if (account?.active !== true) {
      return { kind: "denied", code: "ACCOUNT_INACTIVE", reason: "Account is inactive" };
    }
    return undefined;
  }

  /** Of several copies into one contract only the newest sets the target. */
  async function refuseOld({
    accountId,
    copy,
    intent,
  }: IntentRecord): Promise<Outcome | undefined> {
    if (copy === undefined || intent.kind !== "ADJUST") return undefined;
    const isOld = await copies.isOld(accountId, intent.contract, copy);
    return isOld ? { kind: "overtaken", reason: SUPERSEDED } : undefined;
  }

  /**
   * A `/v1` request and a dry run never wait for a connection; an alert does. Whether it is an entry or
   * an exit, and so when it expires, depends on the open position once the broker can be asked.
   */
  function withoutConnection({ record }: LaneContext): Outcome | "later" {
    if (mayWait(record)) return "later";
    return { kind: "notSent", reason: "The broker connection is not available; nothing was sent" };
  }

  function carryOut(task: LaneTask): Promise<Outcome | "parked"> {
    const { intent } = task.record;
    switch (intent.kind) {
      case "PLACE":
        return runPlace(deps, task, intent);
      case "CANCEL":
        return runCancel(deps, task, intent.orderId);
      case "MODIFY":
        return runModify(deps, task, intent);
      case "PROTECT":
        return runProtect(deps, task, intent);
      case "FLATTEN":
        return runFlatten(deps, task, intent);
      case "CANCEL_ENTRIES":
        return runCancelEntries(deps, task, intent);
      case "ADJUST":
        return runAdjust(deps, task, intent);
      case "TIMEOUT":
        return runTimeout(deps, task, intent);
    }
  }

  /** A failure before the first send is certain; after it, only the broker knows the outcome. */
  function failed({ record, isBegun }: LaneTask, error: unknown): Outcome | "later" {
    const unreadable = error instanceof BrokerReadError;
    if (!unreadable) observer.intentFailed(record, error);
    if (isBegun) {
      return { kind: "unknown", reason: "The broker's answer was lost; it is looked up" };
    }
    if (unreadable && mayWait(record)) return "later";
    return { kind: "notSent", reason: "The broker could not be read; nothing was sent" };
  }
}

/** Stores and announces how an intent ends that has no job. */
export async function storeStep(
  intents: Pick<IntentStore, "settle" | "withdraw">,
  { settlement, announce: announceStored }: LaneStep,
): Promise<void> {
  if (settlement === undefined) return await announceStored(undefined);
  const { record, outcome, onlyUnsent } = settlement;
  const storing = onlyUnsent
    ? intents.withdraw(record.accountId, record.intentId, outcome)
    : intents.settle(record, outcome);
  await announceStored(await storing);
}

/** A person waits for the result of a dry run, and what it was decided on is soon out of date. */
const mayWait = ({ source, test }: IntentRecord): boolean => source.kind !== "api" && test !== true;

function tooOld(record: IntentRecord, now: number): Outcome {
  const seconds = Math.floor((now - record.acceptedAt) / 1000);
  return { kind: "expired", reason: `It waited ${seconds} s and is too old to be sent` };
}

/** Reports the result of looking an unsettled intent up, where it differs from before. */
export function reportIfChanged(
  observer: Pick<LaneObserver, "intentSettled" | "intentStillOpen">,
  before: IntentRecord,
  after: IntentRecord,
): void {
  if (after.state !== before.state) observer.intentSettled(after);
  else if (asKept(after) !== asKept(before)) observer.intentStillOpen(after);
}

const asKept = ({ outcome }: IntentRecord): string => JSON.stringify(outcome ?? null);
