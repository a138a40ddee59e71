import { ByAccount } from "../../domain/by-account.ts";
import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import type { AnswerTimes } from "../orders/answer-times.ts";
import type { Acceptance, NewIntent } from "../orders/ports.ts";
import type { WaitFor } from "../ports.ts";
import { StoreError } from "../store-error.ts";
import type { LaneContext } from "./ports.ts";
import type { LaneStep, RunIntent } from "./run-intent.ts";
import type { AcceptAndBegin, Ahead, Begun } from "./ahead.ts";
import type { SendRequest } from "./send-permit.ts";

/** How long an acceptance waits for what its run reads at the broker. */
const ACCEPTED_WITHIN_MS = 20;
/** How many intents of an account are accepted at once after a run of it that took longer. */
const NOT_AHEAD_AFTER_LATE = 15;

/**
 * Calls `run` at once in the turn of a lane that rests in this process; false where it does not. It
 * answers undefined where its intent is not the lane's active one: then the lane is read as always.
 */
export type TakeTurn = (
  account: AccountId,
  intent: IntentId,
  run: () => Promise<LaneStep | undefined>,
) => boolean;

export interface RunsAheadDeps {
  readonly takeTurn: TakeTurn;
  readonly acceptAndBegin: AcceptAndBegin;
  readonly runIntent: RunIntent;
  /** This process, whose caller waits. */
  readonly processId: string;
  readonly waitFor: WaitFor;
  readonly answerTimes?: AnswerTimes | undefined;
}

type AcceptOnLane = () => Promise<Acceptance>;

/**
 * Where a lane rests in this process, its next intent is run before it is accepted: on what the store
 * will say if nothing has changed. The first write-ahead accepts it. A run that comes to its end before
 * that has stored and sent nothing, and counts for nothing: the intent is accepted on its lane.
 *
 * Intents are accepted in the order in which they come: the next one of the account ends a wait for
 * the first one's run, and so does time. A broker that answers too late for that is asked twice, and
 * whoever waits waits longer: so the next ones of such an account are not run ahead.
 */
export class RunsAhead {
  readonly #deps: RunsAheadDeps;
  /** Runs that have not sent their acceptance. */
  readonly #unsent = new ByAccount<RunAhead>();
  /** As the store said last. An account that is missing here is taken to have no limits of its own. */
  readonly #limits = new Map<AccountId, Partial<AccountLimits>>();
  /** How many intents of accounts are still not run ahead, since their broker answers late. */
  readonly #notAhead = new Map<AccountId, number>();

  constructor(deps: RunsAheadDeps) {
    this.#deps = deps;
  }

  /** `acceptOnLane` must send its command in the call itself. */
  accept(intent: NewIntent, acceptOnLane: AcceptOnLane): Promise<Acceptance> {
    const { accountId, intentId } = intent;
    this.#unsent.get(accountId)?.giveWay();
    if (!mayRunAhead(intent) || this.#wasLate(accountId)) return acceptOnLane();
    const run = new RunAhead(this.#deps, {
      intent,
      acceptOnLane,
      limits: this.#limits.get(accountId) ?? {},
      onSent: () => this.#unsent.clear(accountId),
      onLimits: (limits) => this.#limits.set(accountId, limits),
      onLate: () => this.#notAhead.set(accountId, NOT_AHEAD_AFTER_LATE),
    });
    const isTaken = this.#deps.takeTurn(accountId, intentId, () => {
      this.#unsent.set(accountId, run);
      return run.take();
    });
    return isTaken ? run.acceptance : acceptOnLane();
  }

  #wasLate(account: AccountId): boolean {
    const left = this.#notAhead.get(account);
    if (left === undefined) return false;
    if (left > 1) this.#notAhead.set(account, left - 1);
    else this.#notAhead.delete(account);
    return true;
  }
}

/** What an event asked for may be there already; a dry run sends nothing; what follows may be overtaken. */
const mayRunAhead = ({ test, isDerived, copy, alert }: NewIntent): boolean =>
  test !== true && isDerived !== true && copy === undefined && alert?.follows === undefined;

interface RunAheadParts {
  readonly intent: NewIntent;
  readonly acceptOnLane: AcceptOnLane;
  readonly limits: Partial<AccountLimits>;
  /** Called in the same instant in which either acceptance is sent. */
  readonly onSent: () => void;
  readonly onLimits: (limits: Partial<AccountLimits>) => void;
  /** Called where time has ended the wait for its broker. */
  readonly onLate: () => void;
}

class RunAhead implements Ahead {
  readonly #deps: RunsAheadDeps;
  readonly #parts: RunAheadParts;
  readonly acceptance: Promise<Acceptance>;
  #accept: (acceptance: Acceptance | Promise<Acceptance>) => void = nothing;
  /** `open` until an acceptance is sent; `over` where the run counts for nothing. */
  #stage: "open" | "sent" | "accepted" | "unsure" | "over" = "open";
  #isOver: () => void = nothing;
  #endWait: () => void = nothing;
  record: IntentRecord;

