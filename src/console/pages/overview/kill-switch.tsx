import { answerOf, api } from "../../api/client.ts";
import { countText } from "../../parts/figure-text.ts";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { KillSwitchButton } from "../accounts/kill-switch-button.tsx";
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
  const { active, accounts } = state;
  return (
    <div class={active ? "figure watch" : "figure"}>
      <dt class="name">Kill switch of all accounts</dt>
      <dd class="value">{active ? "On" : "Off"}</dd>
      <dd class="note">{active ? <SinceWhen /> : "entries and exits pass"}</dd>
      {accounts > 0 && (
        <dd class="note">
          <a href="#/accounts">
            {countText(accounts, "account has its own on", "accounts have their own on")}
          </a>
        </dd>
      )}
      <dd>
        <KillSwitchButton
          id={SWITCH_ID}
          isOn={active}
          label={active ? "Turn it off …" : "Turn it on …"}
          onDone={onChanged}
        />
      </dd>
    </div>
  );
}

function SinceWhen() {
  const { data } = usePoll("killSwitch", () => answerOf(api.GET("/v1/kill-switch")), {
    hears: { what: ["overview"], accountId: null },
  });
  if (data === undefined || data.changedAt === null) return <>entries are refused</>;
  return (
    <>
      entries are refused since <Time at={data.changedAt} />
      {data.reason !== null && data.reason !== "" && <>: {data.reason}</>}
    </>
  );
}
