import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { AccountName } from "../../parts/account-of.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FormDialog, useForm } from "../../parts/form.tsx";
import type { AccountMoney } from "../../parts/money.ts";
import { Time } from "../../parts/time.tsx";

interface DayProps {
  account: AccountMoney;
  onChanged: () => void;
}

/** The day that goes on, the clock that ends it, and the way to another clock. */
export function DayOfAccount({ account, onChanged }: DayProps) {
  const { tradingDay, day } = account;
  const [isAsked, setIsAsked] = useState(false);
  // Another clock that is set may already decide when this day ends.
  const { begins, zone } = day.next?.from === day.endsAt ? day.next : day;
  return (
    <span class="row quiet">
      trading day {tradingDay}, until {begins} in {zone}
      <button type="button" class="small" onClick={() => setIsAsked(true)}>
        Set day …
      </button>
      {isAsked && (
        <DayForm account={account} onChanged={onChanged} onClose={() => setIsAsked(false)} />
      )}
    </span>
  );
}

function DayForm({ account, onChanged, onClose }: DayProps & { onClose: () => void }) {
  const { day, id } = account;
  const { begins, zone } = day.next ?? day;
  const { action, tie, typed } = useForm({ "day.begins": begins, "day.zone": zone });
  const save = async () => {
    const body = { day: { begins: typed["day.begins"].trim(), zone: typed["day.zone"].trim() } };
    await answerOf(api.PATCH("/v1/accounts/{id}", { params: { path: { id } }, body }));
    onChanged();
    onClose();
  };
  return (
    <FormDialog
      title="When days begin"
      verb="Save the day"
      action={action}
      onSend={save}
      onClose={onClose}
    >
      <AccountName account={account} />
      <p>
        Fills, fees, guards and summaries count by this day. The present day is never cut short: it
        ends <Time at={day.endsAt} /> at the earliest.
      </p>
      <div class="columns">
        <TextField {...tie("day.begins")} label="Begins at" placeholder="17:00" required />
        <TextField
          {...tie("day.zone")}
          label="Time zone"
          placeholder="America/Chicago"
          hint="Brokers count from 17:00 in Chicago. Their figures of a day count only for that one."
          required
        />
      </div>
    </FormDialog>
  );
}
