import {
  areOwnSeen,
  coveringPair,
  isAdding,
  isHeldBack,
  lacksTargets,
  type PlanSight,
  type PlanStep,
  splitSteps,
  stopMoves,
  unaskedQty,
  uncoveredQty,
} from "../../../domain/exits/plan-steps.ts";
import { firstStopOf } from "../../../domain/exits/plan-levels.ts";
import type { PlannedPair, RunningPlan } from "../../../domain/exits/running-plan.ts";
import type { AccountId, IntentId } from "../../../domain/ids.ts";
import type { LaneConnection } from "../connected.ts";
import {
  carryOutSteps,
  closeIntent,
  type DirectStep,
  inWords,
  pairIntent,
  type PlanIntent,
} from "./carry-out-plan.ts";
import { isReplaced, PUT_BY_HAND } from "./is-replaced.ts";
import { ALARM_AFTER, type KeptPlan } from "./kept-plan.ts";
import type { PlanKeeperDeps } from "./plan-deps.ts";
import type { Seen } from "./read-plan.ts";
import { seePlan } from "./see-plan.ts";

/** What a plan's work asks of who keeps all of them. */
export interface PlanHost {
  readonly look: (account: AccountId, inMs?: number) => void;
  readonly plansOf: (account: AccountId) => readonly KeptPlan[];
  readonly drop: (account: AccountId, plan: IntentId) => void;
}

/** Puts an intent of a plan on its account's lane, and resolves once it has ended, or after a while. */
export type SubmitPlanIntent = (intent: PlanIntent) => Promise<void>;

const SOON_MS = 100;
const AGAIN_MS = 1_000;
/** Fills that belong together have come by then. */
const OVER_FOR_MS = 5_000;
const CLOSE_AGAIN_MS = 2_000;
const CLOSE_LATER_MS = 30_000;
const FIRST_CLOSES = 3;
/** So many pairs that were refused are enough: the exits that stand go on for all of it. */
const MOST_REFUSED = 12;

/** Does for one plan what is due, in its account's turn. */
export class PlanWorker {
  readonly #deps: PlanKeeperDeps;
  readonly #host: PlanHost;
  #submit: SubmitPlanIntent | undefined;

  constructor(deps: PlanKeeperDeps, host: PlanHost) {
    this.#deps = deps;
    this.#host = host;
  }

  /** Until then nothing is added or closed. */
  submitBy(submit: SubmitPlanIntent): void {
    this.#submit = submit;
  }

