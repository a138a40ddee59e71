import { setTimeout as sleep } from "node:timers/promises";
import type { ConnectionWhy } from "../domain/connection-status.ts";
import type { ConnectionId, UserId } from "../domain/ids.ts";
import type { Owned, OwnedConnection, Ownership, ReportListener } from "../trading/ports.ts";
import type { BrokerAdapter } from "./broker-adapter.ts";
import type { ConnectionSupervisor } from "./connection-supervisor.ts";
import { type ConnectionShare, ConnectionTurn } from "./connection-turn.ts";
import { clock, OwnedLease } from "./owned-lease.ts";
import { FirstLogin } from "./first-login.ts";
import { createOwnedSupervisor, type Opened, type SupervisedDeps } from "./owned-supervisor.ts";
import { OwnedSession } from "./owned-session.ts";
import { UnfitHereError } from "./session-errors.ts";

/** A connection that can be owned, and how its adapter is made. */
export interface ConnectionPlan {
  readonly connectionId: ConnectionId;
  /** Its user; by default the appliance's first one. */
  readonly userId?: UserId;
  /** Raised when its session must start over with a new adapter from `open`. */
  readonly version?: number;
  /**
   * Called each time ownership begins: nothing of an earlier session is left. Undefined when the
   * connection is not wanted any more although its plan is still here. Throws `UnfitHereError` where
   * only this process cannot open it.
   */
  readonly open: (
    ownership: Ownership,
  ) => BrokerAdapter | undefined | Promise<BrokerAdapter | undefined>;
}

export interface ConnectionOwnerDeps extends SupervisedDeps {
  readonly share: ConnectionShare;
  /** Runs once each time ownership ends. */
  readonly onEnded: () => void;
  /** Runs once each time ownership begins, before any lane works; resolves with its undo function. */
  readonly onOwned: (connection: ConnectionId, ownership: Ownership) => Promise<() => void>;
  /** Runs once each time ownership begins, after the adapter is made and before its first session. */
  readonly onOpened: (adapter: BrokerAdapter, owned: Owned) => Promise<void>;
  /** Runs when the plan is gone, while the session and its lanes still run. */
  readonly onResting?: (connection: ConnectionId) => Promise<void>;
  /** Runs before a session ends because its plan has changed: the lanes finish what they have begun. */
  readonly onLeaving?: (connection: ConnectionId) => Promise<void>;
  readonly onReport: ReportListener;
  /** A session that does not end within this is abandoned: its lease is not ours any more. */
  readonly stopWithinMs?: number;
  /** Where no login succeeds within this, another process may try. */
  readonly connectWithinMs?: number;
}

/** The pause after a failure, which would most likely happen again at once. */
const AFTER_FAILURE_MS = 2_000;
/** Of a connection that was taken over: a few logins. */
const CONNECT_WITHIN_MS = 25_000;
const STOP_WITHIN_MS = 10_000;
/** An intent that is not finished within this is looked up in the next session; a stop gives more. */
const LEAVE_WITHIN_MS = 5_000;

const TAKING_OVER: ConnectionWhy = { reason: "A process of the gateway is taking it over" };

interface Member {
  readonly adapter: BrokerAdapter;
  readonly supervisor: ConnectionSupervisor;
  readonly lease: OwnedLease;
  readonly owned: OwnedConnection;
}

/**
 * Owns one connection while there is a plan for it: takes its lease when that is free, keeps its session
 * up while the lease is owned, and ends both as soon as another process may own it. A changed plan
 * ends the session in order; the next session follows the new plan.
 */
export class ConnectionOwner {
  readonly #deps: ConnectionOwnerDeps;
  readonly #stop = new AbortController();
  readonly #stopped: Promise<void>;
  readonly #turn: ConnectionTurn;
  #loop: Promise<void> | undefined;
  #member: Member | undefined;
  #plan: ConnectionPlan | undefined;
  /** It has gone while the lease was not owned: what waits on its lanes has to be ended yet. */
  #unrested: ConnectionPlan | undefined;
  #isResting = true;
  #isLeaving = false;
  /** Whether what waits on the lanes was ended, since this ownership began. */
  #hasRested = false;
  #leaveWithinMs = LEAVE_WITHIN_MS;
  #isHandedOver = false;
  #hold: ConnectionOwner["hold"] = "none";
  #replan: () => void = () => undefined;
  #replanned: Promise<void> = Promise.resolve();
  #retries = 0;

