import type { AccountGroup } from "../../domain/account-groups/account-group.ts";
import type { AccountGroupId, AccountId } from "../../domain/ids.ts";
import type { SizeTicket } from "../../domain/order-handling.ts";
import type { OrderTicket } from "../../domain/order-ticket.ts";
import type { GatewayError } from "../../errors.ts";
import type { CallersKey, Settled } from "../orders/order-uses.ts";
import type { Caller } from "../people/caller.ts";

/** What a user sets of one account of a group; what is left out is what the gateway does by itself. */
export interface MemberRequest {
  readonly accountId: AccountId;
  readonly enabled?: boolean;
  /** A decimal as text. At most one of it, `fixedQty` and `size`; without any it is 1. */
  readonly multiplier?: string;
  /** Contracts. */
  readonly fixedQty?: number;
  readonly size?: SizeTicket;
  /** Roots, in any case. */
  readonly symbolMap?: Readonly<Record<string, string>>;
}

/** What became of what one account of a group was asked for. */
export type MemberAnswer =
  | { readonly accountId: AccountId; readonly settled: Settled }
  | { readonly accountId: AccountId; readonly error: GatewayError };

/** What callers may do with their account groups. */
export interface AccountGroupUses {
  readonly listAccountGroups: (caller: Caller) => Promise<readonly AccountGroup[]>;
  readonly findAccountGroup: (caller: Caller, group: AccountGroupId) => Promise<AccountGroup>;
  /** Throws COPIED_TWICE where one of its accounts follows another one of them by copying. */
  readonly createAccountGroup: (
    caller: Caller,
    request: { readonly name: string; readonly members: readonly MemberRequest[] },
  ) => Promise<AccountGroup>;
  /** `members` are all of them anew. */
  readonly changeAccountGroup: (
    caller: Caller,
    group: AccountGroupId,
    change: { readonly name?: string; readonly members?: readonly MemberRequest[] },
  ) => Promise<AccountGroup>;
  /** Throws ACCOUNT_GROUP_IN_USE while webhooks send their alerts to it. */
  readonly deleteAccountGroup: (caller: Caller, group: AccountGroupId) => Promise<void>;
  /**
   * One order for each account that is on, side by side. Throws what is wrong with it for any of them
   * before anything is sent; what one account refuses is its own answer.
   */
  readonly placeGroupOrder: (
    caller: Caller,
    group: AccountGroupId,
    ticket: OrderTicket,
    idempotency?: CallersKey,
  ) => Promise<readonly MemberAnswer[]>;
  /** As `flattenAccount`, of each account that is on; none waits for another one. */
  readonly flattenGroup: (
    caller: Caller,
    group: AccountGroupId,
    symbol?: string,
    idempotency?: CallersKey,
  ) => Promise<readonly MemberAnswer[]>;
}