  async keep(account: AccountId, kept: KeptPlan, connection: LaneConnection): Promise<void> {
    const { sessionOf, intents, elapsed } = this.#deps;
    const replaced = await isReplaced(account, kept.running, intents);
    if (replaced === "unknown") return this.#host.look(account, AGAIN_MS);
    if (replaced && kept.running.untilSeen !== true) {
      return await this.end(account, kept, PUT_BY_HAND);
    }
    if (!replaced) kept.noteNotReplaced();
    // One that is over is read once more when its time is up, unless something is reported before.
    const restsFor = this.#restsFor(kept);
    if (restsFor > 0 && !kept.hasNews) return this.#host.look(account, restsFor);
    const { news } = kept;
    const plans = this.#host.plansOf(account);
    const seen = await seePlan(this.#deps, account, { kept, plans }, connection);
    // What was read in part before its session ended shows no one moment.
    if (sessionOf(account) !== connection.session) return;
    kept.newsRead = news;
    // Fills may come after the end of their order, and after they made a position.
    if (seen.kind === "nothing") return await this.#confirm(account, kept, "nothing was filled");
    if (seen.kind === "waits") {
      kept.overSince = undefined;
      if (kept.isGoneFor(seen.isGone === true, elapsed())) {
        return await this.end(account, kept, "its order is not shown any more");
      }
      if (replaced) {
        kept.noteElsewhere(0);
        await this.#save(account, kept, true);
      }
      // What is asked for in vain is looked for now and then only: a broker counts that, too.
      if (seen.isGone !== true) this.#host.look(account, AGAIN_MS);
      return;
    }
    if (kept.running.openedAt === undefined) kept.followFrom(this.#deps.now());
    kept.take(seen.running);
    kept.noteSight(seen.sight);
    const { quote, openQty, isEntryWorking } = seen.sight;
    if (quote !== undefined) kept.follow(quote);
    if (kept.running.scope === "position") await this.#endOlder(account, kept);
    if (seen.isOver) return await this.#confirm(account, kept, CLOSED);
    if (replaced) {
      if (!isEntryWorking) return await this.end(account, kept, PUT_BY_HAND);
      // The exits of what fills from now on are still to come.
      kept.noteElsewhere(unaskedQty(kept.running, seen.sight));
    }
    if (areOwnSeen(kept.running, seen.sight)) {
      const isBare = lacksTargets(kept.running, seen.sight);
      return await this.#confirm(account, kept, isBare ? STOP_STANDS : SEEN);
    }
    kept.overSince = undefined;
    if (openQty === 0 && !isEntryWorking) return await this.#awaitFills(account, kept);
    const due = this.#deps.closeDue(kept.running, this.#deps.now());
    if (kept.running.closing === undefined && due !== undefined) {
      kept.take({ ...kept.running, closing: due });
    }
    if (kept.running.closing === undefined) await this.#follow(account, kept, seen, connection);
    else await this.#closeOut(account, kept, seen, connection);
  }

  /** What has no stop comes first, then the stop's place, then the parts. */
  async #follow(
    account: AccountId,
    kept: KeptPlan,
    { sight }: Extract<Seen, { kind: "sight" }>,
    connection: LaneConnection,
  ): Promise<void> {
    const elapsed = this.#deps.elapsed();
    const { running } = kept;
    // Exits that were only to stand are moved to where they were to stand, and no further.
    const isStill = running.untilSeen === true && !isHeldBack(running, sight);
    const wanted = isStill ? [] : stopMoves(running, sight);
    const moveDueIn = wanted.length > 0 ? kept.moveDueIn(elapsed) : 0;
    // The look that was asked for it may have come too early.
    if (moveDueIn > 0) this.#host.look(account, moveDueIn);
    const moves = moveDueIn === 0 ? wanted : [];
    const awaitsTarget = kept.awaitsTarget(sight, this.#deps.now());
    if (awaitsTarget) this.#host.look(account, AGAIN_MS);
    const maySplit = kept.retryIn(elapsed) === 0 && !awaitsTarget;
    const split = maySplit ? splitSteps(running, sight) : [];
    const direct = [...split, ...moves].filter((step) => isDirect(step));
    const [next] = split;
    const adds = direct.length === 0 && next?.kind === "add" ? next.pair : undefined;
    // A pair is stored before it is added, and the rest with it.
    if (adds === undefined) await this.#save(account, kept, direct.length > 0);
    this.#resubmit(account, kept, sight);
    const isNaked = await this.#cover(account, kept, sight, connection);
    if (isNaked) return await this.#save(account, kept, false);
    if (moves.length > 0) kept.noteMove(elapsed);
    if (direct.length > 0) {
      const failure = await carryOutSteps(account, direct, connection);
      this.#noteDone(account, kept, failure, inWords(direct));
      return this.#host.look(account, failure === undefined ? SOON_MS : AGAIN_MS);
    }
    if (adds !== undefined) await this.#add(account, kept, sight, adds);
    else if (!isAdding(sight) && kept.retryIn(elapsed) === 0) this.#calm(account, kept);
    const pause = kept.retryIn(this.#deps.elapsed());
    if (pause > 0) this.#host.look(account, pause);
  }

  /** Answers whether a stop is missing for sure. */
  async #cover(
    account: AccountId,
    kept: KeptPlan,
    sight: PlanSight,
    { broker }: LaneConnection,
  ): Promise<boolean> {
    const { elapsed, now, unprotected } = this.#deps;
    const { running } = kept;
    const qty = uncoveredQty(running, sight);
    if (qty === 0) {
      kept.nakedSince = undefined;
      // Positions may lag, and exits that cover it by chance may go: its own were not seen.
      const isByOthers = running.isUnseen === true && unaskedQty(running, sight) > 0;
      if (isByOthers && kept.isYoung(now())) this.#host.look(account, AGAIN_MS);
      return false;
    }
    const left = kept.nakedFor(elapsed(), now());
    const refused = kept.refusedPairs >= MOST_REFUSED && firstStopOf(running.plan) === undefined;
    if (left > 0) this.#host.look(account, left);
    else if (!refused) this.#host.look(account, Math.max(AGAIN_MS, kept.retryIn(elapsed())));
    if (left > 0) return false;
    const exits = firstStopOf(running.plan) === undefined ? "TAKE_PROFIT" : "STOP_LOSS";
    unprotected.missing(account, { contract: running.contract, exits: [exits] });
    const isTended = running.clOrdId !== undefined && broker.tendsExits(running.clOrdId);
    if (!isTended && !isAdding(sight) && kept.retryIn(elapsed()) === 0) {
      await this.#add(account, kept, sight, coveringPair(running, sight, qty));
    }
    return true;
  }

  /** Stored before it is submitted: its identifier follows from its place. */
  async #add(
    account: AccountId,
    kept: KeptPlan,
    { pairStates, firstLegs }: PlanSight,
    pair: PlannedPair,
  ): Promise<void> {
    const refused = pairStates.filter((state) => state === "failed").length;
    // Each refusal is followed by a pause of its own.
    if (refused > kept.refusedPairs) {
      kept.refusedPairs = refused;
      await this.#save(account, kept, false);
      return this.#noteDone(account, kept, REFUSED, "");
    }
    if (pair.target !== undefined && refused >= MOST_REFUSED) {
      return await this.#save(account, kept, false);
    }
    const { running } = kept;
    kept.take({ ...running, pairs: [...running.pairs, pair] });
    await this.#save(account, kept, true);
    this.#send(account, kept, kept.running.pairs.length - 1, firstLegs.length > 0);
  }

  #resubmit(account: AccountId, kept: KeptPlan, { pairStates, firstLegs }: PlanSight): void {
    for (const [nth, state] of pairStates.entries()) {
      if (state === "unsent") this.#send(account, kept, nth, firstLegs.length > 0);
    }
  }

