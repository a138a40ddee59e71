import { Field } from "../../parts/field.tsx";
import { ConditionHelp } from "./condition-help.tsx";
import { FieldGroup } from "./field-group.tsx";
import type { FieldsProps } from "./strategy-form.tsx";
import { CONDITIONS } from "./strategy-typed.ts";
import type { ConditionName } from "./types.ts";

export const CONDITION_WORDS: Readonly<Record<ConditionName, string>> = {
  enterLong: "Enter long when",
  exitLong: "Exit long when",
  enterShort: "Enter short when",
  exitShort: "Exit short when",
};

const EXAMPLES: Readonly<Record<ConditionName, string>> = {
  enterLong: "crossesAbove(fast, slow) && time.hour >= 9",
  exitLong: "crossesBelow(fast, slow)",
  enterShort: "crossesBelow(fast, slow)",
  exitShort: "crossesAbove(fast, slow)",
};

/** What it wants, each by an expression; what is left empty is never true. */
export function ConditionFields({ typed: { conditions, indicators }, onType, error }: FieldsProps) {
  return (
    <FieldGroup legend="Conditions" name="conditions" error={error}>
      <ConditionHelp indicators={indicators} />
      {CONDITIONS.map((name) => (
        <Field key={name} label={CONDITION_WORDS[name]} name={`conditions.${name}`} error={error}>
          {(tied) => (
            <textarea
              {...tied}
              name={`conditions.${name}`}
              rows={2}
              maxLength={500}
              spellcheck={false}
              autocomplete="off"
              placeholder={EXAMPLES[name]}
              value={conditions[name]}
              onInput={({ currentTarget }) =>
                onType({ conditions: { ...conditions, [name]: currentTarget.value } })
              }
            />
          )}
        </Field>
      ))}
    </FieldGroup>
  );
}
