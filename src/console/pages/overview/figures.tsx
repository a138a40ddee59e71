import type { ComponentChildren } from "preact";
import type { Overview } from "./types.ts";

const LONG_WAIT_SECONDS = 10;

/** What the answer is made of; `children` are figures too. */
export function Figures({
  overview,
  children,
}: {
  overview: Overview;
  children: ComponentChildren;
}) {
  const { connections, unknownOutcomes, unprotectedPositions } = overview;
  const { waiting, oldestWaitingSeconds } = overview;
  const down = connections.total - connections.connected;
  return (
    <dl class="figures">
      <Figure
        name="Connections up"
        value={
          connections.total === 0 ? "none" : `${connections.connected} of ${connections.total}`
        }
        wrong={down > 0 && `${down} down`}
        note={connections.total === 0 ? "no broker is connected" : "paused ones are left out"}
      />
      <Figure
        name="Unknown outcomes"
        value={String(unknownOutcomes)}
        wrong={unknownOutcomes > 0 && "look at the broker"}
        note="requests that may be live"
      />
      <Figure
        name="Unprotected positions"
        value={String(unprotectedPositions)}
        wrong={unprotectedPositions > 0 && "exits may be missing"}
        note="exits were asked for"
      />
      <Figure
        name="Oldest waiting request"
        value={oldestWaitingSeconds === null ? "none" : spanText(oldestWaitingSeconds)}
        wrong={(oldestWaitingSeconds ?? 0) >= LONG_WAIT_SECONDS && "waits long"}
        note={waiting === 0 ? "nothing waits" : `${waiting} waiting`}
      />
      {children}
    </dl>
  );
}

function Figure({
  name,
  value,
  wrong,
  note,
}: {
  name: string;
  value: string;
  /** What is wrong with it, in words; false when nothing. */
  wrong: string | false;
  note: string;
}) {
  return (
    <div class={wrong === false ? "figure" : "figure bad"}>
      <dt class="name">{name}</dt>
      <dd class="value">{value}</dd>
      <dd class="note">
        {wrong === false ? (
          note
        ) : (
          <strong>
            <span aria-hidden="true">✕ </span>
            {wrong}
          </strong>
        )}
      </dd>
    </div>
  );
}

/** "0.4 s", "42 s", "3 min". */
function spanText(seconds: number): string {
  if (seconds < 10) return `${seconds.toFixed(1)} s`;
  if (seconds < 120) return `${Math.floor(seconds)} s`;
  return `${Math.floor(seconds / 60)} min`;
}
