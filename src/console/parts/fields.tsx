import type { ComponentChildren } from "preact";
import { Field } from "./field.tsx";
import type { Tie } from "./form.tsx";

type FieldTie<Value> = Omit<Tie<Value>, "error"> & { error?: Error | undefined };

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
  hint?: ComponentChildren;
  /** `number` is a whole one; what has decimals is asked for as `decimal`. */
  type?: "text" | "password" | "number" | "decimal" | "datetime-local";
  required?: boolean;
  placeholder?: string;
  max?: number;
} & FieldTie<string>) {
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
  options: readonly (readonly [value: Value, label: string])[];
  hint?: ComponentChildren;
} & FieldTie<Value>) {
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

/** A box to tick, with what it means beside it. */
export function Choice({
  isChosen,
  onChoose,
  children,
}: {
  isChosen: boolean;
  onChoose: (isChosen: boolean) => void;
  children: ComponentChildren;
}) {
  return (
    <label class="choice">
      <input
        type="checkbox"
        checked={isChosen}
        onChange={(event) => onChoose(event.currentTarget.checked)}
      />
      {children}
    </label>
  );
}
