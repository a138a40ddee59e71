import type { AccountId, IntentId } from "../../domain/ids.ts";
import type { Page } from "./page-cursor.ts";
import type { Fill, WorkingOrder } from "../../domain/order.ts";
import type { Caller } from "../people/caller.ts";
import type { Overview, Standing } from "./overview.ts";
import type { Holding } from "./read-holdings.ts";
import type { IntentRecord } from "../../domain/intent.ts";
import type { AccountView } from "../connections/ports.ts";
import type { AsOf } from "./ports.ts";

/** Which accounts of the caller, in the order of their ids. */
export interface AccountsRequest {
  readonly limit: number;
  /** `nextCursor` of the page before. */
  readonly cursor?: string;
}

/** Which trades of an account, newest first. */
export interface TradesRequest {
  readonly limit: number;
  /** `nextCursor` of the page before; it holds for the same filters only. */
  readonly cursor?: string;
  /** Unix ms by the broker's clock: trades at `fromAt` are included, those at `beforeAt` are not. */
  readonly fromAt?: number;
  readonly beforeAt?: number;
  /** A full contract stands for itself, every other form for all months of its root. */
  readonly symbol?: string;
}

export interface TradesPage extends Page<Fill> {
  /** Older trades may have made room for newer ones; absent while all are kept. */
  readonly keptSinceAt?: number;
}

/** What callers may read of their accounts. */
export interface AccountReads {
  /** Whether the money on the caller's accounts is safe now. */
  readonly readStanding: (caller: Caller) => Promise<Standing>;
  /** The same, with how the caller's alerts went. */
  readonly readOverview: (caller: Caller) => Promise<Overview>;
  readonly listAccounts: (caller: Caller, request: AccountsRequest) => Promise<Page<AccountView>>;
  readonly readPositions: (caller: Caller, account: AccountId) => Promise<AsOf<readonly Holding[]>>;
  readonly readTrades: (
    caller: Caller,
    account: AccountId,
    request: TradesRequest,
  ) => Promise<TradesPage>;
  readonly readWorkingOrders: (
    caller: Caller,
    account: AccountId,
  ) => Promise<readonly WorkingOrder[]>;
  readonly findIntent: (
    caller: Caller,
    account: AccountId,
    intent: IntentId,
  ) => Promise<IntentRecord>;
  readonly listUnsettledIntents: (
    caller: Caller,
    account: AccountId,
  ) => Promise<readonly IntentRecord[]>;
}
