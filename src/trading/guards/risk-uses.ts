import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { Caller } from "../people/caller.ts";

/** The kill switch of a user's every account, and of single accounts. */
export interface KillSwitchView extends KillSwitch {
  readonly accounts: readonly (KillSwitch & { readonly accountId: AccountId })[];
}

/** The limits of accounts, and the kill switch. */
export interface RiskUses {
  readonly readLimits: (caller: Caller, account: AccountId) => Promise<AccountLimits>;
  readonly changeLimits: (
    caller: Caller,
    account: AccountId,
    change: Partial<AccountLimits>,
  ) => Promise<AccountLimits>;
  readonly readKillSwitch: (caller: Caller) => Promise<KillSwitchView>;
  readonly changeKillSwitch: (
    caller: Caller,
    change: {
      readonly active: boolean;
      readonly accountId?: AccountId;
      readonly reason?: string;
    },
  ) => Promise<KillSwitchView>;
}
