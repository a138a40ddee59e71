import type { ComponentChildren } from "preact";
import { useId } from "preact/hooks";
import { Refused } from "../api/client.ts";

/** What ties an input to its label, hint and problem. */
export interface Tied {
  readonly id: string;
  readonly "aria-describedby"?: string;
  readonly "aria-invalid"?: true;
}

/** One labelled input; `name` is the field's path in the API, where its problem is looked up. */
export function Field({
  label,
  hint,
  name,
  error,
  problem,
  children,
}: {
  label: string;
  hint?: ComponentChildren;
  name: string;
  error?: Error | undefined;
  /** What is wrong with it, where that is known before anything is sent. */
  problem?: string | undefined;
  children: (tied: Tied) => ComponentChildren;
}) {
  const id = useId();
  const wrong = problem ?? problemOf(error, name);
  const described = [hint !== undefined && `${id}-hint`, wrong !== undefined && `${id}-wrong`];
  const by = described.filter((one) => one !== false).join(" ");
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {children({
        id,
        ...(by !== "" && { "aria-describedby": by }),
        ...(wrong !== undefined && { "aria-invalid": true as const }),
      })}
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {wrong !== undefined && (
        <span class="wrong" id={`${id}-wrong`}>
          {wrong}
        </span>
      )}
    </div>
  );
}

/** What the gateway found wrong with a request, where it said so. */
export const problemsIn = (error: Error | undefined): Refused["details"] =>
  error instanceof Refused ? error.details : [];

function problemOf(error: Error | undefined, name: string): string | undefined {
  // What is within a field, such as one item of a list, is told beside the field.
  return problemsIn(error).find(({ path }) => path === name || path.startsWith(`${name}.`))
    ?.message;
}

/** Brings the person to what is wrong, which is read out there; once it is on the page. */
export function goToFirstWrong(form: HTMLFormElement): void {
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
}
