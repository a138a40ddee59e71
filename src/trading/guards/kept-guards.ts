import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import type { Closing } from "./close-account.ts";
import type { StoredGuards } from "./guard-store.ts";
import { GuardedAccount, type GuardedAccountDeps, type Unstored } from "./guarded-account.ts";
import type { Heard } from "./read-facts.ts";
import type { CalendarsByName } from "./schedules.ts";

/** What this process knows of a guarded account that it owns. */
export interface Kept {
  readonly account: GuardedAccount;
  readonly epoch: number;
  book: AccountBook | undefined;
  working: readonly OrderReport[] | undefined;
  balances: readonly BrokerBalance[];
  brokerGuards: BrokerGuards | undefined;
  others: Heard["others"];
  calendars: CalendarsByName;
  /** Something was reported since these were read. */
  isBehind: boolean;
  /** Something that only time brings is read anew now and then. */
  readAt: number;
  isQueued: boolean;
  /** When it was judged last before it was read, Unix ms; 0 where it never was. */
  readonly judgedUntil: number;
  /** What was missed while nobody looked, as it was found once. */
  missed: readonly Closing[] | undefined;
  closings: readonly Closing[];
  readonly told: Set<string>;
  writing: Promise<void> | undefined;
}

export function newKept(
  id: AccountId,
  stored: StoredGuards,
  {
    epoch,
    balances,
    judgedAt = 0,
    unstored,
    deps,
  }: {
    readonly epoch: number;
    readonly balances: readonly BrokerBalance[];
    /** When this process judged it last, Unix ms. */
    readonly judgedAt: number | undefined;
    readonly unstored: Unstored | undefined;
    readonly deps: GuardedAccountDeps;
  },
): Kept {
  return {
    account: new GuardedAccount(id, stored, unstored, deps),
    epoch,
    book: undefined,
    working: undefined,
    balances,
    brokerGuards: undefined,
    others: new Map(),
    calendars: new Map(),
    isBehind: true,
    readAt: -Infinity,
    isQueued: false,
    judgedUntil: Math.max(stored.state?.judgedAt ?? 0, judgedAt),
    missed: undefined,
    closings: [],
    told: new Set(),
    writing: undefined,
  };
}
