import { randomUUID } from "node:crypto";
import type { AccountId } from "../domain/ids.ts";
import type { GuardUses } from "../trading/guards/guard-uses.ts";
import { createGuardUses, type ManageGuardsDeps } from "../trading/guards/manage-guards.ts";
import { createReadFacts } from "../trading/guards/read-facts.ts";
import { createReadOthers } from "../trading/guards/read-others.ts";
import type { ValuationDeps } from "../trading/money/value-account.ts";

interface GuardUseParts
  extends
    Omit<ManageGuardsDeps, "readFacts" | "othersOf" | "newLockId">,
    Pick<ValuationDeps, "describe" | "expectedFee"> {}

/** What people and programs ask of guards, in any process. */
export function composeGuardUses(parts: GuardUseParts): GuardUses {
  const { accounts, ledger, quotes, describe, expectedFee, now } = parts;
  const readFacts = createReadFacts({ describe, expectedFee, now });
  const bookOf = async (account: AccountId) => await ledger.book(account);
  return createGuardUses({
    ...parts,
    readFacts,
    othersOf: createReadOthers({ accounts, bookOf, quotes, readFacts }),
    newLockId: randomUUID,
  });
}
