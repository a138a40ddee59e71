import { answerOf, api } from "../../api/client.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { FoldedFields } from "../../parts/form.tsx";
import { numberOr } from "../../parts/typed-text.ts";
import { type Polled, usePoll } from "../../shell/poll.ts";
import type { Broker, BrokerField, ConnectionDetail } from "./types.ts";

/** What a broker asks for; what is rarely needed stands folded away below it. */
export function BrokerFields({
  fields,
  typed,
  onType,
  error,
  kept = {},
}: {
  fields: readonly BrokerField[];
  typed: Typed;
  onType: (typed: Typed) => void;
  error: Error | undefined;
  /** The secrets that are set already, which stay when they are left empty. */
  kept?: Readonly<Record<string, boolean>>;
}) {
  const one = (field: BrokerField) => (
    <BrokerInput
      key={field.name}
      field={field}
      value={typed[field.name] ?? ""}
      onValue={(value) => onType({ ...typed, [field.name]: value })}
      isKept={kept[field.name] === true}
      error={error}
    />
  );
  const needed = fields.filter(({ required, secret }) => required || secret);
  const rest = fields.filter((field) => !needed.includes(field));
  return (
    <>
      <div class="columns">{needed.map(one)}</div>
      {rest.length > 0 && (
        <FoldedFields summary="More settings, which can be left empty" error={error}>
          {rest.map(one)}
        </FoldedFields>
      )}
    </>
  );
}

function BrokerInput({
  field: { name, label, type, required, secret, description, options, default: byDefault },
  value,
  onValue,
  isKept,
  error,
}: {
  field: BrokerField;
  value: string;
  onValue: (value: string) => void;
  isKept: boolean;
  error: Error | undefined;
}) {
  const hints = [
    description,
    byDefault !== undefined && `Left empty: ${String(byDefault)}`,
    isKept && "Set. Left empty, it stays as it is",
  ].filter((hint) => typeof hint === "string");
  const shared = {
    label,
    value,
    onValue,
    error,
    // Where the API names it in what it refuses.
    name: `settings.${name}`,
    ...(hints.length > 0 && { hint: `${hints.join(". ")}.` }),
  };
  if (type === "boolean") return <SelectField {...shared} options={YES_NO} />;
  if (options !== undefined) {
    const choices = options.map((one) => [one.value, one.label] as const);
    const none = ["", required ? "Choose one" : "As the broker has it"] as const;
    return <SelectField {...shared} options={[none, ...choices]} />;
  }
  const isSecret = secret ? "password" : type;
  return <TextField {...shared} type={isSecret} required={required && !isKept} />;
}

const YES_NO = [
  ["", "As the broker has it"],
  ["true", "Yes"],
  ["false", "No"],
] as const;

/** What stands in the form, as text by each field's name. */
export type Typed = Readonly<Record<string, string>>;

type Value = string | number | boolean;

/** Nothing is filled in for a new connection: a default holds where a field is left empty. */
export function typedOf(detail: ConnectionDetail | undefined): Typed {
  const settings = Object.entries(detail?.settings ?? {});
  return Object.fromEntries(settings.map(([name, value]) => [name, String(value)]));
}

/** The settings of a new connection: what is empty is left out. */
export function settingsOf(fields: readonly BrokerField[], typed: Typed): Record<string, Value> {
  const settings: Record<string, Value> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? "";
    if (text !== "") settings[field.name] = valueOf(field, text);
  }
  return settings;
}

/** What changes: an emptied field is cleared, a secret that was left empty stays as it is. */
export function changesOf(
  fields: readonly BrokerField[],
  typed: Typed,
  before: Typed,
): Record<string, Value | null> {
  const changes: Record<string, Value | null> = {};
  for (const field of fields) {
    const text = typed[field.name] ?? "";
    if (text === (before[field.name] ?? "")) continue;
    changes[field.name] = text === "" ? null : valueOf(field, text);
  }
  return changes;
}

function valueOf({ type }: BrokerField, text: string): Value {
  if (type === "boolean") return text === "true";
  return type === "number" ? numberOr(text) : text;
}

/** They change with the gateway's version alone; asked again for when there was no answer. */
const EVERY_MS = 30_000;

/** The brokers that connections can be made to, and what each of them asks for. */
export const useBrokers = (): Polled<{ readonly brokers: readonly Broker[] }> =>
  usePoll("brokers", () => answerOf(api.GET("/v1/brokers")), { everyMs: EVERY_MS });
