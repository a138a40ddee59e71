import { positionGaps } from "../../domain/holdings.ts";
import type { AccountId } from "../../domain/ids.ts";
import { errors } from "../../errors.ts";
import { keptSides, type SideClaims } from "../guards/opposite-sides.ts";
import type { Caller } from "../people/caller.ts";
import type { AccountViews } from "../reads/ports.ts";
import type { AccountDirectory } from "./account-directory.ts";

export interface ForgetPositionsDeps {
  readonly accounts: Pick<AccountDirectory, "require">;
  readonly views: Pick<AccountViews, "holdings" | "saveBase" | "recordFills">;
  readonly sides: Pick<SideClaims, "keep">;
  readonly now: () => number;
}

export interface PositionUses {
  /**
   * A person has looked at the broker: an account that the gateway cannot read is flat there. Its
   * last known positions are taken back. Once it is read again, the broker's word counts as before.
   */
  readonly forgetPositions: (caller: Caller, account: AccountId) => Promise<void>;
}

/** No owner of the account is newer than a person's word while it is inactive. */
const BY_A_PERSON = Number.MAX_SAFE_INTEGER;

export function createForgetPositions(deps: ForgetPositionsDeps): PositionUses {
  const { accounts, views, sides, now } = deps;
  return {
    forgetPositions: async ({ userId }, account) => {
      const { active } = await accounts.require(userId, account);
      if (active) throw errors.accountActive();
      const holdings = await views.holdings(account);
      const base = new Map(
        positionGaps(holdings, []).map(({ contract, expectedQty }) => [
          contract,
          (holdings.base.get(contract) ?? 0) - expectedQty,
        ]),
      );
      const epoch = BY_A_PERSON;
      await views.saveBase(account, { epoch, base });
      await views.recordFills(account, [], { positions: [], epoch });
      await sides.keep(userId, account, keptSides(new Map(), now()));
    },
  };
}
