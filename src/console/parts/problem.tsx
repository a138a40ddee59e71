import { useState } from "preact/hooks";
import { Refused, Unanswered } from "../api/client.ts";
import { FieldProblems } from "./field-problems.tsx";
import { Time } from "./time.tsx";

/** What went wrong, in the gateway's words, and whether it may have happened all the same. */
export function Problem({ error }: { error: Error | undefined }) {
  if (error === undefined) return null;
  const isOpen = error instanceof Unanswered || isCheckFirst(error);
  return (
    <div class="notice bad" role="alert">
      <strong>{error.message}</strong>
      {error instanceof Refused && <WhenAgain key={error} error={error} />}
      {isOpen && <p>It may have gone through. Check before you try again.</p>}
      {error instanceof Refused && error.details.length > 1 && (
        <FieldProblems problems={error.details} />
      )}
    </div>
  );
}

/** When the gateway takes it again, where it said so. */
function WhenAgain({ error: { retryAfterSeconds } }: { error: Refused }) {
  // Counted from the answer, not from each time that it is drawn.
  const [at] = useState(() => Date.now() + (retryAfterSeconds ?? 0) * 1_000);
  if (retryAfterSeconds === undefined) return null;
  return (
    <p>
      Try again at <Time at={new Date(at).toISOString()} />.
    </p>
  );
}

const isCheckFirst = (error: Error): boolean =>
  error instanceof Refused && error.retry === "check-first";
