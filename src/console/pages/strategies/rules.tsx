import { Sheet } from "../../parts/sheet.tsx";
import { CONDITION_WORDS } from "./condition-fields.tsx";
import { indicatorInWords } from "./indicator-kinds.ts";
import { CONDITIONS } from "./strategy-typed.ts";
import type { Strategy } from "./types.ts";

/** What it computes, and what it makes of it. */
export function Rules({
  strategy: { barCount, conditions, indicators },
}: {
  strategy: Pick<Strategy, "barCount" | "conditions" | "indicators">;
}) {
  const named = Object.entries(indicators);
  return (
    <Sheet title="Rules" end={<span class="quiet">over {barCount} bars</span>}>
      <div class="body">
        <dl class="pairs stacked">
          <dt>Indicators</dt>
          <dd>
            {named.length === 0 && "none"}
            <ul class="values">
              {named.map(([name, indicator]) => (
                <li key={name}>
                  <code>{name}</code> {indicatorInWords(indicator)}
                </li>
              ))}
            </ul>
          </dd>
          {CONDITIONS.map((name) => (
            <>
              <dt key={name}>{CONDITION_WORDS[name]}</dt>
              <dd>
                {conditions[name] === undefined ? (
                  <span class="quiet">never</span>
                ) : (
                  <code>{conditions[name]}</code>
                )}
              </dd>
            </>
          ))}
        </dl>
      </div>
    </Sheet>
  );
}
