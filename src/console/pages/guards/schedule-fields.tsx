import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { FoldedFields } from "../../parts/form.tsx";
import type { RuleFieldsProps } from "./rule-field-props.ts";
import type { WindowTyped } from "./rule-typed.ts";
import { WEEKDAYS } from "./rule-words.ts";
import type { Weekday } from "./types.ts";

const TIME_HINT = "HH:MM, by the clock of the time zone.";

const ZoneField = ({ tie }: RuleFieldsProps) => (
  <TextField
    {...tie("zone")}
    label="Time zone"
    placeholder="America/Chicago"
    hint="An IANA name; its changes of the clock are followed."
    required
  />
);

/** Which days, in words beside boxes; in the order of the week. */
function Days({
  legend,
  days,
  onDays,
}: {
  legend: string;
  days: readonly Weekday[];
  onDays: (days: readonly Weekday[]) => void;
}) {
  return (
    <fieldset>
      <legend>{legend}</legend>
      <div class="row">
        {WEEKDAYS.map(([day, word]) => (
          <Choice
            key={day}
            isChosen={days.includes(day)}
            onChoose={(isChosen) =>
              onDays(
                WEEKDAYS.map(([one]) => one).filter((one) =>
                  one === day ? isChosen : days.includes(one),
                ),
              )
            }
          >
            {word}
          </Choice>
        ))}
      </div>
    </fieldset>
  );
}

export const RootsField = ({ tie }: Pick<RuleFieldsProps, "tie">) => (
  <TextField
    {...tie("roots")}
    label="Only these contracts"
    placeholder="CL, MCL"
    hint="Roots: ES is not MES. Empty: all."
  />
);

/** When entries pass. */
export function WindowFields(props: RuleFieldsProps) {
  const { error, onType, typed } = props;
  const { windows } = typed;
  const change = (place: number, part: Partial<WindowTyped>) =>
    onType({ windows: windows.map((one, nth) => (nth === place ? { ...one, ...part } : one)) });
  return (
    <>
      <ZoneField {...props} />
      {windows.map(({ days, from, to }, nth) => (
        // A window has no name of its own.
        <fieldset key={nth} class="rule" aria-label={`Window ${nth + 1}`}>
          <Days legend="Days" days={days} onDays={(next) => change(nth, { days: next })} />
          <div class="step">
            <TextField
              label="Entries from"
              name={`windows.${nth}.from`}
              value={from}
              onValue={(next) => change(nth, { from: next })}
              error={error}
              required
            />
            <TextField
              label="Until"
              name={`windows.${nth}.to`}
              value={to}
              onValue={(next) => change(nth, { to: next })}
              error={error}
              required
            />
            {windows.length > 1 && (
              <button
                type="button"
                class="small"
                onClick={() => onType({ windows: windows.filter((_, place) => place !== nth) })}
              >
                Remove<span class="unseen"> window {nth + 1}</span>
              </button>
            )}
          </div>
        </fieldset>
      ))}
      <p class="quiet">{TIME_HINT} Where the end is not after the beginning, it is a day later.</p>
      <div class="actions">
        <button
          type="button"
          class="small"
          onClick={() => {
            const days = windows.at(-1)?.days ?? [];
            onType({ windows: [...windows, { days, from: "", to: "" }] });
          }}
        >
          Add a window
        </button>
      </div>
    </>
  );
}

const EntriesOffField = ({ tie }: RuleFieldsProps) => (
  <TextField
    {...tie("entriesOffMinutes")}
    label="Entries off before, minutes"
    type="number"
    hint="So long before it, nothing is let in any more."
    required
  />
);

/** Flat by a time of day. */
export function FlatByFields(props: RuleFieldsProps) {
  const { error, onType, tie, typed } = props;
  const isNarrowed = typed.days.length > 0 || typed.roots !== "" || typed.resumes !== "";
  return (
    <>
      <div class="columns">
        <TextField {...tie("time")} label="Flat by" placeholder="15:10" hint={TIME_HINT} required />
        <ZoneField {...props} />
        <EntriesOffField {...props} />
        <TextField
          {...tie("flattenSeconds")}
          label="Closed before, seconds"
          type="number"
          hint="So long before it, what is held is closed."
          required
        />
      </div>
      <FoldedFields
        summary="Days, contracts, and when it is over"
        error={error}
        isOpen={isNarrowed}
      >
        <Days
          legend="Only on these days (none: each day)"
          days={typed.days}
          onDays={(days) => onType({ days })}
        />
        <RootsField tie={tie} />
        <TextField
          {...tie("resumes")}
          label="Entries pass again at"
          placeholder="17:00"
          hint="Empty: as the next trading day begins."
        />
      </FoldedFields>
    </>
  );
}

const CLOSES = [
  ["day", "Each close"],
  ["week", "Weekends"],
  ["holiday", "Holidays, early closes"],
] as const;

/** Flat before a market closes. */
export function FlatBeforeCloseFields(props: RuleFieldsProps) {
  const { tie } = props;
  return (
    <div class="columns">
      <SelectField {...tie("before")} label="Before" options={CLOSES} />
      <TextField
        {...tie("flattenSeconds")}
        name="seconds"
        label="Closed before, seconds"
        type="number"
        hint="So long before the close, what is held is closed."
        required
      />
      <EntriesOffField {...props} />
      <RootsField tie={tie} />
    </div>
  );
}
