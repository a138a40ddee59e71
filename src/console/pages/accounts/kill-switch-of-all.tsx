import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { KillSwitchButton } from "./kill-switch-button.tsx";
import type { KillSwitch } from "./types.ts";

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
