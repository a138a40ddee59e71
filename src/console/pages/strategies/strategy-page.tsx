import { AccountOf } from "../../parts/account-of.tsx";
import { countText } from "../../parts/figure-text.ts";
import { PageTitle, Pair, Sheet } from "../../parts/page.tsx";
import { Time } from "../../parts/time.tsx";
import { CONDITION_WORDS } from "./condition-fields.tsx";
import { EvaluationLog } from "./evaluation-log.tsx";
import { indicatorInWords } from "./indicators.ts";
import { StrategyActions } from "./strategy-actions.tsx";
import { ChartSheet } from "./strategy-chart.tsx";
import { LastDecision, ModeMark, StrategyStanding } from "./strategy-marks.tsx";
import { CONDITIONS } from "./strategy-typed.ts";
import { barWord, bracketInWords, scheduleInWords } from "./term-words.ts";
import type { Strategy, StrategyProps } from "./types.ts";

/** One strategy: how it stands, what it looks at, and what it decided. */
export function StrategyPage(of: StrategyProps) {
  const { strategy } = of;
  return (
    <>
      <PageTitle title={strategy.name}>
        <a href="#/strategies">All strategies</a>
      </PageTitle>
      <StateSheet {...of} />
      <ChartSheet key={strategy.version} strategy={strategy} />
      <Rules strategy={strategy} />
      <EvaluationLog strategyId={strategy.id} />
    </>
  );
}

function StateSheet(of: StrategyProps) {
  const { accounts, strategy } = of;
  const { accountId, barMinutes, bracket, lastEvaluation, nextEvaluationAt, qty } = strategy;
  return (
    <Sheet
      title="State"
      end={
        <span class="row" role="status">
          <ModeMark mode={strategy.mode} />
          <StrategyStanding strategy={strategy} />
        </span>
      }
    >
      <div class="body">
        <dl class="pairs stacked">
          <Pair name="Account" look="row">
            <AccountOf id={accountId} accounts={accounts} />
          </Pair>
          <Pair name="Market">
            {strategy.symbol}, bars of {barWord(barMinutes)}
          </Pair>
          <Pair name="Orders">
            {countText(qty, "contract")}, {bracketInWords(bracket)}
          </Pair>
          <Pair name="Schedule">{scheduleInWords(strategy.schedule)}</Pair>
          <Pair name="Next evaluation">
            {nextEvaluationAt === null ? "none" : <Time at={nextEvaluationAt} />}
          </Pair>
          <Pair name="Last decision">
            <LastDecision evaluation={lastEvaluation} />
          </Pair>
        </dl>
        <StrategyActions {...of} />
      </div>
    </Sheet>
  );
}

/** What it computes, and what it makes of it. */
function Rules({
  strategy: { barCount, conditions, indicators },
}: {
  strategy: Pick<Strategy, "barCount" | "conditions" | "indicators">;
}) {
  const named = Object.entries(indicators);
  return (
    <Sheet title="Rules" end={<span class="quiet">over {barCount} bars</span>}>
      <div class="body">
        <dl class="pairs stacked">
          <Pair name="Indicators">
            {named.length === 0 && "none"}
            <ul class="values">
              {named.map(([name, indicator]) => (
                <li key={name}>
                  <code>{name}</code> {indicatorInWords(indicator)}
                </li>
              ))}
            </ul>
          </Pair>
          {CONDITIONS.map((name) => (
            <Pair key={name} name={CONDITION_WORDS[name]}>
              {conditions[name] === undefined ? (
                <span class="quiet">never</span>
              ) : (
                <code>{conditions[name]}</code>
              )}
            </Pair>
          ))}
        </dl>
      </div>
    </Sheet>
  );
}
