import type { CopyGroup } from "../../domain/copying/copy-group.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { BrokerReport } from "../../domain/order.ts";
import { BrokerReadError, type WaitFor } from "../ports.ts";
import type { CopyGroupDirectory } from "./copy-group-directory.ts";
import type { LeaderOrders } from "./leader-orders.ts";
import type { FillsApartNow, MirrorPass } from "./mirror-pass.ts";
import type { CopyMirrors, MirrorPair } from "./ports.ts";

export interface MirrorOrdersDeps {
  readonly groups: Pick<CopyGroupDirectory, "ledBy" | "leaders">;
  readonly mirrors: Pick<CopyMirrors, "pairs">;
  readonly leaderOrders: LeaderOrders;
  readonly pass: MirrorPass;
  /** Whether this process owns the leader's connection, and has read the leader in full. */
  readonly isHere: (leader: AccountId) => boolean;
  readonly onError: (error: unknown, leader: AccountId) => void;
  readonly waitFor: WaitFor;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

interface Passing {
  /** Never rejects. */
  readonly running: Promise<void>;
  /** The one after it: shared by all who ask until it starts. */
  next?: Promise<void>;
}

/** What the last pass over a leader came to. */
interface LastPass {
  readonly atMs: number;
  /** Of the groups as they were. */
  readonly led: readonly CopyGroup[];
  /** Something works for it. */
  readonly works: boolean;
  /** It is to be followed by another one soon. */
  readonly isOpen: boolean;
}

/** How often one leader is compared with its followers at most. */
const SPACING_MS = 100;
/** Long enough for what is seen twice to be believed. */
const AGAIN_MS = 350;
/** A leader of whom nothing is told is looked at so often while something works, and otherwise. */
const WORKING_LOOK_MS = 5_000;
const REST_LOOK_MS = 30_000;
/** What cannot be read so often in a row is told. */
const TOLD_AFTER_FAILURES = 3;
const NOT_WOKEN = (): void => undefined;

/**
 * Keeps followers' orders in step with what works for their leaders, in the groups that mirror
 * orders: whenever a leader's broker tells of one of its orders, and every now and then. What is
 * missing follows from how both stand, so that a word that is lost only delays it.
 */
export class MirrorOrders {
  readonly #deps: MirrorOrdersDeps;
  readonly #passes = new Map<AccountId, Passing>();
  readonly #apart = new Map<AccountId, FillsApartNow>();
  readonly #last = new Map<AccountId, LastPass>();
  /** Leaders of whom, or of whose followers, something was told since the last look. */
  readonly #told = new Set<AccountId>();
  /** How often in a row a leader, or what stands for its orders, could not be read. */
  readonly #failures = new Map<AccountId, number>();
  #pairs: readonly MirrorPair[] = [];
  #isOver = false;

  constructor(deps: MirrorOrdersDeps) {
    this.#deps = deps;
  }

