import { choicesOf } from "../../parts/account-of.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { EnvironmentBadge } from "../../parts/mark.tsx";
import { FieldGroup, type FieldsProps } from "./field-group.tsx";
import { BAR_MINUTES } from "./strategy-typed.ts";
import { barWord } from "./term-words.ts";
import type { Account } from "./types.ts";

const BARS = BAR_MINUTES.map((minutes) => [String(minutes), barWord(minutes)] as const);

/** What it looks at, and for whom. */
export function MarketFields({
  typed,
  onType,
  error,
  accounts,
}: FieldsProps & { accounts: readonly Account[] }) {
  const account = accounts.find(({ id }) => id === typed.accountId);
  return (
    <div class="columns">
      <TextField
        label="Name"
        name="name"
        value={typed.name}
        onValue={(name) => onType({ name })}
        max={64}
        placeholder="EMA cross"
        hint="How it is called here. It may be left empty."
        error={error}
      />
      <SelectField
        label="Account"
        name="accountId"
        value={typed.accountId}
        options={choicesOf(accounts)}
        onValue={(accountId) => onType({ accountId })}
        hint={account !== undefined && <EnvironmentBadge environment={account.environment} />}
        error={error}
      />
      <TextField
        label="Symbol"
        name="symbol"
        value={typed.symbol}
        onValue={(symbol) => onType({ symbol })}
        placeholder="MNQ1!"
        required
        hint="MNQ1! follows the front month; MNQZ6 is one contract."
        error={error}
      />
      <SelectField
        label="Bar interval"
        name="barMinutes"
        value={typed.barMinutes}
        options={BARS}
        onValue={(barMinutes) => onType({ barMinutes })}
        error={error}
      />
      <TextField
        label="Number of bars"
        name="barCount"
        type="number"
        value={typed.barCount}
        onValue={(barCount) => onType({ barCount })}
        required
        hint="The newest ones, at most 500. Indicators begin at the oldest of them."
        error={error}
      />
    </div>
  );
}

const LEGS = [
  ["takeProfit", "Take profit"],
  ["stopLoss", "Stop loss"],
] as const;

const UNITS = { ticks: "ticks", offset: "in price" } as const;

/** How much an entry is, and the exits that are placed with it. */
export function OrderFields({ typed, onType, error }: FieldsProps) {
  return (
    <FieldGroup legend="Orders" name="bracket" error={error}>
      <div class="columns small">
        <TextField
          label="Contracts"
          name="qty"
          type="number"
          value={typed.qty}
          onValue={(qty) => onType({ qty })}
          required
          hint="Of an entry."
          error={error}
        />
        {LEGS.map(([leg, called]) => {
          const { by, distance } = typed[leg];
          return (
            <TextField
              key={leg}
              label={`${called}, ${UNITS[by]}`}
              name={`bracket.${leg}`}
              type={by === "ticks" ? "number" : "decimal"}
              value={distance}
              onValue={(next) => onType({ [leg]: { by, distance: next } })}
              hint="Away from the entry. Empty: none."
              error={error}
            />
          );
        })}
      </div>
    </FieldGroup>
  );
}

/** When it is evaluated by itself. */
export function ScheduleFields({ typed, onType, error }: FieldsProps) {
  return (
    <FieldGroup legend="Schedule" name="schedule" error={error}>
      <div class="columns">
        <TextField
          label="When"
          name="schedule.cron"
          value={typed.cron}
          onValue={(cron) => onType({ cron })}
          placeholder="*/5 9-15 * * MON-FRI"
          max={100}
          hint="Cron: minute, hour, day, month, weekday. Empty: only on request."
          error={error}
        />
        <TextField
          label="Time zone"
          name="schedule.timeZone"
          value={typed.timeZone}
          onValue={(timeZone) => onType({ timeZone })}
          placeholder="America/Chicago"
          max={64}
          hint="Times in conditions use it too."
          error={error}
        />
      </div>
    </FieldGroup>
  );
}

const MODES = [
  ["observe", "Observe: log decisions only"],
  ["trade", "Trade: send orders"],
] as const;

/** What it does with what it decides. */
export function ModeFields({ typed, onType, error }: FieldsProps) {
  return (
    <>
      <SelectField
        label="Mode"
        name="mode"
        value={typed.mode}
        options={MODES}
        onValue={(mode) => onType({ mode })}
        hint={
          typed.mode === "observe"
            ? "Decisions are logged, and no orders are sent."
            : "You are asked once more before it may trade."
        }
        error={error}
      />
      <Choice isChosen={typed.enabled} onChoose={(enabled) => onType({ enabled })}>
        On: evaluated by its schedule
      </Choice>
    </>
  );
}
