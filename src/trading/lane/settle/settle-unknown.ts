import type { IntentId } from "../../../domain/ids.ts";
import { type IntentRecord, type Outcome, stateOf } from "../../../domain/intent.ts";
import type { Alarms } from "../../alarms/alarm.ts";
import type { Broker } from "../../ports.ts";
import type { LaneSession, SessionOf } from "../connected.ts";
import { adjustmentOf, answerFor } from "../adjust/turned-order.ts";
import { findAdjusted } from "./find-adjusted.ts";
import { findCancel } from "./find-cancel.ts";
import { findTimedOut } from "../timeouts/find-timed-out.ts";
import { findChange } from "./find-change.ts";
import { findProtection } from "./find-legs.ts";
import { findPair } from "../legs/add-pair.ts";
import { findNameless, type Nameless, type SoughtOrder } from "./find-nameless.ts";
import { type Finding, findPlaced } from "./find-placed.ts";
import { goesOn } from "./goes-on.ts";
import type { IntentStore } from "../../orders/ports.ts";

/** Two look-ups at least this far apart, among orders and fills, prove that something did not happen. */
const ABSENT_FOR_MS = 5_000;

/**
 * An exit looks for what it misses so often, ms. A look is some eight requests, and brokers take 190 a minute:
 * none may be left of them for the one that proves it absent.
 */
const LOOKS_EVERY_MS = 1_000;

/**
 * Fills alone keep an outcome unknown for so long. Brokers keep fills for weeks, and a person cannot remove
 * them. Their order has ended, so it need not hold up later entries. `lookAgain` still stops a resend.
 */
const FILLS_COUNT_MS = 10 * 60_000;

/** An exit that is not done is tried again after so long, and then after twice as long each time, ms. */
const FIRST_TRY_MS = 1_000;
const LONGEST_TRY_MS = 5 * 60_000;

export interface SettleUnknownDeps {
  readonly intents: Pick<IntentStore, "settle" | "amend" | "now">;
  readonly alarms: Pick<Alarms, "raise">;
  readonly sessionOf: SessionOf;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** When a look-up began, and in which session. */
export interface Look {
  readonly session: LaneSession | undefined;
  readonly beganAt: number;
}

/** The first of a series of look-ups that all missed the same thing. */
interface Absence {
  readonly waiting: string;
  readonly endedAt: number;
  /** When to look again. */
  readonly dueAt: number;
  /** How long an exit that is tried again waits now, ms. */
  readonly waitMs?: number;
}

/**
 * Settles intents whose outcome is unknown by what the broker shows, and never by sending an order
 * again ("Rules for money" 4). What cannot be settled stays unknown.
 */
export class UnknownSettler {
  readonly #deps: SettleUnknownDeps;
  /** By session: what an earlier session did not show proves nothing. */
  readonly #absences = new WeakMap<LaneSession, Map<IntentId, Absence>>();

  constructor(deps: SettleUnknownDeps) {
    this.#deps = deps;
  }

  /** An exit that continues in its lane's turn stays as it is: a caller gets how far it has come. */
  async settle(record: IntentRecord, broker: Broker): Promise<IntentRecord> {
    const { intents } = this.#deps;
    if (goesOn(record)) return record;
    const look = this.look(record);
    const outcome = await this.#judge(record, look, broker);
    if (look.session !== undefined && outcome.kind !== "unknown") {
      this.#absencesIn(look.session).delete(record.intentId);
    }
    return await intents.settle(record, outcome);
  }

