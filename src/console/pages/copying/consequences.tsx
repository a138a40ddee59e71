import { AccountOf } from "../../parts/account-of.tsx";
import { qtyText } from "../../parts/figure-text.ts";
import { POLICY_HINTS } from "./group-terms.ts";
import type { Account, CopyGroup, CopyMode, Follower } from "./world.ts";

/** What a follower does that joins while its leader may be in the market. */
export function StartsAnew({ group: { driftPolicy } }: { group: Pick<CopyGroup, "driftPolicy"> }) {
  return (
    <>
      <p>
        What the leader does from now on is copied. What it holds already is not opened: in those
        contracts only exits are copied until it was flat in them, or until you sync.
      </p>
      {driftPolicy !== "alarm" && (
        <p>
          <strong>Anything held beyond that counts as out of sync.</strong>{" "}
          {POLICY_HINTS[driftPolicy]}
        </p>
      )}
    </>
  );
}

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
        <p>No copied position is known to be open.</p>
      ) : (
        <div class="stack">
          <p>
            <strong>These positions stay open</strong>, and the leader's exits no longer close them:
          </p>
          <ul class="plain">
            {holding.map(({ accountId, held }) => (
              <li key={accountId}>
                <span class="row">
                  <AccountOf id={accountId} accounts={accounts} />
                  {held.map(({ symbol, heldQty }) => `${qtyText(heldQty)} ${symbol}`).join(", ")}
                </span>
              </li>
            ))}
          </ul>
        </div>
      )}
      {mode === "orders" && (
        <p>Stops and targets at the broker stay. Check Accounts for working orders.</p>
      )}
    </>
  );
}
