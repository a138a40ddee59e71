import { ByAccount } from "../../../domain/by-account.ts";
import type { AccountId, ExecId } from "../../../domain/ids.ts";
import type { Fill } from "../../../domain/order.ts";
import {
  type Broker,
  type BrokerPosition,
  BrokerReadError,
  type ReportListener,
  type WaitFor,
} from "../../ports.ts";
import {
  type AccountViews,
  FEW_FILLS,
  type PositionReading,
  type RecordedFills,
} from "../../reads/ports.ts";

/** The broker of an account, and in which epoch this process owns their connection. */
export interface AccountBroker {
  readonly broker: Broker;
  readonly epoch: number;
}

export interface AccountProjectorDeps {
  readonly views: Pick<AccountViews, "recordFills">;
  /** Undefined while the account is not owned here. */
  readonly brokerOf: (account: AccountId) => AccountBroker | undefined;
  readonly waitFor: WaitFor;
  /** Fills were recorded that were not known before, or counted otherwise. Must not throw. */
  readonly onNews: (account: AccountId) => void;
  /** A fill that had counted was taken back, or is another one now. Must not throw. */
  readonly onCorrected: (account: AccountId, fill: Fill) => void;
  readonly onError: (error: unknown, account: AccountId) => void;
}

/** What one write brought into the read model. */
export interface Projection {
  /** The fills that were not known before, and those that had counted otherwise. */
  readonly news: readonly ExecId[];
  readonly positions: readonly BrokerPosition[];
  /** How many of them were not reported. */
  readonly missedFills: number;
}

/** How long an answer waits for the read model; the outcome itself never depends on it. */
const PATIENCE_MS = 500;
const RETRY_MS = 1_000;
const MOST_REMEMBERED = 1_000;

type Attempt =
  | { readonly kind: "written"; readonly projection: Projection }
  | { readonly kind: "failed"; readonly error: unknown };

/** How far a write has come. */
interface Stage {
  /** What is sent to the store from now on comes after it. */
  isSent: boolean;
}

interface Refreshing {
  /** The write under way. Never rejects. */
  readonly running: Promise<Attempt>;
  readonly stage: Stage;
  /** The one after it, for what happened meanwhile: shared by all who ask until it starts. */
  next?: Promise<Attempt>;
}

/** What the next write is to bring. */
interface Pending {
  readonly fills: Fill[];
  /** Those of them that were reported. */
  readonly reported: Set<ExecId>;
}

/**
 * Keeps the read model of positions and fills in step with the broker's reports. Writes of one
 * account follow one another, so that an older position never covers a newer one; a burst of reports
 * costs two writes and not one each; and a write that failed is tried again.
 */
export class AccountProjector {
  readonly #deps: AccountProjectorDeps;
  readonly #refreshing = new ByAccount<Refreshing>();
  readonly #pending = new ByAccount<Pending>();
  /** Fills that are in the store, oldest first: what is read again is not written again. */
  readonly #recorded = new Map<AccountId, Map<ExecId, Fill>>();
  /** Accounts whose write failed and waits to be tried again: once, however many fail meanwhile. */
  readonly #retrying = new Set<AccountId>();

  constructor(deps: AccountProjectorDeps) {
    this.#deps = deps;
  }

  readonly onReport: ReportListener = (account, { fill }) => {
    if (fill === undefined) return;
    const { fills, reported } = this.#pendingOf(account);
    fills.push(fill);
    reported.add(fill.execId);
    void this.#refresh(account);
  };

  /** Resolves once everything that was reported before this call is written, or after a while. */
  async upToDate(account: AccountId): Promise<void> {
    const current = this.#refreshing.get(account);
    if (current === undefined) return;
    const written = current.next ?? current.running;
    await this.#deps.waitFor(PATIENCE_MS, (wake) => void written.then(wake));
  }

  /**
   * Whether everything that was reported before this call has left for the store, so that what is sent
   * there after it finds it written.
   */
  hasSent(account: AccountId): boolean {
    const current = this.#refreshing.get(account);
    return current === undefined || (current.next === undefined && current.stage.isSent);
  }

  /** Whether nothing that was reported waits to be written, or to be written again. */
  hasStored(account: AccountId): boolean {
    const pending = this.#pending.get(account);
    return (
      this.#refreshing.get(account) === undefined &&
      !this.#retrying.has(account) &&
      (pending === undefined || pending.fills.length === 0)
    );
  }

  /** The store may have been set back: what is in it is not known any more. */
  forget(): void {
    this.#recorded.clear();
  }

  /**
   * Writes fills that were read from the broker, and the positions as they are after that. Throws
   * when the broker could not be read or the store could not be written.
   */
  async project(account: AccountId, fills: readonly Fill[]): Promise<Projection> {
    this.#pendingOf(account).fills.push(...fills);
    const attempt = await this.#refresh(account);
    if (attempt.kind === "failed") throw attempt.error;
    return attempt.projection;
  }

