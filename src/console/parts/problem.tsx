import { useEffect, useState } from "preact/hooks";
import { Refused, Unanswered } from "../api/client.ts";
import type { components } from "../api/schema.ts";
import { useNow } from "../shell/clock.ts";
import { countText } from "./figure-text.ts";
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

/** What is wrong with a request, each by its field. */
export function FieldProblems({
  problems,
}: {
  problems: readonly components["schemas"]["Problem"][];
}) {
  return (
    <ul class="plain">
      {problems.map(({ path, message }) => (
        <li key={path + message}>
          <code>{path}</code> {message}
        </li>
      ))}
    </ul>
  );
}

const MS_PER_SECOND = 1_000;

/** A refusal; where there were too many attempts, when the next one is taken, counting down. */
export function Throttled({ error }: { error: Error | undefined }) {
  if (!(error instanceof Refused) || error.retryAfterSeconds === undefined) {
    return <Problem error={error} />;
  }
  return <Wait key={error} seconds={error.retryAfterSeconds} />;
}

function Wait({ seconds }: { seconds: number }) {
  const [until, setUntil] = useState(() => Date.now() + seconds * MS_PER_SECOND);
  useEffect(() => setUntil(Date.now() + seconds * MS_PER_SECOND), [seconds]);
  const left = Math.ceil((until - useNow()) / MS_PER_SECOND);
  if (left <= 0) {
    return (
      <p class="notice" role="status">
        You can try again now.
      </p>
    );
  }
  return (
    <div class="notice watch" role="alert">
      <strong>
        Too many attempts. Try again at <Time at={new Date(until).toISOString()} />.
      </strong>
      <span aria-hidden="true">{inWords(left)} left</span>
    </div>
  );
}

function inWords(seconds: number): string {
  if (seconds < 60) return countText(seconds, "second");
  return countText(Math.ceil(seconds / 60), "minute");
}

/**
 * Says that the newest question got no answer: what is shown is old, or there is nothing to show.
 * A question changes nothing, so it needs no more warning than that.
 */
export function Stale({ error, since }: { error: Error | undefined; since: number | undefined }) {
  if (error === undefined) return null;
  return (
    <p class="notice watch" role="status">
      <span>
        <strong>Not up to date.</strong> {error.message}.{" "}
        {since === undefined ? (
          "Retrying."
        ) : (
          <>
            What is shown is from <Time at={new Date(since).toISOString()} />.
          </>
        )}
      </span>
    </p>
  );
}
