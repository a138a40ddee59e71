import { SelectField, TextField } from "../../parts/fields.tsx";
import { FormDialog, type SavingProps, useForm } from "../../parts/form.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { OptionFields } from "./option-fields.tsx";
import { profileHint, PROFILES } from "./profiles.ts";
import { GroupBadges } from "./target-of.tsx";
import type { Targets } from "./types.ts";
import type { WebhookTyped } from "./webhook-typed.ts";

/** Asks for a webhook's name, account and options. */
export function WebhookForm({
  targets,
  start,
  onSave,
  ...dialog
}: SavingProps<WebhookTyped> & { targets: Targets }) {
  const { typed, onType, error, tie, action } = useForm(start);
  const options = { typed, onType, error };
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      <div class="columns">
        <TextField {...tie("name")} label="Name" max={64} placeholder="Breakout on ES" />
        <TargetField targets={targets} {...options} />
      </div>
      <SelectField
        {...tie("profile")}
        label="Profile: the format of the messages"
        options={PROFILES}
        hint={profileHint(typed.profile)}
      />
      <OptionFields part="orders" {...options} />
      <OptionFields part="guards" {...options} />
    </FormDialog>
  );
}

interface TargetProps {
  targets: Targets;
  typed: WebhookTyped;
  onType: (change: Partial<WebhookTyped>) => void;
  error: Error | undefined;
}

/** An account, or a group of them. */
function TargetField({ targets: { accounts, groups }, typed, onType, error }: TargetProps) {
  const { accountId, groupId } = typed;
  const account = accounts.find(({ id }) => id === accountId);
  const group = groups.find(({ id }) => id === groupId);
  return (
    <SelectField
      label={groups.length === 0 ? "Account" : "Account or group"}
      name={groupId === "" ? "accountId" : "groupId"}
      value={groupId === "" ? accountId : groupId}
      options={[
        ...accounts.map(({ environment, id, name }) => [id, `${name} (${environment})`] as const),
        ...groups.map(({ id, name }) => [id, `Group: ${name}`] as const),
      ]}
      onValue={(id) =>
        groups.some((one) => one.id === id)
          ? onType({ groupId: id })
          : onType({ accountId: id, groupId: "" })
      }
      error={error}
      hint={
        groupId === ""
          ? account !== undefined && <EnvironmentBadge environment={account.environment} />
          : group !== undefined && <GroupBadges group={group} accounts={accounts} />
      }
    />
  );
}
