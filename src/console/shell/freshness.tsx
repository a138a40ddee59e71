import { Time } from "../parts/time.tsx";
import { useNow } from "./clock.ts";
import { isStreamUp } from "./live.ts";
import { failing, restUntil } from "./reading.ts";

/** Whether what the page shows is how things stand now: said once, for everything that is shown. */
export function Freshness() {
  const now = useNow();
  if (restUntil.value > now) {
    return (
      <span class="mark watch" role="status">
        ○ Too many requests: updated again at <Time at={new Date(restUntil.value).toISOString()} />
      </span>
    );
  }
  const [tone, words] = stateOf();
  return (
    <span class={`mark ${tone}`} role="status">
      {words}
    </span>
  );
}

function stateOf(): readonly [tone: "good" | "watch", words: string] {
  if (failing.value.size > 0) return ["watch", "○ Not up to date"];
  if (!isStreamUp.value) return ["watch", "○ Delayed: live updates are down"];
  return ["good", "● Up to date"];
}