  constructor(deps: ConnectionOwnerDeps) {
    this.#deps = deps;
    this.#turn = new ConnectionTurn(deps);
    const { signal } = this.#stop;
    this.#stopped = new Promise((resolve) => {
      signal.addEventListener("abort", () => resolve(), { once: true });
    });
  }

  get connectionId(): ConnectionId {
    return this.#deps.connectionId;
  }

  /** Whether there is no plan, and nothing of an earlier one is left. */
  get isResting(): boolean {
    return this.#plan === undefined && this.#isResting;
  }

  /** Whether its session is ending: nothing new is begun on it. */
  get isLeaving(): boolean {
    return this.#isLeaving;
  }

  /** Whether this process holds its lease, or is just trying to take it. */
  get hold(): "none" | "tried" | "held" {
    return this.#hold;
  }

  /** Undefined while another process owns it, or nobody. */
  get owned(): OwnedConnection | undefined {
    return this.#member?.owned;
  }

  /** Sessions of this process that broke or could not begin, and were retried. */
  get retries(): number {
    return this.#retries;
  }

  /**
   * Unix ms; undefined while another process owns it, before the broker's first message, and where the
   * adapter gets no heartbeats: the time of its last report would look like a silent broker.
   */
  get lastMessageAt(): number | undefined {
    const at = this.#member?.adapter.lastMessageAt?.();
    return at === undefined ? undefined : Date.now() - (performance.now() - at);
  }

  start(): void {
    this.#loop ??= this.#run();
  }

  /** Sets the plan to follow; undefined for none. The same version changes nothing. */
  follow(plan: ConnectionPlan | undefined): void {
    const isSame = (plan === undefined) === (this.#plan === undefined);
    if (isSame && plan?.version === this.#plan?.version) return;
    this.#plan = plan;
    if (plan !== undefined) this.#unrested = undefined;
    this.#replan();
    this.#turn.wake();
  }

  /** Ends its session in order, and leaves it to who comes first for it. */
  handOver(): void {
    if (this.#member === undefined) return;
    this.#isHandedOver = true;
    this.#replan();
  }

  /** The lease may be free, or a person may have acted: checks now. */
  look(): void {
    this.#turn.wake();
    this.#member?.supervisor.look();
  }

  /** The store was away: what is kept there is compared with the broker once more. */
  resync(): void {
    this.#member?.supervisor.resync();
  }

  /** Its lanes may take so long for what they have begun; then its session ends all the same. */
  async stop(withinMs = LEAVE_WITHIN_MS): Promise<void> {
    this.#leaveWithinMs = withinMs;
    this.#stop.abort();
    this.#turn.wake();
    await this.#loop;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stop;
    const isOver = () => signal.aborted || this.#plan === undefined;
    while (!signal.aborted) {
      if (!isOver()) await this.#turn.comes(isOver);
      if (signal.aborted) return;
      const plan = this.#plan ?? this.#unrested;
      this.#isResting = plan === undefined;
      const lease = plan && this.#deps.share.hasRoom() ? await this.#take() : undefined;
      if (plan !== undefined && lease !== undefined) await this.#own(plan, lease);
      if (lease === undefined || this.#unrested !== undefined) await this.#turn.pause();
    }
  }

  async #take(): Promise<OwnedLease | undefined> {
    const { connectionId: connection, leases, onError } = this.#deps;
    const since = clock();
    this.#hold = "tried";
    try {
      const epoch = await leases.takeOrRenew(connection, "CONNECTING", TAKING_OVER);
      this.#hold = epoch === undefined ? "none" : "held";
      if (epoch === undefined) return undefined;
      const status = () => this.#member?.supervisor.status ?? "CONNECTING";
      const why = () => (this.#member === undefined ? TAKING_OVER : this.#member.supervisor.why);
      return new OwnedLease({ connection, epoch, since, leases, status, why });
    } catch (error) {
      this.#hold = "none";
      onError(connection, error);
      return undefined;
    }
  }

  async #own(plan: ConnectionPlan, lease: OwnedLease): Promise<void> {
    const { onOwned, onOpened, onEnded, onError } = this.#deps;
    const { connectionId } = this;
    const owned = { connectionId, userId: plan.userId, ownership: lease };
    let undo: (() => void) | undefined;
    let hasFailed = false;
    this.#hasRested = false;
    this.#replanned = new Promise((resolve) => (this.#replan = resolve));
    // It may have changed while the lease was taken.
    if (this.#plan !== plan) this.#replan();
    try {
      undo = await onOwned(connectionId, lease);
      const opened = await this.#open(plan, lease);
      if (opened === undefined) await this.#leaveUnwanted(plan, lease);
      // The store has a newer plan for it: what waits on its lanes is for the next session.
      else if (plan === this.#unrested) this.#hasRested = true;
      else if (!this.#stop.signal.aborted) {
        await onOpened(opened.adapter, owned);
        await this.#keepSession(opened, lease, owned);
      }
    } catch (error) {
      hasFailed = true;
      onError(connectionId, error);
    } finally {
      undo?.();
      lease.drop();
      this.#isLeaving = false;
      this.#hold = "none";
      onEnded();
    }
    this.#unrested = this.#mustRest ? plan : undefined;
    // A process that fails to take it over leaves it to another one, which may succeed.
    const isOver = this.#stop.signal.aborted || this.#plan !== plan || this.#isHandedOver;
    this.#isHandedOver = false;
    if (hasFailed) this.#deps.share.noteFailure();
    if (hasFailed || isOver) await this.#release();
    else await this.#deps.leases.announce(connectionId).catch(() => undefined);
    if (hasFailed) await this.#pauseAfterFailure();
  }

  /** Not ended by a look: the release is announced here as well. */
  async #pauseAfterFailure(): Promise<void> {
    const ms = AFTER_FAILURE_MS * (0.5 + Math.random());
    await Promise.race([sleep(ms, undefined, { ref: false }), this.#stopped, this.#replanned]);
  }

  /** Where no process can open it, what stands in shows why. */
  async #open(plan: ConnectionPlan, lease: OwnedLease): Promise<Opened | undefined> {
    const { share, onError } = this.#deps;
    try {
      const adapter = await plan.open(lease);
      return adapter && { adapter, unfit: undefined };
    } catch (error) {
      if (!(error instanceof UnfitHereError) || share.othersMay()) throw error;
      onError(this.connectionId, error);
      return { adapter: error.standIn, unfit: error.message };
    }
  }

  /** Runs until the lease is lost, the plan changes or the process stops. */
  async #keepSession(opened: Opened, lease: OwnedLease, owned: Owned): Promise<void> {
    const { adapter } = opened;
    const { supervisor, login } = this.#supervise(opened, lease, owned);
    const unsubscribe = adapter.onReport(this.#deps.onReport);
    const session = new OwnedSession(adapter, lease, supervisor);
    this.#member = { adapter, supervisor, lease, owned: session };
    supervisor.start();
    await Promise.race([lease.lost, this.#stopped, this.#replanned]);
    login.end();
    await this.#leave(lease);
    await this.#endSession(supervisor);
    // The plan may have gone while the session was ending.
    if (this.#mustRest) await this.#leave(lease);
    unsubscribe();
    this.#member = undefined;
  }

  #supervise(opened: Opened, lease: OwnedLease, owned: Owned) {
    const { share, connectWithinMs: withinMs = CONNECT_WITHIN_MS } = this.#deps;
    const isUnfit = opened.unfit !== undefined;
    const login = new FirstLogin({ share, isUnfit, status: () => supervisor.status, withinMs });
    const supervisor: ConnectionSupervisor = createOwnedSupervisor(opened, {
      ...this.#deps,
      lease,
      owned,
      isPresent: () => this.#member?.lease === lease,
      isWanted: () => this.#plan !== undefined && !this.#hasRested,
      onConnected: () => login.connected(),
      onRetry: () => {
        this.#retries += 1;
        login.failed();
      },
    });
    return { supervisor, login };
  }

  async #endSession(supervisor: ConnectionSupervisor): Promise<void> {
    const { onStatus, onError, stopWithinMs = STOP_WITHIN_MS } = this.#deps;
    const late = sleep(stopWithinMs, "late", { ref: false });
    if ((await Promise.race([supervisor.stop(), late])) !== "late") return;
    onError(this.connectionId, new Error("The session does not end; it is left behind"));
    // The session's own status change would come too late, and is ignored from here on.
    onStatus(this.connectionId, "DISCONNECTED");
  }

  /** The connection is not wanted any more, though its plan has not been removed yet. */
  async #leaveUnwanted(plan: ConnectionPlan, lease: OwnedLease): Promise<void> {
    if (this.#plan === plan) this.#plan = undefined;
    await this.#leave(lease);
  }

  /**
   * Lets the lanes finish what they have begun. Where the plan is gone, or goes meanwhile, they end what
   * waits first: no later owner would. A process that is stopped for seconds has lost its lease by
   * then, and takes it once more for that.
   */
  async #leave(lease: OwnedLease): Promise<void> {
    const { onResting, onLeaving, onError, leases } = this.#deps;
    const { connectionId } = this;
    if (!lease.isOwned()) return;
    try {
      do {
        if (this.#mustRest) {
          this.#hasRested = true;
          this.#isLeaving = false;
          await this.#inTime(lease, onResting?.(connectionId));
        }
        this.#isLeaving = true;
        await this.#inTime(lease, onLeaving?.(connectionId));
      } while (this.#mustRest);
      if (this.#hasRested && lease.isOwned()) await leases.forget(connectionId);
    } catch (error) {
      this.#isLeaving = true;
      onError(connectionId, error);
    }
  }

  get #mustRest(): boolean {
    return this.#plan === undefined && !this.#hasRested;
  }

  async #inTime(lease: OwnedLease, work: Promise<void> | undefined): Promise<void> {
    const late = sleep(this.#leaveWithinMs, undefined, { ref: false });
    await Promise.race([work, late, lease.lost]);
  }

  async #release(): Promise<void> {
    const { leases, onError } = this.#deps;
    await leases
      .release(this.connectionId)
      .catch((error: unknown) => onError(this.connectionId, error));
  }
}
