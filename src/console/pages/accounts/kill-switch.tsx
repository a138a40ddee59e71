import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { Overview } from "../overview/types.ts";
import type { Account, KillSwitch } from "./types.ts";

/** The switch that stops every account at once. */
export function KillSwitchOfAll({
  killSwitch: { active, changedAt, reason },
  refresh,
}: {
  killSwitch: KillSwitch;
  refresh: () => void;
}) {
  return (
    <section class={active ? "strip bad" : "strip"} aria-label="Kill switch of all accounts">
      <span class="row">
        <strong>Kill switch of all accounts</strong>
        {active ? <Mark tone="bad">On</Mark> : <Mark tone="good">Off</Mark>}
        {active && changedAt !== null && (
          <span>
            since <Time at={changedAt} />
            {reason !== null && `: ${reason}`}
          </span>
        )}
      </span>
      <KillSwitchButton isOn={active} onDone={refresh} />
    </section>
  );
}

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

/** Of its button: what the list of troubles leads to. */
export const SWITCH_ID = "kill-switch";

/** The switch of all accounts, at hand before anything else. */
export function OverviewKillSwitch({
  state: { active, accounts },
  onChanged,
}: {
  state: Overview["killSwitch"];
  onChanged: () => void;
}) {
  return (
    <section class={active ? "strip bad" : "strip"} aria-label="Kill switch of all accounts">
      <span class="row">
        <strong>Kill switch, all accounts</strong>
        {active ? <Mark tone="bad">On</Mark> : <Mark tone="good">Off</Mark>}
        <span class="quiet">{active ? <SinceWhen /> : "entries and exits pass"}</span>
        {accounts > 0 && (
          <a href="#/accounts">
            {countText(accounts, "account has its own on", "accounts have their own on")}
          </a>
        )}
      </span>
      <KillSwitchButton
        id={SWITCH_ID}
        isOn={active}
        label={active ? "Turn it off …" : "Turn it on …"}
        onDone={onChanged}
      />
    </section>
  );
}

function SinceWhen() {
  const { data } = usePoll("killSwitch", () => answerOf(api.GET("/v1/kill-switch")), {
    refreshOn: { what: ["overview"], accountId: null },
  });
  if (data === undefined || data.changedAt === null) return <>entries are refused, exits pass</>;
  return (
    <>
      entries are refused since <Time at={data.changedAt} />
      {data.reason !== null && data.reason !== "" && <>: {data.reason}</>}
    </>
  );
}

/** Turns a kill switch over, after it was confirmed: of one account, or without one of all. */
function KillSwitchButton({
  account,
  isOn,
  label = isOn ? "Turn off …" : "Turn on …",
  id,
  onDone,
}: {
  account?: Account;
  isOn: boolean;
  label?: string;
  /** Of the button, for what leads to it. */
  id?: string;
  onDone: () => void;
}) {
  // What was asked for stands, whatever the switch becomes while the question is open.
  const [asked, setAsked] = useState<"on" | "off">();
  return (
    <>
      <button
        type="button"
        id={id}
        class={isOn ? "small" : "small danger"}
        onClick={() => setAsked(isOn ? "off" : "on")}
      >
        {label}
      </button>
      {asked !== undefined && (
        <SwitchKillSwitch
          account={account}
          active={asked === "on"}
          onClose={() => setAsked(undefined)}
          onDone={onDone}
        />
      )}
    </>
  );
}

/** Turns a kill switch on or off: of one account, or without one of all at once. */
function SwitchKillSwitch({
  account,
  active,
  onClose,
  onDone,
}: {
  account?: Account | undefined;
  active: boolean;
  onClose: () => void;
  onDone: () => void;
}) {
  const [reason, setReason] = useState("");
  const of = account === undefined ? "all accounts" : account.name;
  const switchIt = async () => {
    const body = {
      active,
      ...(account !== undefined && { accountId: account.id }),
      ...(reason.trim() !== "" && { reason: reason.trim() }),
    };
    try {
      await answerOf(api.PUT("/v1/kill-switch", { body }));
    } finally {
      onDone();
    }
  };
  return (
    <Confirm
      title={active ? `Stop ${of}` : `Let ${of} trade again`}
      verb={active ? "Turn the kill switch on" : "Turn the kill switch off"}
      onClose={onClose}
      onConfirm={switchIt}
    >
      {account !== undefined && <AccountName account={account} />}
      {active ? (
        <p>
          Everything that opens or grows a position in {of} is refused, and entries that rest are
          cancelled. Exits are let through. <strong>No position is closed by it.</strong>
        </p>
      ) : (
        <p>Alerts and programs may open and grow positions in {of} again, from now on.</p>
      )}
      <TextField
        label="Reason, for the record"
        name="reason"
        value={reason}
        onValue={setReason}
        max={200}
      />
    </Confirm>
  );
}