  /** Something was told of an order of any account. Never fails. */
  readonly onReport = (account: AccountId, report: BrokerReport): void => {
    const { groups, leaderOrders } = this.#deps;
    for (const leader of this.#leadersOf(account)) this.#told.add(leader);
    const led = groups.ledBy(account);
    if (led.length === 0) return;
    leaderOrders.onReport(account, report);
    if (led.some(({ mode }) => mode === "orders")) void this.#soon(account);
  };

  /**
   * One look at every leader; never fails. Brokers count what they are asked: a leader of whom
   * nothing new can be expected is passed over.
   */
  async look(): Promise<void> {
    const { mirrors, onError } = this.#deps;
    const mirroring = this.#mirroring();
    try {
      this.#pairs = await mirrors.pairs();
    } catch (error) {
      for (const leader of mirroring) onError(error, leader);
      return;
    }
    const leaders = new Set([...mirroring, ...this.#pairs.map(({ leader }) => leader)]);
    for (const known of this.#last.keys()) {
      if (!leaders.has(known) || !this.#deps.isHere(known)) this.#forget(known);
    }
    await Promise.all([...leaders].filter((one) => this.#isDue(one)).map((one) => this.#soon(one)));
  }

  /**
   * Whether the follower's position differs from its target only because its orders and its leader's
   * fill at different times, by the last look.
   */
  isFilling(follower: AccountId, contract: ContractCode): boolean {
    // Whoever asks sees a difference, which the last look may have been too early for.
    for (const leader of this.#leadersOf(follower)) this.#told.add(leader);
    return [...this.#apart.values()].some((apart) => apart.get(follower)?.has(contract) === true);
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#passes.values()].map(({ running, next }) => next ?? running));
  }

  #mirroring(): readonly AccountId[] {
    const { groups } = this.#deps;
    return [...groups.leaders()].filter((leader) =>
      groups.ledBy(leader).some(({ mode }) => mode === "orders"),
    );
  }

  /** The account itself, if it leads, and whom it follows or followed. */
  #leadersOf(account: AccountId): readonly AccountId[] {
    const { groups } = this.#deps;
    const isIn = (leader: AccountId) =>
      leader === account ||
      groups
        .ledBy(leader)
        .some(({ followers }) => followers.some(({ accountId }) => accountId === account));
    const former = this.#pairs.filter(({ follower }) => follower === account);
    return [...this.#mirroring().filter(isIn), ...former.map(({ leader }) => leader)];
  }

  /** Answers once for what was told. */
  #isDue(leader: AccountId): boolean {
    const { groups, elapsed } = this.#deps;
    const wasTold = this.#told.delete(leader);
    const last = this.#last.get(leader);
    if (wasTold || last === undefined || last.isOpen) return true;
    const led = groups.ledBy(leader);
    if (led.length !== last.led.length || led.some((group, n) => group !== last.led[n])) {
      return true;
    }
    const works = last.works || this.#pairs.some((pair) => pair.leader === leader);
    return elapsed() - last.atMs >= (works ? WORKING_LOOK_MS : REST_LOOK_MS);
  }

  #forget(leader: AccountId): void {
    this.#apart.delete(leader);
    this.#last.delete(leader);
    this.#failures.delete(leader);
  }

  /** Resolves after a pass that began after the call. */
  #soon(leader: AccountId): Promise<void> {
    if (this.#isOver || !this.#deps.isHere(leader)) return Promise.resolve();
    const under = this.#passes.get(leader);
    if (under === undefined) return this.#begin(leader);
    under.next ??= under.running
      .then(() => this.#deps.waitFor(SPACING_MS, NOT_WOKEN))
      .then(() => this.#begin(leader));
    return under.next;
  }

  #begin(leader: AccountId): Promise<void> {
    const running = this.#pass(leader).finally(() => {
      if (this.#passes.get(leader)?.next === undefined) this.#passes.delete(leader);
    });
    this.#passes.set(leader, { running });
    return running;
  }

  /** What cannot be read now is looked at again. */
  async #pass(leader: AccountId): Promise<void> {
    const { groups, isHere, pass, waitFor, elapsed } = this.#deps;
    if (this.#isOver || !isHere(leader)) return;
    const began = { atMs: elapsed(), led: groups.ledBy(leader) };
    try {
      const { apart, works, isUnsure, isMoving } = await pass(leader, this.#pairs);
      this.#apart.set(leader, apart);
      this.#failures.delete(leader);
      this.#last.set(leader, { ...began, works, isOpen: isUnsure || isMoving });
      if (isUnsure) void waitFor(AGAIN_MS, NOT_WOKEN).then(() => this.#soon(leader));
    } catch (error) {
      this.#noteFailure(leader, error);
    }
  }

  /** What was apart before tells nothing of now: no drift is held back by it. */
  #noteFailure(leader: AccountId, error: unknown): void {
    const failures = (this.#failures.get(leader) ?? 0) + 1;
    this.#forget(leader);
    this.#failures.set(leader, failures);
    const isTold = failures === TOLD_AFTER_FAILURES || !(error instanceof BrokerReadError);
    if (isTold) this.#deps.onError(error, leader);
  }
}
