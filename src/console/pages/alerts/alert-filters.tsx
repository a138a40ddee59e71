import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import { go } from "../../shell/router.ts";
import { type Filter, isFiltered, placeOf, RANGES } from "./alert-query.ts";
import { OUTCOMES, outcomeWord } from "./outcome-words.ts";
import type { Names } from "./use-names.ts";

/** What the log is narrowed to. */
export function AlertFilters({ filter, names }: { filter: Filter; names: Names }) {
  const set = (change: Partial<Filter>) => go(placeOf({ ...filter, ...change }), { replace: true });
  return (
    <search class="filters">
      <SelectField
        label="Account"
        name="accountId"
        value={filter.accountId}
        options={[["", "Every account"], ...accountsOf(names, filter.accountId)]}
        onValue={(accountId) => set({ accountId })}
      />
      <SelectField
        label="Webhook"
        name="webhookId"
        value={filter.webhookId}
        options={[["", "Every webhook"], ...webhooksOf(names, filter.webhookId)]}
        onValue={(webhookId) => set({ webhookId })}
      />
      <SelectField
        label="Outcome"
        name="outcome"
        value={filter.outcome}
        options={[
          ["", "Every outcome"],
          ...OUTCOMES.map((one) => [one, outcomeWord(one)] as const),
        ]}
        onValue={(outcome) => set({ outcome })}
      />
      <SelectField
        label="Received"
        name="range"
        value={filter.range}
        options={RANGES}
        onValue={(range) => set({ range, from: "", to: "" })}
      />
      {filter.range === "between" && (
        <>
          <TextField
            label="From"
            name="from"
            type="datetime-local"
            value={filter.from}
            onValue={(from) => set({ from })}
          />
          <TextField
            label="Before"
            name="to"
            type="datetime-local"
            value={filter.to}
            onValue={(to) => set({ to })}
          />
        </>
      )}
      {isFiltered(filter) && (
        <button type="button" onClick={() => go("/alerts", { replace: true })}>
          Show everything
        </button>
      )}
    </search>
  );
}

type Options = readonly (readonly [value: string, label: string])[];

const accountsOf = ({ accounts }: Names, chosen: string): Options =>
  withChosen(
    accounts.map(({ id, name, environment }) => [id, `${name} (${environment})`] as const),
    chosen,
  );

const webhooksOf = ({ webhooks }: Names, chosen: string): Options =>
  withChosen(
    webhooks.map(({ id, name }) => [id, name] as const),
    chosen,
  );

/** What a link asks for and is not there, or not there any more, is shown by its id. */
function withChosen(options: Options, chosen: string): Options {
  const isThere = chosen === "" || options.some(([value]) => value === chosen);
  return isThere ? options : [...options, [chosen, chosen]];
}
