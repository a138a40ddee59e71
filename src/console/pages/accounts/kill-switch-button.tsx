import { useState } from "preact/hooks";
import { SwitchKillSwitch } from "./switch-kill-switch.tsx";
import type { Account } from "./types.ts";

/** Turns a kill switch over, after it was confirmed: of one account, or without one of all. */
export function KillSwitchButton({
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
