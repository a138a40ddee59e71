import { askInParts } from "../../domain/ask-in-parts.ts";
import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { GuardSettings, RuleOf } from "../../domain/guards/rule.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { opposite, type OrderReport, type Side, sign } from "../../domain/order.ts";
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
   * Renews what the account has claimed of these, and gives up the rest, unless that was claimed a moment
   * ago: its order may be on its way. Throws `StoreError`.
   */
  readonly keep: (user: UserId, account: AccountId, kept: KeptSides) => Promise<void>;
}

/** By root. */
export type SidesByRoot = ReadonlyMap<string, ReadonlySet<Side>>;

/** Instants are Unix ms. */
export interface KeptSides {
  readonly sides: SidesByRoot;
  /** What lasts longer was claimed a moment ago. */
  readonly endingBefore: number;
  /** What is kept and ends before this is made to last until then. */
  readonly renewBefore: number;
  readonly until: number;
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

/** Nobody gives it up for an account whose owner has died, nor renews it; its position is seen all the same. */
const CLAIMED_MS = 24 * 3_600_000;
const RENEWED_EVERY_MS = 3_600_000;
/** An intent that is run before it is accepted is among no unsettled ones for so long. */
const ON_ITS_WAY_MS = 2_000;

/** What an account keeps of its claims, and gives up, by what it holds and works now. */
export function keptSides(sides: SidesByRoot, now: number): KeptSides {
  const endingBefore = now + CLAIMED_MS - ON_ITS_WAY_MS;
  return {
    sides,
    endingBefore,
    renewBefore: endingBefore - RENEWED_EVERY_MS,
    // As one that was not claimed a moment ago: it is given up as soon as it is not kept any more.
    until: endingBefore - 1,
  };
}

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
    const others = accounts.of(userId).filter(({ accountId }) => accountId !== account);
    const found = await askInParts(others, async ({ accountId }) => {
      const { value: positions } = await views.positions(accountId);
      const isThere = positions.some(
        ({ contract, netQty }) =>
          roots.includes(rootOfCode(contract)) && Math.sign(netQty) === sign(side),
      );
      return isThere ? accountId : undefined;
    });
    return found.find((one) => one !== undefined);
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

/** The sides that an account is on, or may come to by what works for it. */
export function sidesOf(book: AccountBook, working: readonly OrderReport[]): SidesByRoot {
  const sides = new Map<string, Set<Side>>();
  const add = (contract: ContractCode, side: Side) => {
    const root = rootOfCode(contract);
    sides.set(root, (sides.get(root) ?? new Set<Side>()).add(side));
  };
  for (const { position } of Object.values(book.positions)) {
    add(position.contract, position.netQty > 0 ? "BUY" : "SELL");
  }
  for (const { contract, side } of working) add(contract, side);
  return sides;
}
