import { Time } from "../../parts/time.tsx";
import { SWITCH_ID } from "./kill-switch.tsx";
import type { Overview } from "./types.ts";

type Trouble = Overview["troubles"][number];

interface Verdict {
  readonly tone: "good" | "watch" | "bad" | "quiet";
  readonly sign: string;
  readonly title: string;
  readonly words: string;
}

/** The one answer for which this page is opened. */
export function Safety({
  overview,
  isStale,
  error,
  answeredAt,
}: {
  overview: Overview | undefined;
  isStale: boolean;
  error: Error | undefined;
  answeredAt: number | undefined;
}) {
  const { tone, sign, title, words } = judge(overview, isStale, error);
  const troubles = overview?.troubles ?? [];
  return (
    <section class={`answer ${tone}`} aria-labelledby="answer">
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <div role="status">
          <h2 id="answer">{title}</h2>
          <p>{words}</p>
        </div>
        {isStale && answeredAt !== undefined && (
          <p>
            What follows was so at <Time at={new Date(answeredAt).toISOString()} />.
          </p>
        )}
        {troubles.length > 0 && <Troubles troubles={troubles} />}
      </div>
    </section>
  );
}

function judge(
  overview: Overview | undefined,
  isStale: boolean,
  error: Error | undefined,
): Verdict {
  if (isStale) return unknown(error);
  if (overview === undefined) {
    return { tone: "quiet", sign: "…", title: "Looking", words: "One moment." };
  }
  if (overview.safe) return SAFE;
  const isGrave = overview.troubles.some(({ kind }) => kind !== "killSwitch");
  const count = overview.troubles.length;
  return {
    tone: isGrave ? "bad" : "watch",
    sign: "!",
    title: count === 1 ? "Look here: something needs you" : `Look here: ${count} things need you`,
    words: wordsFor(isGrave, count),
  };
}

function wordsFor(isGrave: boolean, count: number): string {
  if (!isGrave) return "Nothing is lost, but not everything is traded.";
  return count === 1 ? "What to do stands below." : "The gravest stands first.";
}

const SAFE: Verdict = {
  tone: "good",
  sign: "✓",
  title: "Money is safe",
  words:
    "Every connection in use is up, every outcome is known, every position has the exits that were asked for, and nothing waits long.",
};

const unknown = (error: Error | undefined): Verdict => ({
  tone: "watch",
  sign: "?",
  title: "Not known right now",
  words: `${error?.message ?? "The gateway does not answer"}. It is asked again every two seconds; in a hurry, act at the broker itself.`,
});

function Troubles({ troubles }: { troubles: readonly Trouble[] }) {
  return (
    <ul class="troubles">
      {troubles.map((trouble) => (
        <li key={`${trouble.kind} ${trouble.accountId} ${trouble.connectionId}`}>
          <span>{trouble.message}.</span> <WhereToAct trouble={trouble} />
        </li>
      ))}
    </ul>
  );
}

function WhereToAct({ trouble: { kind, accountId } }: { trouble: Trouble }) {
  const id = encodeURIComponent(accountId ?? "");
  switch (kind) {
    case "store":
      // What is to be set is at the machine, and the message says it.
      return null;
    case "connection":
      return <a href="#/accounts">Go to the connection</a>;
    case "unknown":
      return <a href={`#/alerts?outcome=unknown&accountId=${id}`}>See which alerts</a>;
    case "waiting":
      return <a href={`#/alerts?outcome=pending&accountId=${id}`}>See which alerts</a>;
    case "unprotected":
      return <a href={`#/accounts?account=${id}`}>Protect or close it</a>;
    case "strategy":
      return <a href="#/strategies">Go to the strategies</a>;
    case "copying":
      return <a href="#/copying">Go to the followers</a>;
    case "notUnderstood":
    case "outOfStep":
      return <a href={`#/accounts?account=${id}`}>Go to the account</a>;
    case "killSwitch":
      if (accountId === undefined) return <ToSwitch />;
      return <a href={`#/accounts?account=${id}`}>Go to the account</a>;
  }
}

/** The switch of all accounts stands on this page, below. */
const ToSwitch = () => (
  <button type="button" class="plain" onClick={() => document.getElementById(SWITCH_ID)?.focus()}>
    Go to the switch
  </button>
);
