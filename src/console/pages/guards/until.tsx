import { Time } from "../../parts/time.tsx";
import { useNow } from "../../shell/clock.ts";
import { spanText } from "./span-words.ts";

/** The zone that times are shown in: the person's own. */
const ZONE = Intl.DateTimeFormat().resolvedOptions().timeZone;

/** A time to come, by the person's clock, and how long it is until then. */
export function Until({ at }: { at: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <span>
      <Time at={at} /> <span class="quiet">({left > 0 ? `in ${spanText(left)}` : "now"})</span>
    </span>
  );
}

/** The same where it decides something: with the zone. */
export function UntilInZone({ at }: { at: string }) {
  const left = Date.parse(at) - useNow();
  return (
    <span>
      <Time at={at} /> {ZONE}, {left > 0 ? `in ${spanText(left)}` : "now"}
    </span>
  );
}