  constructor(deps: RunsAheadDeps, parts: RunAheadParts) {
    this.#deps = deps;
    this.#parts = parts;
    this.acceptance = new Promise((resolve) => (this.#accept = resolve));
    this.record = recordOf(parts.intent, parts.intent.receivedAt);
  }

  get isAccepted(): boolean {
    return this.#stage === "accepted";
  }

  /** Runs the intent in its lane's turn, which ends as soon as the run counts for nothing. */
  take(): Promise<LaneStep | undefined> {
    const { waitFor, answerTimes } = this.#deps;
    const withinMs = answerTimes?.aheadMs ?? ACCEPTED_WITHIN_MS;
    const waited = waitFor(withinMs, (end) => (this.#endWait = end));
    void waited.then(() => this.#isLate());
    return new Promise((resolve, reject) => {
      this.#isOver = () => resolve(undefined);
      this.#run().then(resolve, reject);
    });
  }

  /** Accepts the intent on its lane now, unless an acceptance was sent already. */
  giveWay(): void {
    if (this.#stage !== "open") return;
    this.#sent("over");
    this.#accept(this.#parts.acceptOnLane());
    this.#isOver();
  }

  requireGoingOn(): void {
    if (this.#stage === "over") throw new RunDiscardedError();
  }

  async begin(request: SendRequest): Promise<void> {
    if (this.#stage !== "open") throw new RunDiscardedError();
    this.#sent("sent");
    const { intent, limits } = this.#parts;
    let begun: Begun;
    try {
      begun = await this.#deps.acceptAndBegin(intent, request, limits);
    } catch (error) {
      this.#stage = "unsure";
      this.#accept(Promise.reject(error as Error));
      throw error;
    }
    switch (begun.kind) {
      case "begun":
        this.#stage = "accepted";
        this.record = recordOf(intent, begun.acceptedAt);
        this.#accept(ACCEPTED);
        return;
      case "unsure":
        this.#stage = "unsure";
        this.#accept(begun.lost === undefined ? ACCEPTED : Promise.reject(begun.lost));
        await begun.takenBack;
        throw begun.lost ?? unsure();
      case "onLane":
        this.#parts.onLimits(begun.limits);
        return this.#discard(ACCEPTED);
      case "known":
      case "keyReused":
      case "tooLate":
      case "full":
      case "unadmitted":
        return this.#discard(begun);
    }
  }

  async #run(): Promise<LaneStep | undefined> {
    const { runIntent, processId } = this.#deps;
    const { accountId, intentId } = this.#parts.intent;
    const foreseen = contextOf(this.record, this.#parts.limits);
    try {
      const step = await runIntent(accountId, intentId, { replyTo: processId }, foreseen, this);
      if (this.isAccepted) return step;
    } catch (error) {
      // Whatever stopped a run that counts for nothing is met again in the lane's turn.
      if (this.isAccepted || this.#stage === "unsure") throw error;
    }
    this.giveWay();
    return undefined;
  }

  #isLate(): void {
    if (this.#stage !== "open") return;
    this.#parts.onLate();
    this.giveWay();
  }

  #sent(stage: "sent" | "over"): void {
    this.#stage = stage;
    this.#endWait();
    this.#parts.onSent();
  }

  #discard(acceptance: Acceptance): never {
    this.#stage = "over";
    this.#accept(acceptance);
    this.#isOver();
    throw new RunDiscardedError();
  }
}

const nothing = (): void => undefined;

const ACCEPTED: Acceptance = { kind: "accepted" };

const unsure = () =>
  new StoreError("Whether the order was begun was not known in time", {
    certainlyNotWritten: false,
  });

/** Ends a run that counts for nothing. */
class RunDiscardedError extends StoreError {
  override readonly name = "RunDiscardedError";

  constructor() {
    super("The intent is carried out from its lane", { certainlyNotWritten: true });
  }
}

function recordOf(intent: NewIntent, acceptedAt: number): IntentRecord {
  const { entryMaxAgeMs, exitMaxAgeMs, entrySide, exitsOnly, exitsOnlyCode } = intent;
  const record: Writable<IntentRecord> = {
    intentId: intent.intentId,
    accountId: intent.accountId,
    userId: intent.userId,
    source: intent.source,
    requestId: intent.requestId,
    intent: intent.intent,
    state: "PREPARED",
    clOrdIds: [],
    acceptedAt,
    entryExpiresAt: acceptedAt + entryMaxAgeMs,
    exitExpiresAt: acceptedAt + exitMaxAgeMs,
  };
  if (entrySide !== undefined) record.entrySide = entrySide;
  if (exitsOnly !== undefined) record.exitsOnly = exitsOnly;
  if (exitsOnlyCode !== undefined) record.exitsOnlyCode = exitsOnlyCode;
  return record;
}

type Writable<T> = { -readonly [Name in keyof T]: T[Name] };

/** What the store answers for the newest intent of a lane that rests. */
function contextOf(record: IntentRecord, limits: Partial<AccountLimits>): LaneContext {
  return {
    record,
    now: record.acceptedAt,
    exitFollows: false,
    targetFollows: false,
    unknown: [],
    parkedBefore: false,
    limits,
    accountKillSwitch: { active: false },
  };
}
