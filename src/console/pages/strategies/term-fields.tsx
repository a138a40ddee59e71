import { AccountField } from "../../parts/account-of.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { FieldGroup, type FieldsProps } from "./field-group.tsx";
import { BAR_MINUTES } from "./strategy-typed.ts";
import { barWord } from "./term-words.ts";
import type { Account } from "./types.ts";

const BARS = BAR_MINUTES.map((minutes) => [String(minutes), barWord(minutes)] as const);

/** What it looks at, and for whom. */
export function MarketFields({ tie, accounts }: FieldsProps & { accounts: readonly Account[] }) {
  return (
    <div class="columns">
      <TextField
        {...tie("name")}
        label="Name"
        max={64}
        placeholder="EMA cross"
        hint="How it is called here. It may be left empty."
      />
      <AccountField {...tie("accountId")} label="Account" accounts={accounts} />
      <TextField
        {...tie("symbol")}
        label="Symbol"
        placeholder="MNQ1!"
        required
        hint="MNQ1! follows the front month; MNQZ6 is one contract."
      />
      <SelectField {...tie("barMinutes")} label="Bar interval" options={BARS} />
      <TextField
        {...tie("barCount")}
        label="Number of bars"
        type="number"
        required
        hint="The newest ones, at most 500. Indicators begin at the oldest of them."
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
export function OrderFields({ typed, onType, error, tie }: FieldsProps) {
  return (
    <FieldGroup legend="Orders" name="bracket" error={error}>
      <div class="columns small">
        <TextField {...tie("qty")} label="Contracts" type="number" required hint="Of an entry." />
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
export function ScheduleFields({ tie, error }: FieldsProps) {
  return (
    <FieldGroup legend="Schedule" name="schedule" error={error}>
      <div class="columns">
        <TextField
          {...tie("cron")}
          name="schedule.cron"
          label="When"
          placeholder="*/5 9-15 * * MON-FRI"
          max={100}
          hint="Cron: minute, hour, day, month, weekday. Empty: only on request."
        />
        <TextField
          {...tie("timeZone")}
          name="schedule.timeZone"
          label="Time zone"
          placeholder="America/Chicago"
          max={64}
          hint="Times in conditions use it too."
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
export function ModeFields({ typed, onType, tie }: FieldsProps) {
  return (
    <>
      <SelectField
        {...tie("mode")}
        label="Mode"
        options={MODES}
        hint={
          typed.mode === "observe"
            ? "Decisions are logged, and no orders are sent."
            : "You are asked once more before it may trade."
        }
      />
      <Choice isChosen={typed.enabled} onChoose={(enabled) => onType({ enabled })}>
        On: evaluated by its schedule
      </Choice>
    </>
  );
}
