import { AccountOf } from "../../parts/account-of.tsx";
import { qtyText } from "../../parts/figure-text.ts";
import type { Account, CopyMode, Follower } from "./types.ts";

/** What is left behind when copying ends: nobody closes it any more when the leader does. */
export function StaysOpen({
  followers,
  accounts,
  mode,
}: {
  followers: readonly Follower[];
  accounts: readonly Account[];
  mode: CopyMode;
}) {
  const holding = followers
    .map(({ accountId, positions }) => ({
      accountId,
      held: positions.filter(({ heldQty }) => heldQty !== 0),
    }))
    .filter(({ held }) => held.length > 0);
  return (
    <>
      {holding.length === 0 ? (
        <p>As far as is known now, nothing is held of what is copied.</p>
      ) : (
        <div class="stack">
          <p>
            <strong>This stays open</strong>, and the leader's exits do not close it any more:
          </p>
          <ul class="plain">
            {holding.map(({ accountId, held }) => (
              <li key={accountId}>
                <span class="row">
                  <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
                  {held.map(({ symbol, heldQty }) => `${qtyText(heldQty)} ${symbol}`).join(", ")}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {mode === "orders" && (
        <p>Exits that rest at the broker stay. Look under Accounts for orders that still work.</p>
      )}
    </>
  );
}
