import { SelectField, TextField } from "../../parts/fields.tsx";
import { FormDialog, type SavingProps, useForm } from "../../parts/form.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { OptionFields } from "./option-fields.tsx";
import { PROFILE_HINTS, PROFILES } from "./profiles.ts";
import type { Account } from "./types.ts";
import type { WebhookTyped } from "./webhook-typed.ts";

/** Asks for a webhook's name, account and options. */
export function WebhookForm({
  accounts,
  start,
  onSave,
  ...dialog
}: SavingProps<WebhookTyped> & { accounts: readonly Account[] }) {
  const { typed, onType, error, tie, action } = useForm(start);
  const account = accounts.find(({ id }) => id === typed.accountId);
  const options = { typed, onType, error };
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      <div class="columns">
        <TextField {...tie("name")} label="Name" max={64} placeholder="Breakout on ES" />
        <SelectField
          {...tie("accountId")}
          label="Account"
          options={accounts.map(({ environment, id, name }) => [id, `${name} (${environment})`])}
          hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
        />
      </div>
      <SelectField
        {...tie("profile")}
        label="Profile: the format of the messages"
        options={PROFILES}
        hint={PROFILE_HINTS[typed.profile]}
      />
      <OptionFields part="orders" {...options} />
      <OptionFields part="guards" {...options} />
    </FormDialog>
  );
}
