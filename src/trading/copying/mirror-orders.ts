import type { ContractCode } from "../../domain/contract.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { ExecutionReport } from "../../domain/order.ts";
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
}

interface Passing {
  /** Never rejects. */
  readonly running: Promise<void>;
  /** The one after it: shared by all who ask until it starts. */
  next?: Promise<void>;
}

/** How often one leader is compared with its followers at most. */
const SPACING_MS = 100;
/** Long enough for what is seen twice to be believed. */
const AGAIN_MS = 350;
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
  #pairs: readonly MirrorPair[] = [];
  #isOver = false;

  constructor(deps: MirrorOrdersDeps) {
    this.#deps = deps;
  }

  /** Something was told of an order of any account. Never fails. */
  readonly onReport = (account: AccountId, report: ExecutionReport): void => {
    const { groups, leaderOrders } = this.#deps;
    const led = groups.ledBy(account);
    if (led.length === 0) return;
    leaderOrders.hear(account, report);
    if (led.some(({ mode }) => mode === "orders")) void this.#soon(account);
  };

  /** One look at every leader; never fails. */
  async look(): Promise<void> {
    const { groups, mirrors, onError } = this.#deps;
    const mirroring = [...groups.leaders()].filter((leader) =>
      groups.ledBy(leader).some(({ mode }) => mode === "orders"),
    );
    try {
      this.#pairs = await mirrors.pairs();
    } catch (error) {
      for (const leader of mirroring) onError(error, leader);
      return;
    }
    const leaders = new Set([...mirroring, ...this.#pairs.map(({ leader }) => leader)]);
    for (const known of this.#apart.keys()) if (!leaders.has(known)) this.#apart.delete(known);
    await Promise.all([...leaders].map((leader) => this.#soon(leader)));
  }

  /**
   * Whether the follower's position differs from its target only because its orders and its leader's
   * fill at different times, by the last look.
   */
  isFilling(follower: AccountId, contract: ContractCode): boolean {
    return [...this.#apart.values()].some((apart) => apart.get(follower)?.has(contract) === true);
  }

  /** Resolves when what is under way has ended. */
  async stop(): Promise<void> {
    this.#isOver = true;
    await Promise.all([...this.#passes.values()].map(({ running, next }) => next ?? running));
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
    if (this.#isOver || !this.#deps.isHere(leader)) return;
    try {
      const { apart, isUnsure } = await this.#deps.pass(leader, this.#pairs);
      this.#apart.set(leader, apart);
      if (isUnsure) void this.#deps.waitFor(AGAIN_MS, NOT_WOKEN).then(() => this.#soon(leader));
    } catch (error) {
      if (!(error instanceof BrokerReadError)) this.#deps.onError(error, leader);
    }
  }
}
