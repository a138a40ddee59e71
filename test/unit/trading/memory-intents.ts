import { unseenExits } from "../../../src/domain/exits/unseen-exits.ts";
import type { AccountId, ClOrdId, IntentId } from "../../../src/domain/ids.ts";
import {
  type IntentRecord,
  isGoingOn,
  isUnsettled,
  type Outcome,
} from "../../../src/domain/intent.ts";
import type { AccountLimits, KillSwitch } from "../../../src/domain/limits.ts";
import {
  isOvertaken,
  openedBy,
  type Overtaking,
  overtakingOf,
} from "../../../src/domain/overtaking.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import { isTriedAnew } from "../../../src/domain/repeat.ts";
import type { KeptWith, SendPermit, SendRequest } from "../../../src/trading/lane/send-permit.ts";
import type {
  Acceptance,
  EarlierIntent,
  Idempotency,
  IntentStore,
  NewIntent,
} from "../../../src/trading/orders/ports.ts";
import type { LaneContext, ParkedIntent } from "../../../src/trading/lane/ports.ts";

type Fault = () => void | Promise<void>;

/** The intents of all accounts in memory, with the rules of the real store and a clock in our hand. */
export class MemoryIntents implements IntentStore {
  clock = 1_700_000_000_000;
  limits: Partial<AccountLimits> = {};
  accountKillSwitch: KillSwitch = { active: false };
  userKillSwitch: KillSwitch = { active: false };
  sourceAlive = true;
  /** The newest owner's. */
  epoch = 1;
  /** Orders that still fit into the minute. */
  left = { account: Infinity, all: Infinity };
  /** Called before a method does its work; what it throws is thrown. */
  readonly before: Partial<Record<keyof IntentStore, Fault>> = {};
  /** Called after a method has done its work: the answer is lost when it throws. */
  readonly after: Partial<Record<keyof IntentStore, Fault>> = {};
  readonly permits: SendRequest[] = [];
  readonly withdrawals: IntentId[] = [];
  /** The intents that were put on their lanes, in order. */
  readonly lane: IntentId[] = [];
  /** Of those, for which another process was called. */
  readonly rung: IntentId[] = [];
  /** What the lane does with one of them as soon as it is there. */
  work: (id: IntentId) => unknown = () => undefined;
  readonly kept: IntentId[] = [];
  readonly #held = new Map<IntentId, string>();
  readonly #records = new Map<string, IntentRecord>();
  readonly #keys = new Map<string, { fingerprint: string; id: IntentId }>();
  readonly #stopped = new Set<IntentId>();
  readonly #sequence = new Map<IntentId, number>();
  readonly #exits: {
    readonly id: IntentId;
    readonly at: number;
    readonly overtaking: Overtaking;
  }[] = [];

  /** The record as it stands; fails the test when there is none. */
  record(account: AccountId, id: IntentId): IntentRecord {
    const record = this.#records.get(`${account}/${id}`);
    if (record === undefined) throw new Error(`There is no intent ${id}`);
    return record;
  }

  has(account: AccountId, id: IntentId): boolean {
    return this.#records.has(`${account}/${id}`);
  }

  /** Writes a record as a test needs it. */
  put(record: IntentRecord): void {
    this.#records.set(`${record.accountId}/${record.intentId}`, record);
  }

  readonly now = () => this.#run("now", () => this.clock);

  readonly enqueue: IntentStore["enqueue"] = (account, id) =>
    this.#run("enqueue", () => {
      if (this.record(account, id).state === "PREPARED") this.#enqueue(id);
    });

  #enqueue(id: IntentId): void {
    if (this.lane.includes(id)) return;
    this.lane.push(id);
    setImmediate(() => this.work(id));
  }

  readonly accept: IntentStore["accept"] = (intent, { rings = false } = {}) =>
    this.#run("accept", (): Acceptance => {
      if (this.clock > intent.receivedAt + 2_000) return { kind: "tooLate" };
      const known = this.#known(intent);
      if (known !== undefined) return known;
      const { intentId, accountId, userId, source, requestId, entryMaxAgeMs } = intent;
      this.#sequence.set(intentId, this.#sequence.size + 1);
      const overtaking = intent.test === true ? undefined : overtakingOf(intent.intent);
      const isCounted = intent.copy === undefined || overtaking?.scope === "account";
      this.#enqueue(intentId);
      if (rings) this.rung.push(intentId);
      if (overtaking !== undefined && isCounted) {
        this.#exits.push({ id: intentId, at: this.#sequence.size, overtaking });
      }
      this.put({
        intentId,
        accountId,
        userId,
        source,
        requestId,
        intent: intent.intent,
        state: "PREPARED",
        clOrdIds: [],
        acceptedAt: this.clock,
        entryExpiresAt: this.clock + entryMaxAgeMs,
        exitExpiresAt: this.clock + intent.exitMaxAgeMs,
        ...(intent.test && { test: intent.test }),
        ...(intent.entrySide && { entrySide: intent.entrySide }),
        ...(intent.exitsOnly && { exitsOnly: intent.exitsOnly }),
        ...(intent.exitsOnlyCode && { exitsOnlyCode: intent.exitsOnlyCode }),
        ...(intent.copy && { copy: intent.copy }),
      });
      return { kind: "accepted" };
    });

  readonly findKeyed = (account: AccountId, idempotency: Idempotency) =>
    this.#run("findKeyed", () => this.#keyed(account, idempotency));

  readonly findSameAlert = () => this.#run("findSameAlert", () => undefined);

  readonly find = (account: AccountId, id: IntentId) =>
    this.#run("find", () => this.#records.get(`${account}/${id}`));

  readonly keep = (_account: AccountId, ids: readonly IntentId[]) =>
    this.#run("keep", () => void this.kept.push(...ids));

  readonly progress = (account: AccountId, ids: readonly IntentId[]) =>
    this.#run("progress", () => ids.map((id) => this.#records.get(`${account}/${id}`)));

  readonly unsettled = (account: AccountId) =>
    this.#run("unsettled", () =>
      [...this.#records.values()].filter(
        ({ accountId, state }) => accountId === account && isUnsettled(state),
      ),
    );

  readonly stopGoingOn = (account: AccountId, id: IntentId): Promise<boolean> =>
    this.#run("stopGoingOn", () => {
      const goesOn = isGoingOn(this.record(account, id).state);
      if (goesOn) this.#stopped.add(id);
      return goesOn;
    });

  readonly isStopped = (_account: AccountId, id: IntentId): Promise<boolean> =>
    this.#run("isStopped", () => this.#stopped.has(id));

  readonly follows = (_account: AccountId, id: IntentId, other: IntentId): Promise<boolean> =>
    this.#run("follows", () => this.#sequenceOf(id) > this.#sequenceOf(other));

  readonly targetFollows = (
    account: AccountId,
    id: IntentId,
    contract: ContractCode,
  ): Promise<boolean> =>
    this.#run("targetFollows", () =>
      this.#exits.some(
        ({ at, overtaking, id: other }) =>
          overtaking.isTarget === true &&
          CARRIED_OUT.has(this.record(account, other).state) &&
          at > this.#sequenceOf(id) &&
          isOvertaken(overtaking, { contract, side: undefined }),
      ),
    );

  readonly loadForLane = (account: AccountId, id: IntentId): Promise<LaneContext | undefined> =>
    this.#run("loadForLane", () => {
      const record = this.#records.get(`${account}/${id}`);
      if (record === undefined) return undefined;
      const others = [...this.#records.values()].filter(
        ({ state, intentId }) => (state === "UNKNOWN" || state === "SENDING") && intentId !== id,
      );
      const sequence = this.#sequence.get(id) ?? 0;
      return {
        record,
        now: this.clock,
        ...this.#followed(account, record, sequence),
        unknown: others.map(({ intentId, intent }) => ({
          intent,
          isEarlier: this.#sequenceOf(intentId) < sequence,
        })),
        parkedBefore: [...this.#held.keys()].some((one) => this.#sequenceOf(one) < sequence),
        limits: this.limits,
        accountKillSwitch: this.accountKillSwitch,
      };
    });

  /** Stores the plan and the deadline of an order in the step of its write-ahead, or of its end. */
  onKept: (keeps: KeptWith) => void = () => undefined;

  readonly beginSending = (request: SendRequest): Promise<SendPermit> =>
    this.#run("beginSending", () => {
      const { account, intentId, clOrdId, epoch, expiresAt, maxOrders, entry, goesOn } = request;
      if (epoch !== this.epoch) return { kind: "fenced" };
      const record = this.record(account, intentId);
      const { state, clOrdIds } = record;
      const isOpen = state === "PREPARED" || state === "SENDING";
      if (!isOpen && !((state === "UNKNOWN" || isGoingOn(state)) && goesOn === true)) {
        return { kind: "refused", reason: `the intent is ${state}` };
      }
      if (!isOpen && this.#stopped.has(intentId)) {
        return { kind: "refused", reason: "a person took it back" };
      }
      if (clOrdIds.includes(clOrdId)) {
        return { kind: "refused", reason: "the order was sent before" };
      }
      if (state === "PREPARED" && this.clock >= expiresAt) return { kind: "expired" };
      if (clOrdIds.length >= maxOrders) return { kind: "refused", reason: "too many orders" };
      if (state === "PREPARED" && !this.sourceAlive) return { kind: "revoked" };
      const refused = entry === undefined ? undefined : this.#refuse(entry);
      if (refused !== undefined) return refused;
      this.permits.push(request);
      if (request.keeps !== undefined) this.onKept(request.keeps);
      this.#send(record, request);
      return { kind: "granted" };
    });

  readonly settle = (
    { accountId, intentId }: IntentRecord,
    outcome: Outcome,
  ): Promise<IntentRecord> =>
    this.#run("settle", () => this.#end(this.record(accountId, intentId), outcome));

  readonly amend = (
    { accountId, intentId, state }: IntentRecord,
    _order: ClOrdId,
    outcome: Outcome,
  ): Promise<boolean> =>
    this.#run("amend", () => {
      const record = this.record(accountId, intentId);
      if (record.state !== state) return false;
      this.#keepUnseen({ ...record, state: stateOf(outcome), outcome });
      return true;
    });

  readonly withdraw = (account: AccountId, id: IntentId, outcome: Outcome): Promise<IntentRecord> =>
    this.#run("withdraw", () => {
      this.withdrawals.push(id);
      const record = this.record(account, id);
      return record.state === "PREPARED" ? this.#end(record, outcome) : record;
    });

  readonly park = (account: AccountId, id: IntentId, replyTo: string): Promise<boolean> =>
    this.#run("park", () => {
      if (this.record(account, id).state !== "PREPARED") return false;
      this.#held.set(id, replyTo);
      return true;
    });

  readonly parked = (account: AccountId): Promise<readonly ParkedIntent[]> =>
    this.#run("parked", () =>
      [...this.#held]
        .map(([id, replyTo]) => ({ record: this.record(account, id), replyTo }))
        .filter(({ record }) => record.state === "PREPARED")
        .sort(
          (one, other) =>
            this.#sequenceOf(one.record.intentId) - this.#sequenceOf(other.record.intentId),
        ),
    );

  #followed(account: AccountId, { intent }: IntentRecord, sequence: number) {
    const opened = openedBy(intent);
    const later = this.#exits
      .filter(({ at }) => at > sequence)
      .map(({ id, overtaking }) => ({ overtaking, exit: this.record(account, id) }));
    const has = (...states: IntentRecord["state"][]) =>
      later.filter(({ exit }) => states.includes(exit.state));
    const certain = [
      ...later.filter(({ overtaking }) => !overtaking.isConditional),
      ...has("DONE", "UNKNOWN", "UNFINISHED", "HELD"),
    ];
    const follows = certain.filter(({ overtaking }) =>
      opened === undefined ? overtaking.scope === "account" : isOvertaken(overtaking, opened),
    );
    const exitFollows = follows.some(({ overtaking }) => overtaking.isTarget !== true);
    const targetFollows = follows.some(({ overtaking }) => overtaking.isTarget === true);
    const mayFollow = has("PREPARED", "SENDING").at(-1)?.exit.intent;
    return { exitFollows, targetFollows, ...(mayFollow && { mayFollow }) };
  }

  #sequenceOf(id: IntentId): number {
    return this.#sequence.get(id) ?? 0;
  }

  #known({ accountId, intentId, idempotency, lookedUp }: NewIntent): Acceptance | undefined {
    if (idempotency === undefined) return undefined;
    const known = this.#keyed(accountId, idempotency, lookedUp);
    if (known !== undefined) return known;
    const { key, fingerprint } = idempotency;
    this.#keys.set(`${accountId}/${key}`, { fingerprint, id: intentId });
    return undefined;
  }

  #keyed(
    account: AccountId,
    { key, fingerprint }: Idempotency,
    lookedUp: readonly IntentId[] = [],
  ): EarlierIntent | undefined {
    const known = this.#keys.get(`${account}/${key}`);
    if (known === undefined) return undefined;
    if (known.fingerprint !== fingerprint) return { kind: "keyReused" };
    const record = this.#records.get(`${account}/${known.id}`);
    const isLost = record?.state === "LOST" && !lookedUp.includes(known.id);
    const isAnew = record?.outcome !== undefined && isTriedAnew(record.outcome);
    const stands = record !== undefined && (isLost || !isAnew);
    return stands ? { kind: "known", intentId: known.id } : undefined;
  }

  /** What is decided about an entry in the last moment. */
  #refuse({ perAccount, inAll }: NonNullable<SendRequest["entry"]>): SendPermit | undefined {
    const on = [this.accountKillSwitch, this.userKillSwitch].find(({ active }) => active);
    if (on !== undefined) return { kind: "killed", ...(on.reason && { reason: on.reason }) };
    if (this.left.all <= 0) return { kind: "limited", which: "all", limit: inAll };
    if (this.left.account > 0) return undefined;
    return { kind: "limited", which: "account", limit: perAccount };
  }

  #send(record: IntentRecord, { clOrdId, plan, exitPlan }: SendRequest): void {
    const { clOrdIds, sentAt = this.clock } = record;
    const isOpen = record.state === "UNKNOWN" || isGoingOn(record.state);
    const state = isOpen ? record.state : "SENDING";
    this.put({
      ...record,
      state,
      clOrdIds: [...clOrdIds, clOrdId],
      sentAt,
      ...(plan !== undefined && { plan }),
      ...(exitPlan !== undefined && { exitPlan }),
    });
  }

  #end(record: IntentRecord, outcome: Outcome): IntentRecord {
    if (!isUnsettled(record.state)) return record;
    const state = stateOf(outcome);
    this.#held.delete(record.intentId);
    const ended: IntentRecord = {
      ...record,
      state,
      outcome,
      ...(!isUnsettled(state) && { settledAt: this.clock }),
    };
    return this.#keepUnseen(ended);
  }

  #keepUnseen(record: IntentRecord): IntentRecord {
    this.put(record);
    const exitPlan = unseenExits(record);
    if (exitPlan !== undefined) this.onKept({ exitPlan });
    return record;
  }

  async #run<Value>(method: keyof IntentStore, work: () => Value): Promise<Value> {
    await this.before[method]?.();
    const value = work();
    await this.after[method]?.();
    return value;
  }
}

const CARRIED_OUT: ReadonlySet<IntentRecord["state"]> = new Set([
  "DONE",
  "UNKNOWN",
  "UNFINISHED",
  "HELD",
]);

const stateOf = ({ kind }: Outcome) => kind.toUpperCase() as IntentRecord["state"];
