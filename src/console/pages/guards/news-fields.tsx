import { answerOf, api } from "../../api/client.ts";
import { Choice, SelectField, TextField } from "../../parts/fields.tsx";
import { FoldedFields } from "../../parts/form.tsx";
import { usePoll } from "../../shell/poll.ts";
import type { RuleFieldsProps } from "./rule-field-props.ts";
import type { Impact } from "./rule-typed.ts";
import { RootsField } from "./schedule-fields.tsx";
import { TextLines } from "./text-lines.tsx";

const FORBIDS = [
  ["entries", "No entries"],
  ["orders", "No entries, none resting"],
  ["positions", "No positions either"],
] as const;

const EXPIRED = [
  ["refuse", "Refuse entries"],
  ["tell", "Only tell it, and trade on"],
] as const;

const IMPACTS: readonly (readonly [Impact, string])[] = [
  ["low", "Low"],
  ["medium", "Medium"],
  ["high", "High"],
  ["holiday", "Holiday"],
];

/** By its name: it may be given later, and until then it counts as missing. */
function CalendarField({ tie }: Pick<RuleFieldsProps, "tie">) {
  const { data } = usePoll(
    "names of calendars",
    async () => (await answerOf(api.GET("/v1/calendars"))).calendars,
    { everyMs: 30_000 },
  );
  const names = data?.map(({ name }) => name) ?? [];
  return (
    <TextField
      {...tie("calendar")}
      label="Calendar"
      placeholder="us-releases"
      hint={
        <>
          {names.length === 0 ? "You have given none yet: " : `One of ${names.join(", ")}, or `}
          <a href="#/calendars">add one</a>
        </>
      }
      required
    />
  );
}

/** Around the events of a calendar. */
export function NewsFields(props: RuleFieldsProps) {
  const { error, onType, tie, typed } = props;
  const { currencies, impacts, roots, titles } = typed;
  const isNarrowed = [currencies, roots, titles].some((text) => text !== "") || impacts.length > 0;
  return (
    <>
      <div class="columns">
        <CalendarField tie={tie} />
        <SelectField {...tie("forbids")} label="Around an event" options={FORBIDS} />
        <TextField {...tie("beforeSeconds")} label="From before, seconds" type="number" required />
        <TextField {...tie("afterSeconds")} label="Until after, seconds" type="number" required />
      </div>
      <SelectField
        {...tie("whenExpired")}
        label="While the calendar is missing or too old"
        options={EXPIRED}
      />
      <FoldedFields summary="Which events" error={error} isOpen={isNarrowed}>
        <TextLines
          {...tie("titles")}
          label="Titles"
          placeholder={"FOMC\nCPI"}
          hint="One in each line: events whose title has one of them. Empty: all."
        />
        <fieldset>
          <legend>Impact (none: any)</legend>
          <div class="row">
            {IMPACTS.map(([impact, word]) => (
              <Choice
                key={impact}
                isChosen={impacts.includes(impact)}
                onChoose={(isChosen) =>
                  onType({
                    impacts: isChosen
                      ? [...impacts, impact]
                      : impacts.filter((one) => one !== impact),
                  })
                }
              >
                {word}
              </Choice>
            ))}
          </div>
        </fieldset>
        <TextField {...tie("currencies")} label="Currencies" placeholder="USD" hint="Empty: all." />
        <RootsField tie={tie} />
      </FoldedFields>
    </>
  );
}
