import { askInParts } from "../../domain/ask-in-parts.ts";
import { type ContractCode, rootOfCode } from "../../domain/contracts/contract.ts";
import type { GuardSettings, RuleOf } from "../../domain/guards/rule.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import { opposite, type OrderReport, type Side, sign } from "../../domain/order.ts";
import { type AccountDirectory, identities } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
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
  /** The same account by other logins: what they claim is its own. */
  readonly itself: readonly AccountId[];
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
  const identityOf = identities(accounts);

  return async function claimSide(account, settings, order) {
    const root = rootOfCode(order.contract);
    const userId = accounts.find(account)?.userId;
    for (const rule of settings.rules) {
      if (rule.kind !== "opposite") continue;
      const against = [...new Set(rule.groups.filter((group) => group.includes(root)).flat())];
      if (against.length === 0 || userId === undefined) continue;
      const at = now();
      const until = at + CLAIMED_MS;
      const [itself, others] = byIdentity(userId, account);
      const held = await holderOf(others, against, opposite(order.side));
      if (held !== undefined) return refusal(rule, held, order.side);
      if (rule.mode !== "on") continue;
      const claim = { account, itself, root, side: order.side, against, now: at, until };
      const accountId = await sides.claim(userId, claim);
      if (accountId !== undefined) return refusal(rule, { accountId }, order.side);
    }
    return undefined;
  };

  /** The logins of this account, and the user's other accounts by the logins that read them. */
  function byIdentity(userId: UserId, account: AccountId) {
    const own = identityOf(account);
    const all = accounts.of(userId).map((one) => ({ ...one, identity: identityOf(one.accountId) }));
    const itself = all.filter(({ identity }) => identity === own).map((one) => one.accountId);
    const read = new Set(all.filter(({ active }) => active).map(({ identity }) => identity));
    const others = all.filter(
      ({ active, identity }) => identity !== own && (active || !read.has(identity)),
    );
    return [itself, others] as const;
  }

  /** Another account that is on that side of one of the roots, as it was last seen. */
  async function holderOf(
    others: readonly StoredAccount[],
    roots: readonly string[],
    side: Side,
  ): Promise<Holder | undefined> {
    const found = await askInParts(others, async ({ accountId, active }): Promise<Seen> => {
      const { value: positions, asOf } = await views.positions(accountId);
      const isThere = positions.some(
        ({ contract, netQty }) =>
          roots.includes(rootOfCode(contract)) && Math.sign(netQty) === sign(side),
      );
      if (!isThere) return undefined;
      return { accountId, ...(!active && { lastSeenAt: asOf }) };
    });
    return found.find((one) => one !== undefined);
  }
}

/** Another account that is on the other side. */
interface Holder {
  readonly accountId: AccountId;
  /** Unix ms; present where the account is inactive, and may be flat by now. */
  readonly lastSeenAt?: number;
}

type Seen = Holder | undefined;

function refusal(
  rule: RuleOf<"opposite">,
  { accountId, lastSeenAt }: Holder,
  side: Side,
): EntryRefusal {
  const [own, theirs] = side === "BUY" ? ["long", "short"] : ["short", "long"];
  const forbids = `and this would make this one ${own}: rule "${rule.id}" forbids both at once`;
  const reason =
    lastSeenAt === undefined
      ? `Account ${accountId} is ${theirs} in a related contract, or about to be, ${forbids}`
      : `Account ${accountId} is inactive, and was ${theirs} in a related contract when it was last seen (${new Date(lastSeenAt).toISOString()}), ${forbids}. If it is flat at its broker, say so on its page`;
  return {
    code: "GUARD_REFUSED",
    reason,
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
