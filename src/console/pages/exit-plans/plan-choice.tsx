import { SelectField } from "../../parts/fields.tsx";
import type { Tie } from "../../parts/form.tsx";
import { usePlans } from "./use-plans.ts";

/** One of the person's exit plans, or none. */
export function PlanChoice({
  label,
  hint,
  none = "None",
  ...tie
}: Omit<Tie<string>, "error"> & {
  error?: Error | undefined;
  label: string;
  hint: string;
  none?: string;
}) {
  const plans = usePlans() ?? [];
  const names = plans.map(({ name }) => name);
  const isGone = tie.value !== "" && !names.includes(tie.value);
  const options = [
    ["", none],
    ...(isGone ? [[tie.value, tie.value]] : []),
    ...names.map((name) => [name, name]),
  ] as const satisfies readonly (readonly string[])[];
  const summary = plans.find(({ name }) => name === tie.value)?.summary;
  return (
    <SelectField
      {...tie}
      label={label}
      options={options as readonly (readonly [string, string])[]}
      hint={summary === undefined ? hint : `${summary}. ${hint}`}
    />
  );
}
