import { useState } from "preact/hooks";
import { Mark } from "../../parts/mark.tsx";
import { Time } from "../../parts/time.tsx";
import { SwitchKillSwitch } from "./switch-kill-switch.tsx";
import type { KillSwitch } from "./types.ts";

/** The switch that stops every account at once. */
export function KillSwitchOfAll({
  killSwitch: { active, changedAt, reason },
  refresh,
}: {
  killSwitch: KillSwitch;
  refresh: () => void;
}) {
  // What was asked for stands, whatever the switch becomes while the question is open.
  const [asked, setAsked] = useState<"on" | "off">();
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
      <button
        type="button"
        class={active ? "small" : "small danger"}
        onClick={() => setAsked(active ? "off" : "on")}
      >
        {active ? "Turn off …" : "Turn on …"}
      </button>
      {asked !== undefined && (
        <SwitchKillSwitch
          active={asked === "on"}
          onClose={() => setAsked(undefined)}
          onDone={refresh}
        />
      )}
    </section>
  );
}
