import { SelectField } from "../../parts/select-field.tsx";
import { TextField } from "../../parts/text-field.tsx";
import type { Typed } from "./connection-settings.ts";
import type { BrokerField } from "./types.ts";

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
        <details {...(error !== undefined && { open: true })}>
          <summary>More settings, which can be left empty</summary>
          <div class="columns">{rest.map(one)}</div>
        </details>
      )}
    </>
  );
}

function BrokerInput({
  field: { name, label, type, required, secret, description, default: byDefault },
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
  const isSecret = secret ? "password" : type;
  return <TextField {...shared} type={isSecret} required={required && !isKept} />;
}

const YES_NO = [
  ["", "As the broker has it"],
  ["true", "Yes"],
  ["false", "No"],
] as const;
