import type { OtherFigures } from "../../domain/guards/guard-facts.ts";
import type { GuardSettings } from "../../domain/guards/rule.ts";
import type { AccountId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Quotes } from "../money/ports.ts";
import { othersFrom, type ReadFacts } from "./read-facts.ts";

export interface ReadOthersDeps {
  readonly accounts: AccountDirectory;
  readonly bookOf: (account: AccountId) => Promise<AccountBook>;
  readonly quotes: Pick<Quotes, "of">;
  readonly readFacts: ReadFacts;
}

/**
 * What the other accounts have brought that rules of this one add to it, whoever owns them: by their
 * ledgers and the quotes that are stored each second. One that is not the same user's is not among
 * them, and the rule cannot be judged then. Throws `StoreError`.
 */
export function createReadOthers({ accounts, bookOf, quotes, readFacts }: ReadOthersDeps) {
  return async function readOthers(
    account: AccountId,
    settings: GuardSettings,
  ): Promise<ReadonlyMap<AccountId, OtherFigures>> {
    const others = new Map<AccountId, OtherFigures>();
    const userId = accounts.find(account)?.userId;
    const named = settings.rules.flatMap((rule) =>
      "together" in rule ? (rule.together ?? []) : [],
    );
    for (const id of new Set(named)) {
      const other = accounts.find(id);
      if (other === undefined || other.userId !== userId) continue;
      const told = await quotes.of(other.connectionId);
      const facts = readFacts(await bookOf(id), settings, {
        quote: (contract) => told.quotes.get(contract),
        working: undefined,
        balances: [],
        brokerGuards: undefined,
        others: new Map(),
      });
      const figures = othersFrom(facts);
      if (figures !== undefined) others.set(id, figures);
    }
    return others;
  };
}
