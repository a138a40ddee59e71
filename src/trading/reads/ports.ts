import type { AccountId, ClOrdId, ConnectionId, ExecId } from "../../domain/ids.ts";
import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { BrokerPosition } from "../ports.ts";
import type { Fill } from "../../domain/order.ts";
import type { FillQuery, FillsRead } from "./fill-pages.ts";
import type { Holdings, Quantities } from "../../domain/holdings.ts";

/** So many are recorded with one command, which `recordFills` sends in the call itself. */
export const FEW_FILLS = 50;

/** What is shown of accounts, kept by the owner of their connection. */
export interface AccountViews {
  readonly saveAccounts: (
    connection: ConnectionId,
    accounts: readonly StoredAccount[],
  ) => Promise<void>;
  readonly accounts: () => Promise<readonly StoredAccount[]>;
  readonly positions: (
    account: AccountId,
  ) => Promise<Omit<AsOf<readonly BrokerPosition[]>, "live">>;
  /**
   * Adds fills, each exactly once however often it is given, and writes the positions with the time
   * of the broker's word; undefined leaves those as they are, and so does a newer owner of the
   * account. Any owner's fill is recorded. One that is known counts as it was given last, and one that was
   * taken back stays so.
   */
  readonly recordFills: (
    account: AccountId,
    fills: readonly Fill[],
    read: PositionReading | undefined,
  ) => Promise<RecordedFills>;
  /** Newest first; of one instant, by their ids' bytes backwards. */
  readonly fills: (account: AccountId, query: FillQuery) => Promise<FillsRead>;
  /** What the account's fills and its base add up to. */
  readonly holdings: (account: AccountId) => Promise<KnownHoldings>;
  /**
   * Writes what is given of the base and of `reconciledUpTo`, and leaves the rest as it is. Does
   * nothing when the account has a newer owner.
   */
  readonly saveBase: (account: AccountId, change: BaseChange) => Promise<void>;
}

/** Changes that recording fills has made. */
export interface RecordedFills {
  /** Were not known, and count. */
  readonly added: readonly ExecId[];
  /** The entries whose contracts they close before others, where their intents name them, new or not. */
  readonly closes: ReadonlyMap<ExecId, readonly ClOrdId[]>;
  /** Had counted, and do no more, or otherwise. */
  readonly corrected: readonly ExecId[];
}

export interface KnownHoldings extends Holdings {
  /**
   * Every fill up to this instant (Unix ms by the broker's clock) is recorded; undefined while the
   * account was never reconciled.
   */
  readonly reconciledUpTo: number | undefined;
}

/** Positions as an owner has read them. */
export interface PositionReading {
  readonly positions: readonly BrokerPosition[];
  /** The owner's epoch when it read them: a write that comes late must not cover a newer owner's. */
  readonly epoch: number;
}

export interface BaseChange {
  /** The owner's, when it read what the change follows from. */
  readonly epoch: number;
  readonly reconciledUpTo?: number;
  /** Contracts by their new quantity. */
  readonly base: Quantities;
  /** What the broker holds them at: an estimate of what they were traded at. */
  readonly prices?: ReadonlyMap<ContractCode, Pick<BrokerPosition, "avgPx" | "terms">>;
}

/** A read model's content with the instant (Unix ms) of the broker's last word on it. */
export interface AsOf<Value> {
  readonly value: Value;
  readonly asOf: number;
  /** False when the connection is down, or its broker shows nothing of it: the content may be old. */
  readonly live: boolean;
}
