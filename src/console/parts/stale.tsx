import { Time } from "./time.tsx";

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
