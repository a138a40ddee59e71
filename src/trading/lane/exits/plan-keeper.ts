import type { ContractCode } from "../../../domain/contracts/contract.ts";
import { newestOf } from "../../../domain/book/lots.ts";
import { needsPrices } from "../../../domain/exits/plan-stop.ts";
import { cumQtyOf, nameIn, type RunningPlan } from "../../../domain/exits/running-plan.ts";
import { unseenExits } from "../../../domain/exits/unseen-exits.ts";
import type { AccountId, IntentId } from "../../../domain/ids.ts";
import type { IntentRecord } from "../../../domain/intent.ts";
import { isUnderstood, movesPosition, sign } from "../../../domain/order.ts";
import { isInScope, type Scope } from "../../../domain/overtaking.ts";
import { closingPrice, QUOTE_STALE_AFTER_MS } from "../../../domain/quote.ts";
import { BrokerReadError, type ReportListener } from "../../ports.ts";
import { connectedOf } from "../connected.ts";
import { PUT_BY_HAND } from "./is-replaced.ts";
import { KeptPlan } from "./kept-plan.ts";
import type { PlanKeeperDeps } from "./plan-deps.ts";
import { PlanWorker, type SubmitPlanIntent } from "./plan-worker.ts";
import type { BeginsExits } from "./ports.ts";

const SOON_MS = 100;
const AGAIN_MS = 1_000;
/** Nothing may have been reported. */
const LOOK_EVERY_MS = 30_000;

interface Watched {
  readonly plans: Map<IntentId, KeptPlan>;
  isLoaded: boolean;
  lookedAt: number;
}

/**
 * Carries exit plans out. Everything is derived each time from what is stored of a plan and what the
 * broker shows, so that whoever owns the account next just goes on. What it changes it changes in the
 * account's turn; what it adds or closes is an intent like every other.
 */
export class PlanKeeper implements BeginsExits {
  readonly #deps: PlanKeeperDeps;
  readonly #accounts = new Map<AccountId, Watched>();
  readonly #worker: PlanWorker;

  constructor(deps: PlanKeeperDeps) {
    this.#deps = deps;
    this.#worker = new PlanWorker(deps, {
      look: (account, inMs) => this.look(account, inMs),
      plansOf: (account) => [...(this.#accounts.get(account)?.plans.values() ?? [])],
      drop: (account, plan) => void this.#accounts.get(account)?.plans.delete(plan),
    });
  }

  /** Until then nothing is added or closed. */
  submitBy(submit: SubmitPlanIntent): void {
    this.#worker.submitBy(submit);
  }

  readonly begin: BeginsExits["begin"] = async (account, asked) => {
    const plan = await this.#since(account, asked);
    await this.#deps.store.save(account, plan);
    this.take(account, plan);
  };

  readonly take: BeginsExits["take"] = (account, plan) => {
    this.#watch(account).plans.set(plan.planId, new KeptPlan(plan));
    this.look(account, AGAIN_MS);
  };

