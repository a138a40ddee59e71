import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";

const KEYBOARD = { number: "numeric", decimal: "decimal" } as const;

/** One line of text under its label; `name` is the field's path in the API. */
export function TextField({
  label,
  name,
  value,
  onValue,
  hint,
  error,
  type = "text",
  required = false,
  placeholder,
  max,
}: {
  label: string;
  name: string;
  value: string;
  onValue: (value: string) => void;
  hint?: ComponentChildren;
  error?: Error | undefined;
  /** `number` is a whole one; what has decimals is asked for as `decimal`. */
  type?: "text" | "password" | "number" | "decimal" | "datetime-local";
  required?: boolean;
  placeholder?: string;
  max?: number;
}) {
  const isFigure = type === "number" || type === "decimal";
  return (
    <Field label={label} name={name} hint={hint} error={error}>
      {(tied) => (
        <input
          {...tied}
          name={name}
          // Preact has a type of its own for each kind of input.
          type={(isFigure ? "text" : type) as "text"}
          {...(isFigure && { inputMode: KEYBOARD[type] })}
          autocomplete={type === "password" ? "new-password" : "off"}
          spellcheck={false}
          value={value}
          required={required}
          {...(placeholder !== undefined && { placeholder })}
          {...(max !== undefined && { maxLength: max })}
          onInput={({ currentTarget }) => onValue(currentTarget.value)}
        />
      )}
    </Field>
  );
}
