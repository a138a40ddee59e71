import { useState } from "preact/hooks";
import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { SwitchKillSwitch } from "./switch-kill-switch.tsx";
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
  // What was asked for stands, whatever the switch becomes while the question is open.
  const [asked, setAsked] = useState<"on" | "off">();
  const own = ownSwitch(killSwitch, account.id);
  const isOn = own?.active === true;
  return (
    <section class="block">
      <header>
        <h4>Kill switch</h4>
        <button
          type="button"
          class={isOn ? "small" : "small danger"}
          onClick={() => setAsked(isOn ? "off" : "on")}
        >
          {isOn ? "Turn off …" : "Turn on …"}
        </button>
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
      {asked !== undefined && (
        <SwitchKillSwitch
          account={account}
          active={asked === "on"}
          onClose={() => setAsked(undefined)}
          onDone={refresh}
        />
      )}
    </section>
  );
}
