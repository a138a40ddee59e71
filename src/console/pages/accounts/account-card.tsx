import { useId, useState } from "preact/hooks";
import { EnvironmentBadge, Mark } from "../../parts/mark.tsx";
import { place } from "../../shell/router.ts";
import { AccountLimits } from "./account-limits.tsx";
import { AccountTrading } from "./account-trading.tsx";
import { isStopped, KillSwitchOfAccount } from "./kill-switch-of-account.tsx";
import type { Account, KillSwitch } from "./types.ts";

/** One account; opened it shows what it holds, what rests in it, and what it may do. */
export function AccountCard({
  account,
  killSwitch,
  isOpenAtFirst,
  refresh,
  why,
}: {
  account: Account;
  killSwitch: KillSwitch;
  isOpenAtFirst: boolean;
  refresh: () => void;
  why: string;
}) {
  const { active, environment, id, name } = account;
  const isAskedFor = place.value.query.get("account") === id;
  const [isOpen, setIsOpen] = useState(active && (isOpenAtFirst || isAskedFor));
  const panel = useId();
  return (
    <section class={active ? "account" : "account inactive"} aria-label={`Account ${name}`}>
      <div class="head">
        <h3>
          <button
            type="button"
            class="fold"
            aria-expanded={isOpen}
            aria-controls={panel}
            onClick={() => setIsOpen(!isOpen)}
          >
            <span class="sign" aria-hidden="true" />
            {name}
          </button>
        </h3>
        {id !== name && <span class="mono quiet">{id}</span>}
        <span class="row end">
          {isStopped(killSwitch, id) && <Mark tone="bad">Kill switch on</Mark>}
          {active ? <Mark tone="good">Active</Mark> : <Mark tone="quiet">Inactive</Mark>}
          <EnvironmentBadge environment={environment} />
        </span>
      </div>
      <div id={panel} class="inside" hidden={!isOpen}>
        {!active && (
          <p>Inactive: {why}. Alerts for it are refused, exits too; look at the broker itself.</p>
        )}
        {isOpen && active && <AccountTrading account={account} />}
        {isOpen && (
          <div class="halves">
            <AccountLimits accountId={id} />
            <KillSwitchOfAccount account={account} killSwitch={killSwitch} refresh={refresh} />
          </div>
        )}
      </div>
    </section>
  );
}