  /** An intent has ended: exits that came with its order, and were not seen, are stored with that. */
  readonly settled = (record: IntentRecord): void => {
    const { accountId } = record;
    const unseen = unseenExits(record);
    if (unseen === undefined || this.#accounts.get(accountId)?.plans.has(unseen.planId)) return;
    this.take(accountId, unseen);
  };

  readonly manages: BeginsExits["manages"] = (account, contract, side) => {
    const watched = this.#accounts.get(account);
    if (watched === undefined) return false;
    const plans = [...watched.plans.values()];
    const isOne = plans.some(
      ({ running }) =>
        running.contract === contract && running.side === side && running.untilSeen !== true,
    );
    return isOne || !watched.isLoaded;
  };

  readonly endAll: BeginsExits["endAll"] = async (account, contract) => {
    const watched = this.#accounts.get(account);
    if (watched === undefined) return;
    await this.#loadInTurn(account, watched);
    for (const kept of watched.plans.values()) {
      // `replace` has marked one that waits for exits of its order alone: the order may still fill.
      if (kept.running.contract !== contract || kept.running.untilSeen === true) continue;
      await this.#worker.end(account, kept, PUT_BY_HAND);
    }
  };

  readonly replace: BeginsExits["replace"] = async (account, contract, by) => {
    const watched = this.#accounts.get(account);
    if (watched === undefined) return;
    await this.#loadInTurn(account, watched);
    for (const kept of watched.plans.values()) {
      if (kept.running.contract !== contract) continue;
      await this.#store(account, kept, { ...kept.running, replacedBy: by });
      if (kept.running.untilSeen === true) this.look(account, AGAIN_MS);
    }
  };

  readonly rename: BeginsExits["rename"] = async (account, leg, to) => {
    const watched = this.#accounts.get(account);
    if (watched === undefined) return;
    await this.#loadInTurn(account, watched);
    for (const kept of watched.plans.values()) {
      const { contract, renamed } = kept.running;
      const name = nameIn(kept.running, leg);
      if (contract !== leg.contract || name === undefined) continue;
      // In a plan that it does not belong to, its name is looked for in vain.
      await this.#store(account, kept, {
        ...kept.running,
        renamed: { ...renamed, [to]: name },
      });
    }
  };

  async #store(account: AccountId, kept: KeptPlan, plan: RunningPlan): Promise<void> {
    kept.take(plan);
    const { running } = kept;
    await this.#deps.store.save(account, running);
    kept.saved(running);
  }

  /** A position that opens once this one was closed is another one. */
  async #since(account: AccountId, plan: RunningPlan): Promise<RunningPlan> {
    const trip = await this.#deps.books.read(account, plan.contract, plan.begunAt);
    return { ...plan, since: newestOf(trip) };
  }

  /** The account can be worked that could not before: another process may have kept its plans. */
  async load(account: AccountId): Promise<void> {
    // Another process may have changed all that is known here, and a look may come before any answer.
    this.#deps.books.forget(account);
    const before = this.#accounts.get(account);
    if (before !== undefined) before.isLoaded = false;
    // What cannot be read now is read in the account's turn, again and again.
    const stored = await this.#deps.store.of(account).catch((error: unknown) => {
      this.#deps.onError(account, error);
      return undefined;
    });
    if (stored?.length === 0 && !this.#accounts.has(account)) return;
    this.#watch(account).isLoaded = false;
    this.look(account);
  }

  /** One after another: there may be thousands of them. */
  async loadAll(accounts: readonly AccountId[]): Promise<void> {
    for (const account of accounts) await this.load(account);
  }

  async #loadInTurn(account: AccountId, watched: Watched): Promise<void> {
    if (watched.isLoaded) return;
    const stored = await this.#deps.store.of(account);
    const before = new Map(watched.plans);
    watched.plans.clear();
    for (const plan of stored) {
      watched.plans.set(plan.planId, new KeptPlan(plan, before.get(plan.planId)));
    }
    watched.isLoaded = true;
  }

  readonly onReport: ReportListener = (account, report) => {
    const watched = this.#accounts.get(account);
    if (watched === undefined) return;
    for (const kept of watched.plans.values()) kept.news += 1;
    if (isUnderstood(report) && movesPosition(report)) {
      const { clOrdId, cumQty } = report.order;
      for (const kept of watched.plans.values()) {
        const { filled, clOrdId: own } = kept.running;
        if (clOrdId === undefined || own !== clOrdId || filled === undefined) continue;
        if (cumQty > cumQtyOf(kept.running)) kept.reopen(clOrdId);
      }
    }
    this.look(account);
  };

  /** What the account holds trades at another price. */
  noteQuote(account: AccountId): void {
    const { quoteOf, elapsed } = this.#deps;
    for (const kept of this.#accounts.get(account)?.plans.values() ?? []) {
      const quote = quoteOf(account, kept.running.contract);
      if (quote !== undefined && kept.follow(quote)) {
        this.look(account, kept.moveDueIn(elapsed()));
      }
    }
  }

  /** Called each second: for what only time brings. */
  tick(): void {
    const { elapsed, now, closeDue } = this.#deps;
    for (const [account, watched] of this.#accounts) {
      if (!this.#isOwned(account)) {
        this.#clear(account, watched);
        continue;
      }
      let isDue = elapsed() - watched.lookedAt >= LOOK_EVERY_MS;
      this.#tellBlind(account, watched);
      for (const kept of watched.plans.values()) {
        isDue ||= kept.running.closing !== undefined || closeDue(kept.running, now()) !== undefined;
      }
      if (isDue) this.look(account);
    }
  }

  look(account: AccountId, inMs = SOON_MS): void {
    if (this.#accounts.has(account)) this.#deps.looks.ask(account, inMs);
  }

  /** For how much of each contract pairs were placed beside what they are to take over from. */
  takenOver(account: AccountId): ReadonlyMap<ContractCode, number> {
    const now = this.#deps.elapsed();
    const byContract = new Map<ContractCode, number>();
    for (const kept of this.#accounts.get(account)?.plans.values() ?? []) {
      const { contract } = kept.running;
      byContract.set(contract, (byContract.get(contract) ?? 0) + kept.takeOver.qty(now));
    }
    return byContract;
  }

  /**
   * Does what is due for the account's plans, but for contracts that are left to intents of unknown
   * outcome. Runs in the lane's turn. Throws `StoreError`.
   */
  async keep(account: AccountId, left: readonly Scope[] = []): Promise<void> {
    const watched = this.#accounts.get(account);
    const connection = connectedOf(account, this.#deps);
    if (watched === undefined || connection === undefined) return;
    watched.lookedAt = this.#deps.elapsed();
    await this.#loadInTurn(account, watched);
    try {
      for (const kept of [...watched.plans.values()].toSorted(positionsFirst)) {
        const { contract, planId } = kept.running;
        if (watched.plans.get(planId) !== kept) continue;
        if (left.some((scope) => isInScope(scope, contract))) continue;
        await this.#worker.keep(account, kept, connection);
        // Legs are for what is held from then on, whatever became of the forerunners.
        const endsInMs = kept.takeOver.endsInMs(this.#deps.elapsed());
        if (endsInMs > 0) this.look(account, endsInMs);
      }
    } catch (error) {
      if (!(error instanceof BrokerReadError)) throw error;
      this.look(account, AGAIN_MS);
    }
    if (watched.plans.size === 0) this.#accounts.delete(account);
  }

  /** One alarm a contract, for whichever of its plans waits for a price. */
  #tellBlind(accountId: AccountId, { plans }: Watched): void {
    const { quoteOf, alarms } = this.#deps;
    const kept = [...plans.values()];
    for (const contract of new Set(kept.map(({ running }) => running.contract))) {
      const state = { kind: "exitPlanHeld", accountId, contract, what: "blind" } as const;
      const quote = quoteOf(accountId, contract);
      const isBlind = kept.some(
        ({ running, openQty }) =>
          running.contract === contract &&
          openQty > 0 &&
          needsPrices(running) &&
          (quote && closingPrice(quote, sign(running.side))) === undefined,
      );
      if (!isBlind) alarms.clear(state);
      else if (this.#isTrading(contract)) alarms.raise({ ...state, reason: BLIND });
    }
  }

  /** While its exchange is closed, and right after it has opened, no price can be missed. */
  #isTrading(contract: ContractCode): boolean {
    const { now, isTrading } = this.#deps;
    return [now(), now() - QUOTE_STALE_AFTER_MS].every((at) => isTrading(contract, at));
  }

  #isOwned(account: AccountId): boolean {
    const { accounts, connections } = this.#deps;
    const stored = accounts.find(account);
    return stored !== undefined && connections.find(stored.connectionId) !== undefined;
  }

  /** Whoever owns the account now says what is the matter with its plans. */
  #clear(accountId: AccountId, { plans }: Watched): void {
    for (const { running } of plans.values()) {
      for (const what of ["blind", "stuck"] as const) {
        const { contract } = running;
        this.#deps.alarms.clear({ kind: "exitPlanHeld", accountId, contract, what }, "unseen");
      }
    }
  }

  #watch(account: AccountId): Watched {
    const known = this.#accounts.get(account);
    if (known !== undefined) return known;
    const watched: Watched = { plans: new Map(), isLoaded: false, lookedAt: 0 };
    this.#accounts.set(account, watched);
    return watched;
  }
}

/** A plan for a whole position ends older ones before they do anything more. */
const positionsFirst = ({ running: one }: KeptPlan, { running: other }: KeptPlan): number =>
  Number(other.scope === "position") - Number(one.scope === "position");

const BLIND = "no price was told for a while, so its stop stays where it is";
