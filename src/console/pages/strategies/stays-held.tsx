import { AccountOf } from "../../parts/account-of.tsx";
import type { StrategyProps } from "./strategy-page.tsx";

/** What is left behind when a strategy trades no more: nobody closes it. */
export function StaysHeld({
  strategy: { accountId, symbol },
  accounts,
}: Pick<StrategyProps, "strategy" | "accounts">) {
  return (
    <div class="stack">
      <p>
        <strong>Positions stay.</strong> What is held of {symbol} now is not closed by it, now or
        later; exits that rest at the broker stay there.
      </p>
      <p class="row">
        Look at the account:{" "}
        <a href={`#/accounts?account=${encodeURIComponent(accountId)}`} class="row">
          <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
        </a>
      </p>
    </div>
  );
}
