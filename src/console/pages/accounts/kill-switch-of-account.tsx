import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { KillSwitchButton } from "./kill-switch-button.tsx";
import type { Account, KillSwitch } from "./types.ts";

/** Whether nothing may be opened in it, by its own switch or by the one of all. */
export const isStopped = (killSwitch: KillSwitch, accountId: string): boolean =>
  killSwitch.active || ownSwitch(killSwitch, accountId)?.active === true;

const ownSwitch = (killSwitch: KillSwitch, accountId: string) =>
  killSwitch.accounts.find((one) => one.accountId === accountId);

export function KillSwitchOfAccount({
  account,
  killSwitch,
  refresh,
}: {
  account: Account;
  killSwitch: KillSwitch;
  refresh: () => void;
}) {
  const own = ownSwitch(killSwitch, account.id);
  const isOn = own?.active === true;
  return (
    <section class="block">
      <header>
        <h4>Kill switch</h4>
        <KillSwitchButton account={account} isOn={isOn} onDone={refresh} />
      </header>
      <p class="row">
        {isOn ? <Mark tone="bad">On</Mark> : <Mark tone="good">Off</Mark>}
        {isOn && own.changedAt !== null && (
          <span>
            since <Time at={own.changedAt} />
          </span>
        )}
      </p>
      {isOn && own.reason !== null && <p>{own.reason}</p>}
      {killSwitch.active && <p>The switch of all accounts is on.</p>}
      <p class="quiet">While it is on, only exits are let through.</p>
    </section>
  );
}
