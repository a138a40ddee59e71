import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { GuardDecision } from "../../domain/guards/verdict.ts";
import type { AccountId, IntentId, UserId } from "../../domain/ids.ts";
import type { Intent } from "../../domain/intent.ts";
import type { Alarms } from "../alarms/alarm.ts";
import { readEntries } from "../lane/run-cancel-entries.ts";
import { readAsFarAsShown } from "../lane/read-snapshot.ts";
import type { SubmitIntent } from "../orders/submit-intent.ts";
import type { Broker } from "../ports.ts";

/** What an account must be brought to, until it is. */
export interface Closing {
  /** The same for as long as it is the same demand, in every process: intents are derived from it. */
  readonly key: string;
  readonly what: "flatten" | "cancelEntries";
  /** Only this contract; absent: all. */
  readonly contract?: ContractCode;
  readonly reason: string;
  readonly ruleId?: string;
}

export interface CloseAccountDeps {
  /** The account's broker, while it is owned here, up, and in step. */
  readonly brokerOf: (account: AccountId) => Broker | undefined;
  readonly userOf: (account: AccountId) => UserId | undefined;
  readonly submit: SubmitIntent;
  /** The intent of a demand's nth attempt, the same in every process. */
  readonly intentIdOf: (account: AccountId, key: string, nth: number) => IntentId;
  readonly alarms: Alarms;
  /** Whether the intent was asked for, by this process or one before it. Throws `StoreError`. */
  readonly isKnown: (account: AccountId, intent: IntentId) => Promise<boolean>;
  /** Something was sent for a demand, or it is met. */
  readonly decided: (account: AccountId, closing: Closing, decision: GuardDecision) => void;
  readonly onError: (account: AccountId, error: unknown) => void;
  /** Redis' clock as it is known here, Unix ms. */
  readonly now: () => number;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** Between attempts: the first ones, and once those have not helped. */
const AGAIN_MS = 2_000;
const LATER_MS = 30_000;
const FIRST_ATTEMPTS = 3;
/** What is not flat by then needs a person. */
const ALARM_AFTER_MS = 10_000;
/** How long one attempt is waited for; what takes longer is looked at again all the same. */
const WAIT_MS = 5_000;
const MAX_AGE_MS = 60_000;
/** What is done is looked at again: positions may be opened by hand, or by a late fill. */
const LOOK_AGAIN_MS = 5_000;

interface Demand {
  /** Since when it is not met. */
  since: number;
  /** How often it was asked for, by a process before this one too. */
  attempts: number;
  /** How often since it was met last. */
  tries: number;
  triedAt: number;
  /** `-Infinity`: something may have changed since. */
  lookedAt: number;
  isMet: boolean;
  isWorking: boolean;
}

/**
 * Brings accounts to where their guards want them, and keeps them there for as long as that is wanted: a
 * flatten is not done because it was sent, but once the broker shows nothing any more. Each attempt is
 * an intent on the account's lane like every other; what a process before this one has sent is found by
 * its id and not sent again.
 */
export class AccountCloser {
  readonly #deps: CloseAccountDeps;
  readonly #demands = new Map<AccountId, Map<string, Demand>>();

  constructor(deps: CloseAccountDeps) {
    this.#deps = deps;
  }

  /** Something of the account was reported: what was met may not be any more. */
  noteReport(account: AccountId): void {
    for (const demand of this.#demands.get(account)?.values() ?? []) demand.lookedAt = -Infinity;
  }

  /**
   * These are all demands on the account now; undefined where that is not known here any more. Called
   * again and again; never throws.
   */
  follow(account: AccountId, closings: readonly Closing[] | undefined): void {
    if (closings === undefined) {
      this.#demands.delete(account);
      this.#deps.alarms.clear({ kind: "guardNotFlat", accountId: account }, "unseen");
      return;
    }
    if (closings.length === 0 && !this.#demands.has(account)) return;
    const known = this.#demands.get(account) ?? new Map<string, Demand>();
    const now = this.#deps.elapsed();
    for (const key of known.keys()) {
      if (!closings.some((one) => one.key === key)) known.delete(key);
    }
    for (const closing of closings) {
      const demand = known.get(closing.key) ?? newDemand(now);
      known.set(closing.key, demand);
      void this.#work(account, closing, demand);
    }
    if (known.size > 0) this.#demands.set(account, known);
    else this.#demands.delete(account);
    this.#alarm(account, closings, known);
  }

  async #work(account: AccountId, closing: Closing, demand: Demand): Promise<void> {
    const { elapsed, onError, brokerOf } = this.#deps;
    const broker = brokerOf(account);
    if (demand.isWorking || broker === undefined) return;
    const now = elapsed();
    const mayTry = now >= demand.triedAt + pauseOf(demand);
    const isLookDue = now >= demand.lookedAt + LOOK_AGAIN_MS;
    if (!isLookDue && (demand.isMet || !mayTry)) return;
    demand.isWorking = true;
    try {
      demand.lookedAt = now;
      if (await isMet(account, closing, broker)) this.#met(account, closing, demand);
      else {
        if (demand.isMet) Object.assign(demand, { isMet: false, since: now, tries: 0 });
        if (mayTry) await this.#attempt(account, closing, demand);
      }
    } catch (error) {
      onError(account, error);
    } finally {
      demand.isWorking = false;
    }
  }

  #met(account: AccountId, closing: Closing, demand: Demand): void {
    if (demand.isMet) return;
    demand.isMet = true;
    const isFlatten = closing.what === "flatten";
    const what = isFlatten ? "isFlat" : "cancelled";
    const reason = isFlatten
      ? `The account is flat and nothing works any more: ${closing.reason}`
      : `No entry works any more: ${closing.reason}`;
    this.#decided(account, closing, what, reason);
  }

