import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { SwitchKillSwitch } from "../accounts/switch-kill-switch.tsx";
import type { Overview } from "./types.ts";

/** Of its button: what the list of troubles leads to. */
export const SWITCH_ID = "kill-switch";

/** The switch of all accounts, as one of the figures. */
export function KillSwitch({
  state,
  onChanged,
}: {
  state: Overview["killSwitch"];
  onChanged: () => void;
}) {
  // What was asked for is what is done, whatever somebody else switches meanwhile.
  const [asked, setAsked] = useState<boolean>();
  const { active, accounts } = state;
  return (
    <div class={active ? "figure watch" : "figure"}>
      <dt class="name">Kill switch of all accounts</dt>
      <dd class="value">{active ? "On" : "Off"}</dd>
      <dd class="note">{active ? <SinceWhen /> : "entries and exits pass"}</dd>
      {accounts > 0 && (
        <dd class="note">
          <a href="#/accounts">
            {accounts === 1 ? "1 account has its own on" : `${accounts} accounts have their own on`}
          </a>
        </dd>
      )}
      <dd>
        <button
          type="button"
          id={SWITCH_ID}
          class={active ? "small" : "small danger"}
          onClick={() => setAsked(!active)}
        >
          {active ? "Turn it off …" : "Turn it on …"}
        </button>
        {asked !== undefined && (
          <SwitchKillSwitch active={asked} onDone={onChanged} onClose={() => setAsked(undefined)} />
        )}
      </dd>
    </div>
  );
}

function SinceWhen() {
  const { data } = usePoll("killSwitch", () => answerOf(api.GET("/v1/kill-switch")), 10_000);
  if (data === undefined || data.changedAt === null) return <>entries are refused</>;
  return (
    <>
      entries are refused since <Time at={data.changedAt} />
      {data.reason !== null && data.reason !== "" && <>: {data.reason}</>}
    </>
  );
}
