import type { AccountId } from "../../domain/ids.ts";
import type { BrokerBalance } from "../../trading/money/ports.ts";
import { BrokerReadError } from "../../trading/ports.ts";
import { CURRENCY, toAmount } from "./parse.ts";
import { type ProjectXSession, unknownAccount } from "./session.ts";

export interface AccountMoneyDeps {
  readonly session: Pick<ProjectXSession, "account" | "questions">;
  readonly now: () => number;
}

/** What accounts are worth, as far as ProjectX says it: their cash, after what closing has brought. */
export class AccountMoney {
  readonly #deps: AccountMoneyDeps;

  constructor(deps: AccountMoneyDeps) {
    this.#deps = deps;
  }

  /** Throws `BrokerReadError`. */
  async balances(called: AccountId): Promise<readonly BrokerBalance[]> {
    const { session, now } = this.#deps;
    const id = session.account(called)?.id;
    if (id === undefined) throw unknownAccount(called);
    const agoMs = await session.questions.accountIfOld(id);
    const balance = session.account(called)?.balance;
    const cash = balance === undefined ? undefined : toAmount(balance);
    if (cash === undefined) throw new BrokerReadError("ProjectX does not say what the account has");
    return [{ currency: CURRENCY, at: Math.round(now() - agoMs), cash }];
  }
}
