import type { AccountId, IntentId, UserId } from "../../domain/ids.ts";
import type { AccountLimits } from "../../domain/limits.ts";
import { errors } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { SubmitIntent } from "../orders/submit-intent.ts";
import { mayLoosen } from "../people/caller.ts";
import type { KillSwitchView, RiskUses } from "./risk-uses.ts";
import type { KillTarget, LimitStore } from "./ports.ts";

type Switches = Pick<LimitStore, "settledKillSwitch" | "killSwitches">;

export interface ManageRiskDeps {
  readonly accounts: AccountDirectory;
  readonly limits: LimitStore;
  /** What the switches of all accounts are shown by. */
  readonly switches: Pick<LimitStore, "killSwitches">;
  readonly defaults: AccountLimits;
  readonly submit: SubmitIntent;
}

export interface KillSwitchChange {
  readonly userId: UserId;
  readonly requestId: string;
  readonly receivedAt: number;
  readonly active: boolean;
  readonly accountId?: AccountId;
  readonly reason?: string;
  /** How long to wait for each account's resting entries to be cancelled. */
  readonly waitMs: number;
}

const CANCEL_WITHIN_MS = 5_000;
/** While a connection is down, its entries are still to be cancelled once it is back. */
const CANCEL_AGE_MS = 24 * 3_600_000;

/** Limits and kill switches of one user's accounts ("Rules for money" 10). */
export function createRiskUses(deps: ManageRiskDeps): RiskUses {
  const { accounts, limits, switches, defaults } = deps;
  const limitsOf = async (account: AccountId) => ({
    entriesWithoutCancel: false,
    ...defaults,
    ...(await limits.limits(account)),
  });

  return {
    readLimits: async ({ userId }, account) => {
      await accounts.require(userId, account);
      return await limitsOf(account);
    },

    changeLimits: async (caller, account, change) => {
      await accounts.require(caller.userId, account);
      if (mayLoosen(caller)) await limits.changeLimits(account, change);
      else if (!(await limits.tightenLimits(account, change, defaults))) {
        throw errors.insufficientScope("manage", "Nothing was changed: raising a limit");
      }
      return await limitsOf(account);
    },

    readKillSwitch: async ({ userId }) => {
      const { killSwitches } = switches;
      // A change of the user's own that broke off is completed, which is more than a read.
      return await readKillSwitch({ accounts, limits: { ...limits, killSwitches } }, userId);
    },

    changeKillSwitch: async (caller, change) => {
      const { userId, requestId, receivedAt } = caller;
      if (change.accountId !== undefined) await accounts.require(userId, change.accountId);
      if (!change.active && !mayLoosen(caller)) {
        throw errors.insufficientScope("manage", "Switching the kill switch off");
      }
      return await setKillSwitch(deps, {
        ...change,
        userId,
        requestId,
        receivedAt,
        waitMs: CANCEL_WITHIN_MS,
      });
    },
  };
}

export async function readKillSwitch(
  { accounts, limits }: { readonly accounts: AccountDirectory; readonly limits: Switches },
  userId: UserId,
): Promise<KillSwitchView> {
  const ids = accounts.of(userId).map(({ accountId }) => accountId);
  const [whole, single] = await Promise.all([
    limits.settledKillSwitch(userId),
    limits.killSwitches(ids),
  ]);
  return { ...whole, accounts: single.filter(({ active }) => active) };
}

/**
 * Sets the switch first, so that nothing new gets past it, and then cancels resting entries on each
 * account's lane, behind what was accepted before. The switch of one account holds for each login that
 * reaches it.
 */
export async function setKillSwitch(
  deps: Omit<ManageRiskDeps, "defaults" | "switches">,
  change: KillSwitchChange,
): Promise<KillSwitchView> {
  const { accounts, limits } = deps;
  const { userId, accountId, active, reason } = change;
  const found = accountId === undefined ? undefined : await accounts.require(userId, accountId);
  const all = found === undefined ? accounts.of(userId) : accounts.sameAtBroker(found);
  const affected = all.map((account) => account.accountId);
  const targets: readonly KillTarget[] =
    found === undefined ? [{ userId }] : affected.map((one) => ({ accountId: one }));
  for (const target of targets) await limits.setKillSwitch(target, active, reason);
  if (active) {
    // The switch is on by now: no failure of these may say that nothing was written.
    await Promise.all(affected.map((account) => cancelEntries(deps, change, account))).catch(
      (error: unknown) => {
        throw errors.internal(error);
      },
    );
  }
  return await readKillSwitch(deps, userId);
}

async function cancelEntries(
  { submit }: Pick<ManageRiskDeps, "submit">,
  { userId, requestId, receivedAt, waitMs }: KillSwitchChange,
  accountId: AccountId,
): Promise<{ readonly intentId: IntentId }> {
  return await submit({
    accountId,
    userId,
    // Nobody's key, so that revoking the key that set the switch does not undo it.
    source: { kind: "operator" },
    requestId,
    receivedAt,
    intent: { kind: "CANCEL_ENTRIES" },
    waitMs,
    entryMaxAgeMs: CANCEL_AGE_MS,
    exitMaxAgeMs: CANCEL_AGE_MS,
  });
}