  async #attempt(account: AccountId, closing: Closing, demand: Demand): Promise<void> {
    const { submit, userOf, intentIdOf, elapsed } = this.#deps;
    const userId = userOf(account);
    if (userId === undefined) return;
    if (closing.what === "flatten" && demand.attempts === 0) {
      this.#decided(account, closing, "flattened", `Everything is being closed: ${closing.reason}`);
    }
    if (demand.attempts === 0) demand.attempts = await this.#attemptsBefore(account, closing.key);
    demand.tries += 1;
    for (;;) {
      demand.attempts += 1;
      demand.triedAt = elapsed();
      const { settled } = await submit({
        accountId: account,
        userId,
        source: { kind: "guard" },
        requestId: `guard ${closing.key}`,
        receivedAt: this.#deps.now(),
        intent: intentOf(closing),
        intentId: intentIdOf(account, closing.key, demand.attempts),
        waitMs: WAIT_MS,
        entryMaxAgeMs: MAX_AGE_MS,
        exitMaxAgeMs: MAX_AGE_MS,
      });
      demand.lookedAt = -Infinity;
      // One that was asked for before, maybe by a dead process, has not helped: the next one is due.
      if (settled?.replayed !== true) return;
    }
  }

  /** How often a demand was asked for before this process: a shut market takes thousands of attempts. */
  async #attemptsBefore(account: AccountId, key: string): Promise<number> {
    const { intentIdOf, isKnown } = this.#deps;
    const has = (nth: number) => isKnown(account, intentIdOf(account, key, nth));
    let [known, step] = [0, 1];
    while (await has(known + step)) {
      known += step;
      step *= 2;
    }
    for (step /= 2; step >= 1; step /= 2) if (await has(known + step)) known += step;
    return known;
  }

  #decided(
    account: AccountId,
    closing: Closing,
    what: GuardDecision["what"],
    reason: string,
  ): void {
    const { ruleId } = closing;
    const at = this.#deps.now();
    this.#deps.decided(account, closing, {
      at,
      what,
      reason,
      ...(ruleId !== undefined && { ruleId }),
    });
  }

  #alarm(
    account: AccountId,
    closings: readonly Closing[],
    demands: ReadonlyMap<string, Demand>,
  ): void {
    const { alarms, elapsed } = this.#deps;
    const late = closings.find(({ key, what }) => {
      const demand = demands.get(key);
      if (demand === undefined || what !== "flatten" || demand.isMet) return false;
      return elapsed() - demand.since > ALARM_AFTER_MS;
    });
    if (late === undefined) alarms.clear({ kind: "guardNotFlat", accountId: account });
    else alarms.raise({ kind: "guardNotFlat", accountId: account, reason: late.reason });
  }
}

const newDemand = (since: number): Demand => ({
  since,
  attempts: 0,
  tries: 0,
  triedAt: -Infinity,
  lookedAt: -Infinity,
  isMet: false,
  isWorking: false,
});

const pauseOf = ({ tries }: Demand): number => (tries <= FIRST_ATTEMPTS ? AGAIN_MS : LATER_MS);

function intentOf({ what, contract }: Closing): Intent {
  const of = contract === undefined ? {} : { contract };
  return what === "flatten"
    ? { kind: "FLATTEN", cancelResting: true, ...of }
    : { kind: "CANCEL_ENTRIES", includesForeign: true, ...of };
}

/** By what the broker shows now; what cannot be read is not met. Throws `BrokerReadError`. */
async function isMet(
  account: AccountId,
  { what, contract }: Closing,
  broker: Broker,
): Promise<boolean> {
  if (what === "cancelEntries") {
    const scope = { includesForeign: true, ...(contract !== undefined && { contract }) } as const;
    const { entries, unclear } = await readEntries(account, scope, broker);
    return entries.length + unclear.length === 0;
  }
  const { positions, working, opaque, opaquePositions } = await readAsFarAsShown(account, broker);
  const isMeant = (code: ContractCode | undefined) =>
    contract === undefined || code === undefined || code === contract;
  const left = [...positions, ...working, ...opaque, ...opaquePositions];
  return !left.some((one) => isMeant(one.contract));
}
