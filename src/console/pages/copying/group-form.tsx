import { useState } from "preact/hooks";
import { choicesOf } from "../../parts/account-of.tsx";
import { FormEnd, useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { type GroupTyped, MODE_HINTS, MODES, POLICIES, POLICY_HINTS } from "./group-terms.ts";
import type { Account } from "./world.ts";

/** Asks for a group's name, leader and rules. */
export function GroupForm({
  title,
  verb,
  leaders,
  start,
  onSave,
  onClose,
}: {
  title: string;
  /** What the button says that saves. */
  verb: string;
  /** Who may lead; absent where the leader stays who it is. */
  leaders?: readonly Account[];
  start: GroupTyped;
  /** Resolves once it is stored, which closes the form. */
  onSave: (typed: GroupTyped) => Promise<void>;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(start);
  const action = useAction();
  const set = (change: Partial<GroupTyped>) => setTyped({ ...typed, ...change });
  const { error } = action;
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(() => onSave(typed));
  };
  const shared = { typed, onType: set, error };
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
            placeholder="Evaluations"
            hint="How it is called here. It may be left empty."
            error={error}
          />
          {leaders !== undefined && <LeaderField leaders={leaders} {...shared} />}
        </div>
        <RuleFields {...shared} />
        <GuardFields {...shared} />
        <FormEnd action={action} verb={verb} onCancel={onClose} />
      </form>
    </Dialog>
  );
}

interface FieldsProps {
  typed: GroupTyped;
  onType: (change: Partial<GroupTyped>) => void;
  error: Error | undefined;
}

function LeaderField({
  leaders,
  typed,
  onType,
  error,
}: FieldsProps & { leaders: readonly Account[] }) {
  const leader = leaders.find(({ id }) => id === typed.leaderAccountId);
  return (
    <SelectField
      label="Leader"
      name="leaderAccountId"
      value={typed.leaderAccountId}
      options={choicesOf(leaders)}
      onValue={(leaderAccountId) => onType({ leaderAccountId })}
      hint={leader !== undefined && <EnvironmentBadge environment={leader.environment} />}
      error={error}
    />
  );
}

function RuleFields({ typed, onType, error }: FieldsProps) {
  return (
    <>
      <SelectField
        label="What is copied"
        name="mode"
        value={typed.mode}
        options={MODES}
        onValue={(mode) => onType({ mode })}
        hint={MODE_HINTS[typed.mode]}
        error={error}
      />
      <SelectField
        label="When a follower is out of sync"
        name="driftPolicy"
        value={typed.driftPolicy}
        options={POLICIES}
        onValue={(driftPolicy) => onType({ driftPolicy })}
        hint={`A follower that does not hold its target is out of sync. ${POLICY_HINTS[typed.driftPolicy]}`}
        error={error}
      />
    </>
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

function GuardFields({ typed, onType, error }: FieldsProps) {
  return (
    <details {...(error !== undefined && { open: true })}>
      <summary>Times and refusals</summary>
      <div class="columns">
        {GUARDS.map(([name, label, hint]) => (
          <TextField
            key={name}
            label={label}
            name={name}
            type="number"
            value={typed[name]}
            onValue={(value) => onType({ [name]: value })}
            hint={hint}
            error={error}
          />
        ))}
      </div>
    </details>
  );
}
