import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { OrderReport } from "../../domain/order.ts";
import type { BrokerBalance, BrokerGuards } from "../money/ports.ts";
import type { Closing } from "./close-account.ts";
import type { GuardStore } from "./guard-store.ts";
import { GuardedAccount, type GuardedAccountDeps } from "./guarded-account.ts";
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
  /** What was missed while nobody looked, as it was found once. */
  missed: readonly Closing[] | undefined;
  closings: readonly Closing[];
  readonly told: Set<string>;
  writing: Promise<void> | undefined;
}

interface LoadGuardsDeps extends GuardedAccountDeps {
  readonly store: Pick<GuardStore, "load">;
  readonly balancesOf: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  readonly epochOf: (account: AccountId) => number | undefined;
}

/** As they are stored; `none` where there are none, undefined where the account is not owned here. */
export async function loadGuards(
  id: AccountId,
  deps: LoadGuardsDeps,
): Promise<Kept | "none" | undefined> {
  const { store, epochOf, balancesOf } = deps;
  const epoch = epochOf(id);
  if (epoch === undefined) return undefined;
  const stored = await store.load(id);
  if (stored === undefined) return "none";
  if (epochOf(id) !== epoch) return undefined;
  return {
    account: new GuardedAccount(id, stored, deps),
    epoch,
    book: undefined,
    working: undefined,
    balances: await balancesOf(id),
    brokerGuards: undefined,
    others: new Map(),
    calendars: new Map(),
    isBehind: true,
    readAt: -Infinity,
    isQueued: false,
    missed: undefined,
    closings: [],
    told: new Set(),
    writing: undefined,
  };
}
