import { Refused, Unanswered } from "../api/client.ts";
import { FieldProblems } from "./field-problems.tsx";

/** What went wrong, in the gateway's words, and whether it may have happened all the same. */
export function Problem({ error }: { error: Error | undefined }) {
  if (error === undefined) return null;
  const isOpen = error instanceof Unanswered || isCheckFirst(error);
  return (
    <div class="notice bad" role="alert">
      <strong>{error.message}</strong>
      {isOpen && <p>It may have happened all the same: look before you try again.</p>}
      {error instanceof Refused && error.details.length > 1 && (
        <FieldProblems problems={error.details} />
      )}
    </div>
  );
}

const isCheckFirst = (error: Error): boolean =>
  error instanceof Refused && error.retry === "check-first";
