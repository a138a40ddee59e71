import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import type { OptionField } from "../../../domain/declared/webhook-options.ts";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { FoldedFields } from "../../parts/form.tsx";
import { PlanChoice } from "../exit-plans/plan-choice.tsx";
import { FORM_OPTIONS, type FormOption, type WebhookTyped } from "./webhook-typed.ts";

interface OptionProps {
  typed: WebhookTyped;
  onType: (change: Partial<WebhookTyped>) => void;
  error: Error | undefined;
}

const PARTS = {
  orders: "Quantity and symbols",
  guards: "Senders, age limits and rate limit",
} as const;

/** One part of the options: what of a message becomes an order, or whose alerts are taken. */
export function OptionFields({ part, ...props }: OptionProps & { part: OptionField["part"] }) {
  const { typed, error } = props;
  const fields = FORM_OPTIONS.filter(
    ({ field }) =>
      field.part === part && (field.onlyFor === undefined || field.onlyFor === typed.profile),
  );
  return (
    <FoldedFields summary={PARTS[part]} error={error}>
      {fields.map((option) => (
        <OneOption key={option.name} option={option} {...props} />
      ))}
    </FoldedFields>
  );
}

function OneOption({ option, typed, onType, error }: OptionProps & { option: FormOption }) {
  const { name, kind, field } = option;
  const isTime = kind === "whole" && option.unit === "seconds";
  const { label, choices, placeholder, hint, box } = field;
  const tied = {
    name,
    label: isTime ? `${label}, seconds` : label,
    hint,
    error,
    value: typed[name],
    onValue: (value: string) => onType({ [name]: value }),
  };
  if (choices !== undefined) {
    return <SelectField {...tied} options={choices.map(([word, label]) => [word, label])} />;
  }
  if (kind === "name") return <PlanChoice {...tied} />;
  return (
    <>
      {box !== undefined && (
        <Box
          {...box}
          isTicked={typed.fromTradingView}
          onTick={(fromTradingView) => onType({ fromTradingView })}
        />
      )}
      <TextField
        {...tied}
        type={TYPES[kind] ?? "text"}
        {...(placeholder !== undefined && { placeholder })}
      />
    </>
  );
}

const TYPES: Readonly<Partial<Record<FormOption["kind"], "number" | "decimal">>> = {
  whole: "number",
  decimal: "decimal",
};

function Box({
  label,
  hint,
  isTicked,
  onTick,
}: {
  label: ComponentChildren;
  hint: ComponentChildren;
  isTicked: boolean;
  onTick: (isTicked: boolean) => void;
}) {
  const id = useId();
  return (
    <div class="field">
      <span class="choice">
        <input
          id={id}
          type="checkbox"
          checked={isTicked}
          onChange={({ currentTarget }) => onTick(currentTarget.checked)}
        />
        <label for={id}>{label}</label>
      </span>
      <span class="hint">{hint}</span>
    </div>
  );
}
