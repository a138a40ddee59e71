import { answerOf, api } from "../../api/client.ts";
import { countText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { usePoll } from "../../shell/poll.ts";
import { KillSwitchButton } from "../accounts/kill-switch-button.tsx";
import type { Overview } from "./types.ts";

/** Of its button: what the list of troubles leads to. */
export const SWITCH_ID = "kill-switch";

/** The switch of all accounts, at hand before anything else. */
export function KillSwitch({
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
    hears: { what: ["overview"], accountId: null },
  });
  if (data === undefined || data.changedAt === null) return <>entries are refused, exits pass</>;
  return (
    <>
      entries are refused since <Time at={data.changedAt} />
      {data.reason !== null && data.reason !== "" && <>: {data.reason}</>}
    </>
  );
}
