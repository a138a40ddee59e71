import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { FormDialog, type SavingProps, type Typing, useForm } from "../../parts/form.tsx";
import { CHANNELS, KINDS } from "./channels.ts";
import type { DestinationTyped } from "./destination-typed.ts";
import { RuleFields } from "./rule-fields.tsx";
import type { Account, Destination } from "./types.ts";

/** Asks for all of a destination; of one that is there, the kind stands. */
export function DestinationForm({
  stored,
  accounts,
  start,
  onSave,
  ...dialog
}: SavingProps<DestinationTyped> & {
  stored?: Destination;
  accounts: readonly Account[];
}) {
  const form = useForm(start);
  const { typed, onType, error, tie, action } = form;
  return (
    <FormDialog {...dialog} action={action} onSend={() => onSave(typed)}>
      <div class="columns">
        {stored === undefined && (
          <SelectField
            {...tie("kind")}
            label="Where to"
            options={KINDS.map((kind) => [kind, CHANNELS[kind].label])}
          />
        )}
        <TextField {...tie("name")} label="Name" max={64} required placeholder="My phone" />
      </div>
      <p class="quiet">{CHANNELS[typed.kind].hint}</p>
      <SettingFields {...form} stored={stored} />
      {typed.kind === "telegram" && (
        <Choice isChosen={typed.answers} onChoose={(answers) => onType({ answers })}>
          <span>
            <strong>Answer in the chat</strong>{" "}
            <span class="quiet">who is linked may ask there, close positions and stop trading</span>
          </span>
        </Choice>
      )}
      {typed.kind === "webhook" && (
        <Choice isChosen={typed.inOrder} onChoose={(inOrder) => onType({ inOrder })}>
          <span>
            <strong>In order</strong>{" "}
            <span class="quiet">one event waits until all earlier ones were taken</span>
          </span>
        </Choice>
      )}
      {typed.kind !== "heartbeat" && (
        <>
          <TimeFields {...form} />
          <RuleFields
            rules={typed.rules}
            accounts={accounts}
            error={error}
            onRules={(rules) => onType({ rules })}
          />
        </>
      )}
    </FormDialog>
  );
}

function SettingFields({
  typed,
  onType,
  error,
  stored,
}: Typing<DestinationTyped> & { stored: Destination | undefined }) {
  return (
    <div class="columns">
      {CHANNELS[typed.kind].fields.map(({ name, label, type, isOptional, placeholder }) => {
        const isKept = stored?.settings[name] === true;
        return (
          <TextField
            key={`${typed.kind} ${name}`}
            label={isOptional === true ? `${label} (optional)` : label}
            name={`settings.${name}`}
            value={typed.settings[name] ?? ""}
            onValue={(value) => onType({ settings: { ...typed.settings, [name]: value } })}
            error={error}
            required={isOptional !== true && !isKept}
            {...(type !== undefined && { type })}
            {...(placeholder !== undefined && { placeholder })}
            {...(isKept && { hint: "Set. Left empty, it stays as it is." })}
          />
        );
      })}
    </div>
  );
}

function TimeFields({ typed, tie }: Typing<DestinationTyped>) {
  const hasTimes = typed.quietFrom + typed.quietTo + typed.summaryAt !== "";
  return (
    <fieldset>
      <legend>Quiet hours and the daily summary</legend>
      <div class="columns">
        <TextField
          {...tie("quietFrom")}
          name="quietHours.from"
          label="Quiet from"
          placeholder="22:30"
          hint="Until they end, only what is critical is told."
        />
        <TextField
          {...tie("quietTo")}
          name="quietHours.to"
          label="Quiet until"
          placeholder="07:00"
        />
        <TextField
          {...tie("summaryAt")}
          name="summary.at"
          label="Daily summary at"
          placeholder="17:05"
          hint="Days that have ended by then; an account's day ends at 17:00 in Chicago unless set otherwise."
        />
        {hasTimes && (
          <TextField
            {...tie("zone")}
            name={typed.summaryAt === "" ? "quietHours.zone" : "summary.zone"}
            label="Time zone"
            placeholder="America/Chicago"
          />
        )}
      </div>
    </fieldset>
  );
}
