import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";

/** One of a few choices: each is the API's word and what it is called here. */
export function SelectField<Value extends string>({
  label,
  name,
  value,
  options,
  onValue,
  hint,
  error,
}: {
  label: string;
  name: string;
  value: Value;
  options: readonly (readonly [value: Value, label: string])[];
  onValue: (value: Value) => void;
  hint?: ComponentChildren;
  error?: Error | undefined;
}) {
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(tied) => (
        <select
          {...tied}
          name={name}
          value={value}
          onChange={({ currentTarget }) => {
            const chosen = options.find(([one]) => one === currentTarget.value);
            if (chosen !== undefined) onValue(chosen[0]);
          }}
        >
          {options.map(([one, called]) => (
            <option key={one} value={one} selected={one === value}>
              {called}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}