  /**
   * Looks a lost intent up again before it is tried anew. A broker may show an order late, or without its
   * name. An order that is found corrects the record. If an order without a name fits, the answer is
   * unknown, and the record stays lost.
   */
  async lookAgain(record: IntentRecord, broker: Broker): Promise<IntentRecord> {
    const [clOrdId] = record.clOrdIds;
    if (record.state !== "LOST" || clOrdId === undefined) return record;
    const finding = await lookUp(record, broker);
    if (finding.kind === "absent") {
      const nameless = await findNameless(record, finding.sought, broker);
      if (nameless.length > 0) {
        return { ...record, state: "UNKNOWN", outcome: this.#doubt(record, nameless) };
      }
    }
    const outcome = shownBy(record, finding);
    if (outcome === undefined || outcome.kind === "lost") return record;
    await this.#deps.intents.amend(record, clOrdId, outcome);
    return { ...record, state: stateOf(outcome), outcome };
  }

  /** Must be taken before the broker is read. */
  look({ accountId }: IntentRecord): Look {
    const { sessionOf, elapsed } = this.#deps;
    return { session: sessionOf(accountId), beganAt: elapsed() };
  }

  /** Whether what this look-up missed is proven absent: an earlier one missed the same. */
  isProven(
    { intentId, accountId }: IntentRecord,
    look: Look,
    missed: string,
    atLeastMs = 0,
  ): boolean {
    const { session, beganAt } = look;
    // A read that spans two sessions is no snapshot of one moment.
    if (session === undefined || this.#deps.sessionOf(accountId) !== session) return false;

    const absences = this.#absencesIn(session);
    const first = absences.get(intentId);
    const now = this.#deps.elapsed();
    if (first?.waiting !== missed) {
      const dueAt = now + Math.max(LOOKS_EVERY_MS, atLeastMs);
      absences.set(intentId, { waiting: missed, endedAt: now, dueAt });
      return false;
    }
    // From the end of one to the beginning of the other, so that a slow answer does not count as time.
    const provenAt = first.endedAt + Math.max(ABSENT_FOR_MS, atLeastMs);
    if (beganAt >= provenAt) return true;
    absences.set(intentId, { ...first, dueAt: Math.min(now + LOOKS_EVERY_MS, provenAt) });
    return false;
  }

  /** One that is not done is tried again ever more slowly, and at once in a new session. */
  noteTry({ intentId, accountId }: IntentRecord, { kind }: Outcome): void {
    const session = this.#deps.sessionOf(accountId);
    if (session === undefined) return;
    const absences = this.#absencesIn(session);
    if (kind !== "unfinished") {
      if (kind !== "unknown") absences.delete(intentId);
      return;
    }
    const { waitMs = FIRST_TRY_MS / 2 } = absences.get(intentId) ?? {};
    const nextMs = Math.min(LONGEST_TRY_MS, 2 * waitMs);
    const endedAt = this.#deps.elapsed();
    absences.set(intentId, { waiting: kind, endedAt, dueAt: endedAt + nextMs, waitMs: nextMs });
  }

  /** Whether it is time to look again for what was missed. */
  isDue({ intentId, accountId }: IntentRecord): boolean {
    const session = this.#deps.sessionOf(accountId);
    const { dueAt = 0 } = (session && this.#absencesIn(session).get(intentId)) ?? {};
    return this.#deps.elapsed() >= dueAt;
  }

  async #judge(record: IntentRecord, look: Look, broker: Broker): Promise<Outcome> {
    const finding = await lookUp(record, broker);
    if (finding.kind === "settled") return finding.outcome;
    const { afterwards, waiting } = finding;
    if (!this.isProven(record, look, waiting)) return { kind: "unknown", reason: waiting };
    const nameless = await findNameless(record, finding.sought, broker);
    if (nameless.length === 0) return afterwards;
    const counting = (await this.#isOld(record))
      ? nameless.filter(({ isOver }) => !isOver)
      : nameless;
    if (counting.length > 0) return this.#doubt(record, counting);
    const reason = `The broker has not shown it by its name for ten minutes, and no order works that may be it. ${fitting(nameless)}`;
    return afterwards.kind === "lost" ? { kind: "lost", reason } : afterwards;
  }

  async #isOld({ sentAt, acceptedAt }: IntentRecord): Promise<boolean> {
    return (await this.#deps.intents.now()) - (sentAt ?? acceptedAt) > FILLS_COUNT_MS;
  }

  /** The outcome while an order without a name may be the missed one. Alerts a person. */
  #doubt(
    { accountId, intentId, outcome }: IntentRecord,
    nameless: readonly Nameless[],
  ): Extract<Outcome, { kind: "unknown" }> {
    const reason = `The broker does not show it by its name. ${fitting(nameless)}: a person has to check. It is not sent again`;
    const isTold = outcome?.kind === "unknown" && outcome.reason === reason;
    if (!isTold) this.#deps.alarms.raise({ kind: "orderNameless", accountId, intentId, reason });
    return { kind: "unknown", reason };
  }

  #absencesIn(session: LaneSession): Map<IntentId, Absence> {
    const known = this.#absences.get(session);
    if (known !== undefined) return known;
    const absences = new Map<IntentId, Absence>();
    this.#absences.set(session, absences);
    return absences;
  }
}

const fitting = (nameless: readonly Nameless[]): string =>
  `An order without a name may be it (${nameless.map(({ orderId }) => orderId).join(", ")})`;

/**
 * The outcome of a lost intent whose order is found by its name. A cancel needs two look-ups to prove that its
 * order is gone, and may be repeated without harm.
 */
function shownBy({ intent }: IntentRecord, finding: Finding): Outcome | undefined {
  if (finding.kind === "settled") return finding.outcome;
  const { afterwards } = finding;
  return afterwards.kind === "done" && intent.kind !== "CANCEL" ? afterwards : undefined;
}

async function lookUp(record: IntentRecord, broker: Broker): Promise<Finding> {
  const { accountId, intent } = record;
  switch (intent.kind) {
    case "CANCEL":
      return await findCancel(record, intent.orderId, broker);
    case "MODIFY":
      return await findChange(accountId, intent, broker);
    case "PROTECT":
      return (await findPair(record, broker)) ?? (await findProtection(record, broker));
    case "TIMEOUT":
      return await findTimedOut(record, intent, broker);
    case "PLACE":
    case "ADJUST": {
      const adjustment = adjustmentOf(record);
      if (adjustment === undefined) return await findOrder(record, broker);
      const found = await findAdjusted(record, adjustment, broker);
      return found.kind === "settled"
        ? found
        : { ...found, afterwards: answerFor(record, found.afterwards) };
    }
    case "FLATTEN":
    case "CANCEL_ENTRIES":
      throw new Error(`a ${intent.kind} goes on, and is not looked up`);
  }
}

/** The lane may have sized or cut the order: then the size that was sent is not known. */
function soughtOrder({ intent, exitPlan }: IntentRecord): SoughtOrder {
  if (intent.kind !== "PLACE") throw new Error(`a ${intent.kind} is not one order`);
  const { order, handling, isFrontMonth } = intent;
  const { contract, side, orderQty, ordType, timeInForce } = order;
  const isCut = handling?.size !== undefined || exitPlan?.leftOut !== undefined;
  return {
    contract,
    side,
    ordType,
    timeInForce,
    ...(!isCut && { orderQty }),
    ...(isFrontMonth && { isFrontMonth }),
  };
}

async function findOrder(record: IntentRecord, broker: Broker): Promise<Finding> {
  const [clOrdId] = record.clOrdIds;
  const outcome = clOrdId && (await findPlaced(record, clOrdId, broker));
  if (outcome !== undefined) return { kind: "settled", outcome };
  return {
    kind: "absent",
    afterwards: { kind: "lost", reason: "The broker proved that it never had the order" },
    waiting: "The broker does not show the order; it is looked up again",
    sought: [soughtOrder(record)],
  };
}
