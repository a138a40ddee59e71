import { readAccounts } from "../../api/accounts.ts";
import { problemsIn } from "../../parts/field.tsx";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { countText } from "../../parts/figure-text.ts";
import { FoldedFields } from "../../parts/form.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { RuleFieldsProps } from "./rule-field-props.ts";
import type { StepTyped } from "./rule-typed.ts";

const PERIODS = [
  ["day", "Trading day"],
  ["week", "Week of trading days"],
] as const;

const COUNTS = [
  ["open", "Open positions too"],
  ["closed", "Only what was closed"],
] as const;

const THENS = [
  ["flatten", "Close all, and lock"],
  ["exitsOnly", "Lock: only exits pass"],
] as const;

/** What may be lost, or won, in a time. */
export function PnlFields(props: RuleFieldsProps) {
  const { currency, tie, typed } = props;
  return (
    <>
      <div class="columns">
        <TextField
          {...tie("limit")}
          label={`${typed.kind === "loss" ? "Lose at most" : "Enough is won at"}, ${currency}`}
          type="decimal"
          placeholder="1000"
          hint="After fees. Above 0."
          required
        />
        <SelectField {...tie("period")} label="In a" options={PERIODS} />
      </div>
      <div class="columns">
        <SelectField {...tie("counts")} label="What counts" options={COUNTS} />
        <SelectField {...tie("then")} label="At the limit" options={THENS} />
      </div>
      <Together {...props} />
    </>
  );
}

/** Other accounts whose figures are added. */
function Together({ account, error, onType, typed: { together } }: RuleFieldsProps) {
  const { data = [] } = usePoll("accounts to count together", readAccounts, {
    refreshOn: { what: ["overview"], accountId: null },
  });
  const others = data.filter(({ id }) => id !== account.id);
  const wrong = problemsIn(error).find(({ path }) => path.startsWith("together"));
  if (others.length === 0) return null;
  const choose = (id: string, isChosen: boolean) =>
    onType({ together: isChosen ? [...together, id] : together.filter((one) => one !== id) });
  return (
    <details {...(wrong !== undefined && { open: true })}>
      <summary>
        {together.length === 0
          ? "Of this account alone"
          : `Together with ${countText(together.length, "other account")}`}
      </summary>
      {wrong !== undefined && <p class="wrong">{wrong.message}</p>}
      <div class="columns">
        {others.map(({ environment, id, name }) => (
          <Choice
            key={id}
            isChosen={together.includes(id)}
            onChoose={(isChosen) => choose(id, isChosen)}
          >
            {name} ({environment})
          </Choice>
        ))}
      </div>
    </details>
  );
}

const TRAILS = [
  ["endOfDay", "Best end of a day"],
  ["live", "Highest worth, live"],
] as const;

/** How far below its peak the account may fall. */
export function DrawdownFields({ currency, error, tie, typed }: RuleFieldsProps) {
  const isKnown = typed.peak !== "" || typed.locksAt !== "";
  return (
    <>
      <div class="columns">
        <TextField
          {...tie("size")}
          label={`Fall at most, ${currency}`}
          type="decimal"
          placeholder="2000"
          hint="The floor is the peak less this."
          required
        />
        <TextField
          {...tie("start")}
          label={`Began with, ${currency}`}
          type="decimal"
          placeholder="50000"
          hint="The peak is never below it."
          required
        />
      </div>
      <div class="columns">
        <SelectField
          {...tie("trails")}
          label="The peak is the"
          options={TRAILS}
          hint="Live: open positions included. Either is compared with what the account is worth now."
        />
        <SelectField {...tie("then")} label="At the floor" options={THENS} />
      </div>
      <FoldedFields
        summary="Peak until now, and where the floor stops"
        error={error}
        isOpen={isKnown}
      >
        <TextField
          {...tie("peak")}
          label={`Peak until now, ${currency}`}
          type="decimal"
          hint="Where it is above what the account began with. Empty: it is not."
        />
        <TextField
          {...tie("locksAt")}
          label={`The floor stops at, ${currency}`}
          type="decimal"
          hint="It never rises above it. Empty: it goes on rising."
        />
      </FoldedFields>
    </>
  );
}

const LADDER_COUNTS = [
  ["nextDay", "As the day began"],
  ["live", "Live"],
] as const;

/** The most lots, and what one contract counts as. */
export function LotsFields(props: RuleFieldsProps) {
  const { tie } = props;
  return (
    <>
      <div class="columns">
        <TextField
          {...tie("maxLots")}
          name="max"
          label="At most, lots"
          type="decimal"
          hint="Over all contracts, with orders that could add to them."
          required
        />
        <TextField
          {...tie("weights")}
          label="What a contract counts as"
          placeholder="MES=0.1, MNQ=0.1"
          hint="In lots, by root. What is not named counts as 1."
        />
      </div>
      <Ladder {...props} />
    </>
  );
}

/** More lots, the more was won. */
function Ladder({ currency, error, onType, tie, typed: { steps } }: RuleFieldsProps) {
  const change = (place: number, part: Partial<StepTyped>) =>
    onType({ steps: steps.map((step, nth) => (nth === place ? { ...step, ...part } : step)) });
  return (
    <fieldset class="rule">
      <legend>More, the more was won</legend>
      {steps.length === 0 && <p class="quiet">No steps: it is the same number of lots always.</p>}
      {steps.length > 0 && (
        <div class="columns">
          <TextField
            {...tie("ladderStart")}
            name="ladder.start"
            label={`Began with, ${currency}`}
            type="decimal"
            required
          />
          <SelectField
            {...tie("ladderCounts")}
            name="ladder.counts"
            label="Won, counted"
            options={LADDER_COUNTS}
          />
        </div>
      )}
      {steps.map((step, nth) => (
        // A step has no name of its own.
        <div key={nth} class="step" role="group" aria-label={`Step ${nth + 1}`}>
          <TextField
            label={`Above, ${currency}`}
            name={`ladder.steps.${nth}.above`}
            type="decimal"
            value={step.above}
            onValue={(above) => change(nth, { above })}
            error={error}
            required
          />
          <TextField
            label="At most, lots"
            name={`ladder.steps.${nth}.max`}
            type="decimal"
            value={step.max}
            onValue={(max) => change(nth, { max })}
            error={error}
            required
          />
          <button
            type="button"
            class="small"
            onClick={() => onType({ steps: steps.filter((_, place) => place !== nth) })}
          >
            Remove<span class="unseen"> step {nth + 1}</span>
          </button>
        </div>
      ))}
      <div class="actions">
        <button
          type="button"
          class="small"
          onClick={() => onType({ steps: [...steps, { above: "", max: "" }] })}
        >
          Add a step
        </button>
      </div>
    </fieldset>
  );
}
