import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { problemsIn } from "../../parts/field.tsx";
import type { Typing } from "../../parts/form.tsx";
import { problemAt, type StrategyTyped } from "./strategy-typed.ts";

/** What is shared by the parts of the form. */
export type FieldsProps = Typing<StrategyTyped>;

/** Fields that belong together; what is wrong with all of them at once is told at their head. */
export function FieldGroup({
  legend,
  name,
  error,
  children,
}: {
  legend: string;
  /** Their place in the API's body. */
  name: string;
  error: Error | undefined;
  children: ComponentChildren;
}) {
  const id = useId();
  const wrong = problemAt(problemsIn(error), name);
  return (
    <fieldset class="terms" {...(wrong !== undefined && { "aria-describedby": id })}>
      <legend>{legend}</legend>
      {wrong !== undefined && (
        <p class="wrong" id={id}>
          {wrong}
        </p>
      )}
      {children}
    </fieldset>
  );
}