  #pendingOf(account: AccountId): Pending {
    const known = this.#pending.get(account);
    if (known !== undefined) return known;
    const pending = { fills: [], reported: new Set<ExecId>() };
    this.#pending.set(account, pending);
    return pending;
  }

  #refresh(account: AccountId): Promise<Attempt> {
    const current = this.#refreshing.get(account);
    if (current === undefined) return this.#start(account);
    current.next ??= current.running.then(() => this.#start(account));
    return current.next;
  }

  async #start(account: AccountId): Promise<Attempt> {
    const stage: Stage = { isSent: false };
    const refreshing: Refreshing = { stage, running: this.#attempt(account, stage) };
    this.#refreshing.set(account, refreshing);
    const attempt = await refreshing.running;
    if (refreshing.next === undefined && this.#refreshing.get(account) === refreshing) {
      this.#refreshing.clear(account);
    }
    return attempt;
  }

  async #attempt(account: AccountId, stage: Stage): Promise<Attempt> {
    const pending = this.#pendingOf(account);
    this.#pending.clear(account);
    try {
      return { kind: "written", projection: await this.#write(account, pending, stage) };
    } catch (error) {
      // The caller of a write gets the failure and tries again; a report comes only once. What is
      // not owned here any more is read anew by its next owner.
      const isOwned = this.#deps.brokerOf(account) !== undefined;
      if (isOwned && pending.reported.size > 0) this.#writeLater(account, pending, error);
      return { kind: "failed", error };
    }
  }

  #writeLater(account: AccountId, { fills, reported }: Pending, error: unknown): void {
    const next = this.#pendingOf(account);
    next.fills.unshift(...fills.filter(({ execId }) => reported.has(execId)));
    for (const id of reported) next.reported.add(id);
    this.#retryLater(account, error);
  }

  #retryLater(account: AccountId, error: unknown): void {
    const { onError, waitFor } = this.#deps;
    onError(error, account);
    if (this.#retrying.has(account)) return;
    this.#retrying.add(account);
    void waitFor(RETRY_MS, () => undefined).then(() => {
      this.#retrying.delete(account);
      return this.#refresh(account);
    });
  }

  /** A broker that cannot show its positions does not keep a fill from being written. */
  async #write(
    account: AccountId,
    { fills: all, reported }: Pending,
    stage: Stage,
  ): Promise<Projection> {
    const known = this.#recorded.get(account);
    const fills = known === undefined ? all : all.filter((fill) => isNews(fill, known));
    let read: PositionReading;
    try {
      const owned = this.#deps.brokerOf(account);
      if (owned === undefined) throw new BrokerReadError(`${account} is not owned here`);
      read = { positions: await owned.broker.positions(account), epoch: owned.epoch };
    } catch (error) {
      if (fills.length > 0) await this.#record(account, fills, undefined);
      throw error;
    }
    const recording = this.#record(account, fills, read);
    stage.isSent = fills.length <= FEW_FILLS;
    const { added, corrected } = await recording;
    const missed = added.filter((id) => !reported.has(id));
    const news = [...added, ...corrected];
    return { news, positions: read.positions, missedFills: missed.length };
  }

  async #record(
    account: AccountId,
    fills: readonly Fill[],
    read: PositionReading | undefined,
  ): Promise<RecordedFills> {
    const recorded = await this.#deps.views.recordFills(account, fills, read);
    this.#remember(account, fills);
    const { added, corrected } = recorded;
    if (added.length + corrected.length > 0) this.#deps.onNews(account);
    for (const id of corrected) {
      const fill = fills.findLast(({ execId }) => execId === id);
      if (fill !== undefined) this.#deps.onCorrected(account, fill);
    }
    return recorded;
  }

  #remember(account: AccountId, fills: readonly Fill[]): void {
    if (fills.length === 0) return;
    const recorded = this.#recorded.get(account) ?? new Map<ExecId, Fill>();
    this.#recorded.set(account, recorded);
    for (const fill of fills) recorded.set(fill.execId, fill);
    for (const oldest of recorded.keys()) {
      if (recorded.size <= MOST_REMEMBERED) return;
      recorded.delete(oldest);
    }
  }
}

/** Its cost and its order's name may become known later, and the fill itself may be corrected. */
function isNews(fill: Fill, known: ReadonlyMap<ExecId, Fill>): boolean {
  const before = known.get(fill.execId);
  if (before === undefined) return true;
  const { fee = before.fee, clOrdId = before.clOrdId, side, lastQty, lastPx, takenBack } = fill;
  return (
    clOrdId !== before.clOrdId ||
    fee !== before.fee ||
    side !== before.side ||
    lastQty !== before.lastQty ||
    lastPx !== before.lastPx ||
    takenBack !== before.takenBack
  );
}
