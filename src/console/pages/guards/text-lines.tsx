import { Field } from "../../parts/field.tsx";
import type { Tie } from "../../parts/form.tsx";

/** Several lines of text under one label. */
export function TextLines({
  label,
  hint,
  rows = 3,
  placeholder,
  name,
  value,
  onValue,
  error,
}: Tie<string> & { label: string; hint: string; rows?: number; placeholder?: string }) {
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(tied) => (
        <textarea
          {...tied}
          name={name}
          rows={rows}
          spellcheck={false}
          autocomplete="off"
          value={value}
          {...(placeholder !== undefined && { placeholder })}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}
