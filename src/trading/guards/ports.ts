import type { AccountId, UserId } from "../../domain/ids.ts";
import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";

export interface LimitStore {
  readonly limits: (account: AccountId) => Promise<Partial<AccountLimits>>;
  readonly changeLimits: (account: AccountId, change: Partial<AccountLimits>) => Promise<void>;
  /**
   * The same in one step with the look at what stands, which is the default where nothing was set:
   * false, and nothing is changed, where any of it would become looser.
   */
  readonly tightenLimits: (
    account: AccountId,
    change: Partial<AccountLimits>,
    defaults: AccountLimits,
  ) => Promise<boolean>;
  readonly killSwitch: (target: KillTarget) => Promise<KillSwitch>;
  /** Those of accounts, in their order. */
  readonly killSwitches: (
    accounts: readonly AccountId[],
  ) => Promise<readonly (KillSwitch & { readonly accountId: AccountId })[]>;
  /** A user's, as it holds on every account: a change that broke off halfway is completed first. */
  readonly settledKillSwitch: (user: UserId) => Promise<KillSwitch>;
  /** Once it is answered it holds for the next order of every account. Throws `StoreError`. */
  readonly setKillSwitch: (
    target: KillTarget,
    active: boolean,
    reason: string | undefined,
  ) => Promise<void>;
}

/** One account, or everything of one user. */
export type KillTarget = { readonly accountId: AccountId } | { readonly userId: UserId };
