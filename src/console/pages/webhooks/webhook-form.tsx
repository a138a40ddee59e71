import { useState } from "preact/hooks";
import { FormEnd, useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { OptionFields } from "./option-fields.tsx";
import { PROFILE_HINTS, PROFILES } from "./profiles.ts";
import type { Account } from "./types.ts";
import type { WebhookTyped } from "./webhook-typed.ts";

/** Asks for a webhook's name, account and options. */
export function WebhookForm({
  title,
  verb,
  accounts,
  start,
  onSave,
  onClose,
}: {
  title: string;
  /** What the button says that saves. */
  verb: string;
  accounts: readonly Account[];
  start: WebhookTyped;
  /** Resolves once it is stored, which closes the form. */
  onSave: (typed: WebhookTyped) => Promise<void>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(start);
  const action = useAction();
  const account = accounts.find(({ id }) => id === typed.accountId);
  const set = (change: Partial<WebhookTyped>) => setTyped({ ...typed, ...change });
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(() => onSave(typed));
  };
  return (
    <Dialog title={title} onClose={onClose}>
      <form onSubmit={submit}>
        <div class="columns">
          <TextField
            label="Name"
            name="name"
            value={typed.name}
            onValue={(name) => set({ name })}
            max={64}
            placeholder="Breakout on ES"
            error={action.error}
          />
          <SelectField
            label="Account"
            name="accountId"
            value={typed.accountId}
            options={accounts.map(({ environment, id, name }) => [id, `${name} (${environment})`])}
            onValue={(accountId) => set({ accountId })}
            hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
            error={action.error}
          />
        </div>
        <SelectField
          label="Profile: the format of the messages"
          name="profile"
          value={typed.profile}
          options={PROFILES}
          onValue={(profile) => set({ profile })}
          hint={PROFILE_HINTS[typed.profile]}
          error={action.error}
        />
        <OptionFields part="orders" typed={typed} onType={set} error={action.error} />
        <OptionFields part="guards" typed={typed} onType={set} error={action.error} />
        <FormEnd action={action} verb={verb} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
