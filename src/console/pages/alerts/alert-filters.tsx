import { SelectField, TextField } from "../../parts/fields.tsx";
import { typingOf } from "../../parts/form.tsx";
import { go } from "../../shell/router.ts";
import { OUTCOMES, outcomeWord } from "./outcome-words.ts";
import type { AlertOutcome } from "./types.ts";
import type { Names } from "./use-names.ts";

/** What the log is narrowed to. */
export function AlertFilters({ filter, names }: { filter: Filter; names: Names }) {
  const set = (change: Partial<Filter>) => go(placeOf({ ...filter, ...change }), { replace: true });
  const { tie } = typingOf(filter, set);
  return (
    <search class="filters">
      <SelectField
        {...tie("accountId")}
        label="Account"
        options={[["", "Every account"], ...accountsOf(names, filter.accountId)]}
      />
      <SelectField
        {...tie("webhookId")}
        label="Webhook"
        options={[["", "Every webhook"], ...webhooksOf(names, filter.webhookId)]}
      />
      <SelectField
        {...tie("outcome")}
        label="Outcome"
        options={[
          ["", "Every outcome"],
          ...OUTCOMES.map((one) => [one, outcomeWord(one)] as const),
        ]}
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
          <TextField {...tie("from")} label="From" type="datetime-local" />
          <TextField {...tie("to")} label="Before" type="datetime-local" />
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

/** What the log is narrowed to; it stands in the page's address, so that it can be linked to. */
export interface Filter {
  readonly accountId: string;
  readonly webhookId: string;
  readonly outcome: AlertOutcome | "";
  readonly range: Range;
  /** Local times as the browser's inputs write them; they count with the range `between`. */
  readonly from: string;
  readonly to: string;
}

const RANGES = [
  ["any", "Any time"],
  ["15m", "Last 15 minutes"],
  ["1h", "Last hour"],
  ["24h", "Last 24 hours"],
  ["7d", "Last 7 days"],
  ["between", "Between two times"],
] as const;
type Range = (typeof RANGES)[number][0];

const MINUTE_MS = 60_000;
const LENGTH_MS: Readonly<Partial<Record<Range, number>>> = {
  "15m": 15 * MINUTE_MS,
  "1h": 60 * MINUTE_MS,
  "24h": 24 * 60 * MINUTE_MS,
  "7d": 7 * 24 * 60 * MINUTE_MS,
};

export function filterOf(query: URLSearchParams): Filter {
  const text = (name: string) => query.get(name) ?? "";
  const outcome = OUTCOMES.find((one) => one === text("outcome")) ?? "";
  const range = RANGES.find(([one]) => one === text("range"))?.[0] ?? "any";
  return {
    accountId: text("accountId"),
    webhookId: text("webhookId"),
    outcome,
    range,
    from: text("from"),
    to: text("to"),
  };
}

/** The page's address with this filter. */
export function placeOf(filter: Filter): string {
  const entries = Object.entries(filter).filter(([, value]) => value !== "" && value !== "any");
  const query = new URLSearchParams(entries as [string, string][]).toString();
  return query === "" ? "/alerts" : `/alerts?${query}`;
}

/** What the API is asked for; a range that ends now is counted from `now`. */
export function questionOf(
  { accountId, webhookId, outcome, range, from, to }: Filter,
  now: number,
) {
  const since = LENGTH_MS[range];
  const bounds =
    range === "between"
      ? { from: instantOf(from), to: instantOf(to) }
      : { from: since === undefined ? undefined : new Date(now - since).toISOString() };
  const all = { accountId, webhookId, outcome, ...bounds };
  return Object.fromEntries(
    Object.entries(all).filter(([, value]) => value !== undefined && value !== ""),
  ) as {
    accountId?: string;
    webhookId?: string;
    outcome?: AlertOutcome;
    from?: string;
    to?: string;
  };
}

function instantOf(local: string): string | undefined {
  const at = new Date(local);
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString();
}

export const isFiltered = (filter: Filter): boolean => placeOf(filter) !== "/alerts";
