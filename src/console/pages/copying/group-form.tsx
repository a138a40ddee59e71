import { AccountField } from "../../parts/account-of.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { FoldedFields, FormDialog, type SavingProps, useForm } from "../../parts/form.tsx";
import { type GroupTyped, MODE_HINTS, MODES, POLICIES, POLICY_HINTS } from "./group-terms.ts";
import type { Account } from "./world.ts";

/** Asks for a group's name, leader and rules. */
export function GroupForm({
  leaders,
  start,
  onSave,
  ...dialog
}: SavingProps<GroupTyped> & {
  /** Who may lead; absent where the leader stays who it is. */
  leaders?: readonly Account[];
}) {
  const { typed, tie, action } = useForm(start);
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      <div class="columns">
        <TextField
          {...tie("name")}
          label="Name"
          max={64}
          placeholder="Evaluations"
          hint="How it is called here. It may be left empty."
        />
        {leaders !== undefined && (
          <AccountField {...tie("leaderAccountId")} label="Leader" accounts={leaders} />
        )}
      </div>
      <SelectField
        {...tie("mode")}
        label="What is copied"
        options={MODES}
        hint={MODE_HINTS[typed.mode]}
      />
      <SelectField
        {...tie("driftPolicy")}
        label="When a follower is out of sync"
        options={POLICIES}
        hint={`A follower that does not hold its target is out of sync. ${POLICY_HINTS[typed.driftPolicy]}`}
      />
      <FoldedFields summary="Times and refusals" error={action.error}>
        {GUARDS.map(([name, label, hint]) => (
          <TextField key={name} {...tie(name)} label={label} type="number" hint={hint} />
        ))}
      </FoldedFields>
    </FormDialog>
  );
}

const GUARDS = [
  [
    "driftAfterSeconds",
    "Out of sync after, seconds",
    "How long a follower may be off its target before it counts as out of sync. Empty: 10.",
  ],
  [
    "maxAgeSeconds",
    "Entries expire after, seconds",
    "Entries of the leader older than this are not copied; exits are. Empty: 30.",
  ],
  [
    "stopAfterRejects",
    "Stop after refusals",
    "After this many refused copies in a row a follower is stopped: only exits are copied to it. Empty: 3.",
  ],
] as const;