  #send(account: AccountId, kept: KeptPlan, nth: number, hasForerunner: boolean): void {
    const pair = kept.running.pairs[nth];
    const intentId = this.#deps.intentIdOf(kept.running.planId, "pair", nth + 1);
    if (pair === undefined) return;
    const { planId } = kept.running;
    const intent = { account, intentId, planId, intent: pairIntent(kept.running, pair) };
    this.#submitOne(kept, intent, hasForerunner && pair.target !== undefined ? pair.qty : 0);
  }

  /** Not waited for in the lane's turn, which it needs itself. */
  #submitOne(kept: KeptPlan, intent: PlanIntent, takesOver = 0): void {
    const { account, intentId, planId } = intent;
    if (this.#submit === undefined || kept.submitting.has(intentId)) return;
    kept.submitting.add(intentId);
    kept.takeOver.begin(takesOver);
    this.#deps.onStep(account, planId, intent.intent.kind === "ADJUST" ? "closes" : "adds exits");
    void this.#submit(intent)
      .catch((error: unknown) => this.#deps.onError(account, error))
      .finally(() => {
        kept.submitting.delete(intentId);
        kept.takeOver.notePlaced(this.#deps.elapsed());
        this.#host.look(account);
      });
  }

  /** The rest of its entry goes first: what that fills would have to be closed again. */
  async #closeOut(
    account: AccountId,
    kept: KeptPlan,
    { sight, entry, closeIsOpen }: Extract<Seen, { kind: "sight" }>,
    { broker }: LaneConnection,
  ): Promise<void> {
    const { elapsed, intentIdOf: idOf } = this.#deps;
    const { closes, planId } = kept.running;
    await this.#save(account, kept, true);
    const attempts = Math.max(closes, kept.entryCancels);
    const pause = attempts <= FIRST_CLOSES ? CLOSE_AGAIN_MS : CLOSE_LATER_MS;
    if (closeIsOpen || elapsed() < kept.closedAt + pause) return this.#host.look(account, AGAIN_MS);
    if (sight.isEntryWorking && entry !== undefined) {
      kept.closedAt = elapsed();
      kept.entryCancels += 1;
      const answer = await broker.cancelOrder(account, entry.orderId);
      this.#host.look(account);
      if (kept.entryCancels < ALARM_AFTER) return;
      // What it fills afterwards is closed again; what is held must not wait for ever.
      const why = answer.kind === "accepted" ? "it goes on working" : answer.reason;
      this.#tellStuck(account, kept, `the rest of its entry could not be cancelled: ${why}`);
      if (sight.openQty === 0) return;
    }
    kept.closedAt = elapsed();
    kept.take({ ...kept.running, closes: closes + 1 });
    await this.#save(account, kept, true);
    if (closes >= FIRST_CLOSES) {
      this.#tellStuck(account, kept, `it is to be closed (${kept.running.closing}) and is not`);
    }
    this.#submitOne(kept, {
      account,
      planId,
      intentId: idOf(planId, "close", closes + 1),
      intent: closeIntent(kept.running, sight.openQty),
    });
  }

  async #confirm(account: AccountId, kept: KeptPlan, why: string): Promise<void> {
    await this.#save(account, kept, false);
    kept.overSince ??= this.#deps.elapsed();
    const left = this.#restsFor(kept);
    if (left > 0) return this.#host.look(account, left);
    await this.#drop(account, kept, why);
  }

  /** How long it must be seen as over still, ms; 0 of one that is not. */
  #restsFor({ overSince }: KeptPlan): number {
    if (overSince === undefined) return 0;
    return Math.max(0, overSince + OVER_FOR_MS - this.#deps.elapsed());
  }

  /** Nothing of it is held, and the broker and what is recorded do not agree on that yet. */
  async #awaitFills(account: AccountId, kept: KeptPlan): Promise<void> {
    await this.#save(account, kept, false);
    this.#host.look(account, AGAIN_MS);
  }

  /** A plan for all of a position stands for every older one of it. */
  async #endOlder(account: AccountId, kept: KeptPlan): Promise<void> {
    const { contract, begunAt } = kept.running;
    for (const other of this.#host.plansOf(account)) {
      const { running } = other;
      // Of the same instant only an entry is older: it is what the position came of.
      const isNewer =
        running.begunAt > begunAt || (running.begunAt === begunAt && isOfAll(running));
      if (other === kept || running.contract !== contract || isNewer) continue;
      if (running.untilSeen === true) {
        // Exits of what its order still fills are its own.
        other.take({ ...running, replacedBy: kept.running.planId });
        await this.#save(account, other, true);
        continue;
      }
      await this.#drop(account, other, "a newer plan stands for the whole position");
      // Exits that were seen as the older one's are this one's from now on.
      this.#host.look(account);
    }
  }

  /** What it was for is closed. */
  async end(account: AccountId, kept: KeptPlan, why = CLOSED): Promise<void> {
    await this.#drop(account, kept, why);
  }

  async #drop(account: AccountId, kept: KeptPlan, why: string): Promise<void> {
    const { planId, contract } = kept.running;
    await this.#deps.store.forget(account, [planId]);
    this.#host.drop(account, planId);
    const stay = this.#host.plansOf(account).some(({ running }) => running.contract === contract);
    if (!stay) this.#deps.books.close(account, contract);
    this.#endTakeOver(account, kept);
    const isOthers = this.#host
      .plansOf(account)
      .some(({ running, failures }) => running.contract === contract && failures >= ALARM_AFTER);
    for (const what of isOthers ? (["blind"] as const) : (["blind", "stuck"] as const)) {
      this.#deps.alarms.clear({ kind: "exitPlanHeld", accountId: account, contract, what });
    }
    this.#deps.onStep(account, planId, `ends: ${why}`);
  }

  async #save(account: AccountId, kept: KeptPlan, willMove: boolean): Promise<void> {
    if (!kept.needsSaving(willMove)) return;
    const { running } = kept;
    await this.#deps.store.save(account, running);
    kept.saved(running);
  }

  #noteDone(account: AccountId, kept: KeptPlan, failure: string | undefined, what: string): void {
    if (failure === undefined) {
      this.#deps.onStep(account, kept.running.planId, what);
      return;
    }
    if (kept.noteFailure(this.#deps.elapsed(), failure)) this.#tellStuck(account, kept, failure);
  }

  /** From now on legs are compared with what is held alone, and not with the pair as well. */
  #endTakeOver(account: AccountId, kept: KeptPlan): void {
    if (kept.takeOver.end()) this.#host.look(account);
  }

  /** Nothing is left to do for now. */
  #calm(account: AccountId, kept: KeptPlan): void {
    this.#endTakeOver(account, kept);
    if (kept.failures === 0) return;
    kept.noteSuccess();
    const { contract } = kept.running;
    this.#deps.alarms.clear({
      kind: "exitPlanHeld",
      accountId: account,
      contract,
      what: "stuck",
    });
  }

  #tellStuck(accountId: AccountId, { running: { contract } }: KeptPlan, reason: string): void {
    this.#deps.alarms.raise({ kind: "exitPlanHeld", accountId, contract, what: "stuck", reason });
  }
}

const isOfAll = ({ scope }: RunningPlan): boolean => scope === "position";

const SEEN = "the exits of its order stand";
const STOP_STANDS = "the stop of its order works, and its target does not";
const CLOSED = "its position is closed";
const REFUSED = "a pair of exits was refused";

const isDirect = (step: PlanStep): step is DirectStep => step.kind !== "add";
