import { rootOfCode } from "../../domain/contracts/contract.ts";
import type { GuardSettings, RuleOf } from "../../domain/guards/rule.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";
import { opposite, type Side, sign } from "../../domain/order.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { EntryRefusal } from "./check-entry.ts";
import type { EntryOrder } from "./entry-guards.ts";

/** Which side each account of a user may be on, by root: claimed before an order leaves. */
export interface SideClaims {
  /**
   * Claims a side of a root until then, unless another account has claimed the other side of one of
   * `against`: that one is the answer. Throws `StoreError`.
   */
  readonly claim: (user: UserId, claim: SideClaim) => Promise<AccountId | undefined>;
  /**
   * Gives up what the account has claimed, but for these roots and for what it claimed a moment ago:
   * the order may be on its way, and is not seen yet.
   */
  readonly keep: (user: UserId, account: AccountId, roots: ReadonlySet<string>) => Promise<void>;
}

export interface SideClaim {
  readonly account: AccountId;
  readonly root: string;
  readonly side: Side;
  readonly against: readonly string[];
  /** Unix ms. */
  readonly now: number;
  readonly until: number;
}

/**
 * Claims the order's side of its groups for the account, and answers why it may not have it: another
 * account of the user holds or claims the other side. Throws `StoreError`.
 */
export type ClaimSide = (
  account: AccountId,
  settings: GuardSettings,
  order: EntryOrder,
) => Promise<EntryRefusal | undefined>;

export interface ClaimSideDeps {
  readonly accounts: AccountDirectory;
  readonly sides: SideClaims;
  readonly views: Pick<AccountViews, "positions">;
  readonly now: () => number;
}

/** Nobody gives it up for an account whose owner has died; its position is seen all the same. */
const CLAIMED_MS = 24 * 3_600_000;

export function createClaimSide({ accounts, sides, views, now }: ClaimSideDeps): ClaimSide {
  return async function claimSide(account, settings, order) {
    const root = rootOfCode(order.contract);
    const userId = accounts.find(account)?.userId;
    for (const rule of settings.rules) {
      if (rule.kind !== "opposite") continue;
      const against = [...new Set(rule.groups.filter((group) => group.includes(root)).flat())];
      if (against.length === 0 || userId === undefined) continue;
      const at = now();
      const until = at + CLAIMED_MS;
      const held = await holderOf(userId, account, against, opposite(order.side));
      const claim = { account, root, side: order.side, against, now: at, until };
      const other = held ?? (rule.mode === "on" ? await sides.claim(userId, claim) : undefined);
      if (other !== undefined) return refusal(rule, other, order.side);
    }
    return undefined;
  };

  /** Another account of the user that is on that side of one of the roots, as it was last seen. */
  async function holderOf(
    userId: UserId,
    account: AccountId,
    roots: readonly string[],
    side: Side,
  ): Promise<AccountId | undefined> {
    for (const { accountId } of accounts.of(userId)) {
      if (accountId === account) continue;
      const { value: positions } = await views.positions(accountId);
      const isThere = positions.some(
        ({ contract, netQty }) =>
          roots.includes(rootOfCode(contract)) && Math.sign(netQty) === sign(side),
      );
      if (isThere) return accountId;
    }
    return undefined;
  }
}

function refusal(rule: RuleOf<"opposite">, other: AccountId, side: Side): EntryRefusal {
  const [own, theirs] = side === "BUY" ? ["long", "short"] : ["short", "long"];
  return {
    code: "GUARD_REFUSED",
    reason: `Account ${other} is ${theirs} in a related contract, or about to be, and this would make this one ${own}: rule "${rule.id}" forbids both at once`,
    ruleId: rule.id,
    isShadow: rule.mode === "shadow",
  };
}
