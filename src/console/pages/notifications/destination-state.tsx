import type { ComponentChildren } from "preact";
import { countText } from "../../parts/figure-text.ts";
import { Mark } from "../../parts/mark.tsx";
import { Pair } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import type { Destination } from "./types.ts";

/** Whether it is told, in a word. */
export function DestinationMark({ destination }: { destination: Destination }) {
  const { disabled, linked, state } = destination;
  if (disabled !== null) return <Mark tone="bad">Switched off</Mark>;
  if (linked === false) return <Mark tone="watch">Not linked yet</Mark>;
  if (state.failures > 0) return <Mark tone="watch">Failing</Mark>;
  if (state.deliveredAt === null) return <Mark tone="quiet">Nothing told yet</Mark>;
  return <Mark tone="good">Arrives</Mark>;
}

/** What waits, what came, and what went wrong last. */
export function StatePairs({ destination }: { destination: Destination }) {
  const { waiting, undelivered, deliveredAt, failures, failure, pausedUntil } = destination.state;
  return (
    <dl class="pairs">
      <Pair name="Last delivered">
        <Time at={deliveredAt ?? undefined} />
      </Pair>
      <Pair name="Waiting">{countText(waiting, "event")}</Pair>
      <Pair name="Undelivered">{countText(undelivered, "event")}</Pair>
      {failure !== null && (
        <Pair name="Last failure">
          <Failure failure={failure} /> (<Time at={failure.at} />)
        </Pair>
      )}
      {failures > 0 && <Pair name="Failed in a row">{countText(failures, "time")}</Pair>}
      {pausedUntil !== null && (
        <Pair name="Tried again">
          <Time at={pausedUntil} />
        </Pair>
      )}
    </dl>
  );
}

export const Failure = ({
  failure: { reason, status },
}: {
  failure: { readonly reason: string; readonly status: number | null };
}): ComponentChildren =>
  status === null || reason.includes(String(status)) ? reason : `${reason} (status ${status})`;
