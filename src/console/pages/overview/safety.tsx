import { countText } from "../../parts/figure-text.ts";
import { Time } from "../../parts/time.tsx";
import type { Overview } from "./types.ts";

interface Verdict {
  readonly tone: "good" | "watch" | "bad" | "quiet";
  readonly sign: string;
  readonly title: string;
}

/** How things stand, with what was checked for it and when. */
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
  const { tone, sign, title } = judge(overview, isStale);
  return (
    <section class={`answer ${tone}`} aria-labelledby="answer">
      <span class="sign" aria-hidden="true">
        {sign}
      </span>
      <div>
        <div role="status">
          <h2 id="answer">{title}</h2>
        </div>
        {isStale && (
          <p>
            {error?.message ?? "The gateway does not answer"}. Retrying automatically; in a hurry,
            trade at the broker directly.
          </p>
        )}
        {isStale && answeredAt !== undefined && (
          <p>
            Everything below is from <Time at={new Date(answeredAt).toISOString()} />.
          </p>
        )}
        {!isStale && overview !== undefined && <Checked overview={overview} />}
      </div>
    </section>
  );
}

function judge(overview: Overview | undefined, isStale: boolean): Verdict {
  if (isStale) return { tone: "watch", sign: "?", title: "No current data" };
  if (overview === undefined) return { tone: "quiet", sign: "…", title: "Loading" };
  const { troubles, positions, safe } = overview;
  const count = troubles.filter(({ severity }) => severity !== "info").length;
  if (count > 0) {
    const title = countText(count, "problem needs attention", "problems need attention");
    return { tone: "bad", sign: "!", title };
  }
  if (troubles.length > 0) {
    return { tone: "watch", sign: "!", title: "Trading is stopped by a kill switch" };
  }
  if (safe && overview.connections.total === 0) {
    return { tone: "quiet", sign: "○", title: "No broker connected: nothing to check" };
  }
  if (safe) return { tone: "good", sign: "✓", title: "All clear" };
  if (positions.unknown > 0) {
    const title = countText(
      positions.unknown,
      "position cannot be checked",
      "positions cannot be checked",
    );
    return { tone: "watch", sign: "?", title };
  }
  const without = countText(positions.noneAsked, "position", "positions");
  return { tone: "watch", sign: "!", title: `No problems, ${without} without a stop-loss` };
}

/** What was looked at: what is not named was not. */
function Checked({ overview: { asOf, connections, positions } }: { overview: Overview }) {
  const { held, noneAsked, protected: safe, unknown } = positions;
  const counts = [
    [safe, "with a stop-loss"],
    [noneAsked, "without a stop-loss (none requested)"],
    [positions.missing, "missing a stop-loss or target that was requested"],
    [unknown, "could not be checked"],
  ] as const;
  const parts = counts.filter(([count]) => count > 0).map(([count, what]) => `${count} ${what}`);
  return (
    <p>
      Checked {countText(connections.total, "connection")} and {countText(held, "position")} at{" "}
      <Time at={asOf} />
      {parts.length > 0 && `: ${parts.join(", ")}`}.
    </p>
  );
}
