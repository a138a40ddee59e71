import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { AccountName } from "./account-name.tsx";
import type { Account } from "./types.ts";

/** Turns a kill switch on or off: of one account, or without one of all at once. */
export function SwitchKillSwitch({
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
