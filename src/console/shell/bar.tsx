import { answerOf, api } from "../api/client.ts";
import { Time } from "../parts/time.tsx";
import { useNow } from "./clock.ts";
import { isStreamUp } from "./live.ts";
import { failing, OVERVIEW_RHYTHM, restUntil, usePoll } from "./poll.ts";
import { place } from "./router.ts";
import { session } from "./session.ts";

const PLACES = [
  ["", "Overview"],
  ["alerts", "Alerts"],
  ["accounts", "Accounts"],
  ["webhooks", "Webhooks"],
  ["exit-plans", "Exit plans"],
  ["copying", "Copying"],
  ["strategies", "Strategies"],
  ["notifications", "Notifications"],
  ["keys", "API keys"],
] as const;

/** What may still change in what it does. */
const BETA = "strategies";

/** Where one can go, who one is, and whether what one sees is live. */
export function Bar() {
  const here = place.value.path[0] ?? "";
  const state = session.state.value;
  const name = state.kind === "signedIn" ? state.session.user.name : "";
  return (
    <header class="bar">
      <span class="brand">
        <img src="/console/icon.svg" alt="" width="20" height="20" />
        Alert gateway
      </span>
      <nav aria-label="Pages">
        <ul class="places">
          {PLACES.map(([to, label]) => (
            <li key={to}>
              <a href={`#/${to}`} aria-current={here === to ? "page" : undefined}>
                {label} {to === BETA && <span class="beta">beta</span>}
                {to === "" && here !== "" && <Troubles />}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="end">
        <Freshness />
        <a href="#/you" aria-current={here === "you" ? "page" : undefined}>
          {name}
        </a>
      </div>
    </header>
  );
}

/** How much needs the person, on the pages that do not tell it themselves. */
function Troubles() {
  const { data, error } = usePoll(
    "troubles",
    () => answerOf(api.GET("/v1/overview")),
    OVERVIEW_RHYTHM,
  );
  const count = data?.troubles.filter(({ severity }) => severity !== "info").length ?? 0;
  if (count === 0 || error !== undefined) return null;
  return (
    <span class="count">
      <span aria-hidden="true">! </span>
      {count}
      <span class="unseen">{count === 1 ? " problem" : " problems"}</span>
    </span>
  );
}

/** Whether what the page shows is how things stand now: said once, for everything that is shown. */
function Freshness() {
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
