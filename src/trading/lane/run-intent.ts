import type { AccountId, IntentId } from "../../domain/ids.ts";
import {
  type IntentOwner,
  type IntentRecord,
  isUnsettled,
  type Outcome,
} from "../../domain/intent.ts";
import type { AccountDirectory } from "../account-directory.ts";
import { BrokerReadError, type Connections } from "../ports.ts";
import { type LaneContext, type Outcomes, StoreError } from "../store-ports.ts";
import type { AccountProjector } from "./account-projector.ts";
import { connectedOf } from "./connected.ts";
import type { LaneDeps, LaneTask } from "./lane-deps.ts";
import { runCancel } from "./run-cancel.ts";
import { runCancelEntries } from "./run-cancel-entries.ts";
import { runFlatten } from "./run-flatten.ts";
import { runPlace } from "./run-place.ts";
import { runProtect } from "./run-protect.ts";
import type { UnknownSettler } from "./settle-unknown.ts";

export interface RunIntentDeps extends LaneDeps {
  readonly accounts: AccountDirectory;
  readonly connections: Connections;
  readonly outcomes: Outcomes;
  readonly projector: AccountProjector;
  readonly settler: UnknownSettler;
  readonly observer: LaneObserver;
}

/** Hears of what the lanes do; for logs and metrics. */
export interface LaneObserver {
  /** Also when it is unknown, and again when that is settled. */
  readonly intentSettled: (record: IntentRecord) => void;
  readonly intentFailed: (record: IntentRecord, error: unknown) => void;
}

export type RunIntent = (
  account: AccountId,
  intent: IntentId,
  job: { readonly replyTo: string; readonly owner: IntentOwner },
) => Promise<"done" | "later" | "unsettled">;

/**
 * Works one intent of a lane. `later` leaves it where it is, at the head of its lane; `unsettled`
 * has worked it, and its outcome is not known yet. A pointer
 * whose record is missing came late and does nothing; one whose record is settled came twice, and
 * only tells the outcome again.
 */
export function createRunIntent(deps: RunIntentDeps): RunIntent {
  const { intents, outcomes, observer } = deps;

  return async function runIntent(account, id, { replyTo, owner }) {
    const context = await intents.loadForLane(account, id, owner);
    if (context === undefined) return "done";
    if (!isUnsettled(context.record.state)) {
      outcomes.announce(context.record, replyTo);
      return "done";
    }
    const settled = await settle(context);
    if (settled === "later") return "later";
    observer.intentSettled(settled);
    await deps.projector.upToDate(account);
    outcomes.announce(settled, replyTo);
    return isUnsettled(settled.state) ? "unsettled" : "done";
  };

  async function settle(context: LaneContext): Promise<IntentRecord | "later"> {
    const { record } = context;
    const task = openTask(context);
    if (record.state !== "PREPARED") {
      return task === undefined ? "later" : await deps.settler.settle(record, task.broker);
    }
    const outcome = refuse(context) ?? (await attempt(context, task));
    if (outcome === "later") return "later";
    return await intents.settle(record.accountId, record.intentId, outcome);
  }

  async function attempt(context: LaneContext, task: LaneTask | undefined) {
    if (task === undefined) return withoutConnection(context);
    try {
      return await carryOut(task);
    } catch (error) {
      if (error instanceof StoreError) throw error;
      return await failed(context, error);
    }
  }

  function openTask(context: LaneContext): LaneTask | undefined {
    const connection = connectedOf(context.record.accountId, deps);
    if (connection === undefined) return undefined;
    return { context, record: context.record, broker: connection.broker, connection };
  }

  function refuse({ record, now, sourceAlive }: LaneContext): Outcome | undefined {
    if (!sourceAlive) {
      const reason = "The key or token it came by was revoked before it was sent";
      return { kind: "denied", code: "UNAUTHORIZED", reason };
    }
    if (now >= record.exitExpiresAt) return tooOld(record, now);
    const account = deps.accounts.find(record.accountId);
    if (account?.active !== true) {
      return { kind: "denied", code: "ACCOUNT_INACTIVE", reason: "Account is inactive" };
    }
    return undefined;
  }

  /**
   * `/v1` never waits for a connection; an alert does. Whether it is an entry or an exit, and so
   * when it is too old, is told by the position that is held once the broker can be asked.
   */
  function withoutConnection({ record }: LaneContext): Outcome | "later" {
    if (record.source.kind !== "api") return "later";
    return { kind: "notSent", reason: "The broker connection is not available; nothing was sent" };
  }

  async function carryOut(task: LaneTask): Promise<Outcome> {
    const { intent } = task.record;
    switch (intent.kind) {
      case "PLACE":
        return await runPlace(deps, task, intent.order);
      case "CANCEL":
        return await runCancel(deps, task, intent.orderId);
      case "PROTECT":
        return await runProtect(deps, task, intent.contract, intent.levels);
      case "FLATTEN":
        return await runFlatten(deps, task, intent);
      case "CANCEL_ENTRIES":
        return await runCancelEntries(deps, task);
    }
  }

  /** What failed before anything was sent is certain; after that, only the broker knows. */
  async function failed({ record }: LaneContext, error: unknown): Promise<Outcome | "later"> {
    const unreadable = error instanceof BrokerReadError;
    if (!unreadable) observer.intentFailed(record, error);
    const current = await intents.find(record.accountId, record.intentId);
    if (current?.state === "SENDING") {
      return { kind: "unknown", reason: "The broker's answer was lost; it is looked up" };
    }
    if (unreadable && record.source.kind !== "api") return "later";
    return { kind: "notSent", reason: "The broker could not be read; nothing was sent" };
  }
}

function tooOld(record: IntentRecord, now: number): Outcome {
  const seconds = Math.floor((now - record.acceptedAt) / 1000);
  return { kind: "expired", reason: `It waited ${seconds} s and is too old to be sent` };
}
