import { useRef } from "preact/hooks";
import { goToFirstWrong } from "../../parts/field.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FormEnd, useForm } from "../../parts/form.tsx";
import { Sheet } from "../../parts/page.tsx";
import { PlanPreview } from "./plan-preview.tsx";
import { atPlanFields, wholeProblems } from "./plan-problems.ts";
import { planOf, type PlanTyped } from "./plan-typed.ts";
import { ClosingFields, StopFields } from "./stop-fields.tsx";
import { TargetFields } from "./target-fields.tsx";

/** A plan's fields, and beside them what it comes to. */
export function PlanEditor({
  start,
  isNew = false,
  onSave,
  onClose,
}: {
  start: PlanTyped;
  isNew?: boolean;
  onSave: (typed: PlanTyped) => Promise<void>;
  onClose: () => void;
}) {
  const { action, ...fields } = useForm(start);
  const { error, tie, typed } = fields;
  const form = useRef<HTMLFormElement>(null);
  const save = async () => {
    await action.run(async () => {
      await onSave(typed).catch((error: unknown) => {
        throw atPlanFields(error);
      });
    });
    if (form.current !== null) goToFirstWrong(form.current);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void save();
  };
  return (
    <Sheet title={isNew ? "The plan" : `The plan “${start.name}”`}>
      <div class="body builder plan">
        <form ref={form} onSubmit={submit}>
          {isNew && (
            <TextField
              {...tie("name")}
              label="Name"
              max={40}
              placeholder="runner"
              hint="Alerts, orders and webhooks name it so: letters, digits, dots, hyphens and underscores."
              required
            />
          )}
          <TargetFields {...fields} />
          <StopFields {...fields} />
          <ClosingFields {...fields} />
          {wholeProblems(error).map((text) => (
            <p key={text} class="wrong">
              {text}
            </p>
          ))}
          <FormEnd action={action} verb="Save the plan" onClose={onClose} />
        </form>
        <PlanPreview plan={planOf(typed)} />
      </div>
    </Sheet>
  );
}
