import { useEffect, useState } from "preact/hooks";
import { Refused } from "../api/client.ts";
import { useNow } from "../shell/clock.ts";
import { countText } from "./figure-text.ts";
import { Problem } from "./problem.tsx";
import { Time } from "./time.tsx";

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
