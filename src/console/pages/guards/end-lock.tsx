import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FormDialog, useForm } from "../../parts/form.tsx";
import type { Lock, OfAccount } from "./types.ts";

/** Ends a soft lock early; the gateway asks who it is, and keeps why. */
export function EndLock({
  account,
  lock: { ruleId, until },
  refresh,
  onClose,
}: OfAccount & { lock: Lock; onClose: () => void }) {
  const { action, tie, typed } = useForm({ reason: "" });
  const end = async () => {
    const params = { path: { id: account.id } };
    const body = { reason: typed.reason.trim() };
    try {
      await answerOf(api.POST("/v1/accounts/{id}/guards/unlock", { params, body }));
    } finally {
      refresh();
    }
    onClose();
  };
  return (
    <FormDialog
      title="End the lock"
      verb="End the lock"
      action={action}
      isReady={typed.reason.trim() !== ""}
      onSend={end}
      onClose={onClose}
    >
      <AccountName account={account} />
      <p>
        Alerts and programs may open and grow positions again, as far as the other rules let them.
      </p>
      {ruleId !== null && (
        <p>
          The rule that locked it is off until{" "}
          {until === null ? "you set it anew" : "the lock would have ended"}.
        </p>
      )}
      <TextField
        {...tie("reason")}
        label="Reason, for the record"
        max={200}
        required
        hint="You are asked to confirm that it is you."
      />
    </FormDialog>
  );
}
