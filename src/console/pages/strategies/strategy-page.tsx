import { AccountOf } from "../../parts/account-of.tsx";
import { countText } from "../../parts/figure-text.ts";
import { PageTitle, Sheet } from "../../parts/page.tsx";
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
          <dt>Account</dt>
          <dd class="row">
            <AccountOf id={accountId} account={accounts.find(({ id }) => id === accountId)} />
          </dd>
          <dt>Market</dt>
          <dd>
            {strategy.symbol}, bars of {barWord(barMinutes)}
          </dd>
          <dt>Orders</dt>
          <dd>
            {countText(qty, "contract")}, {bracketInWords(bracket)}
          </dd>
          <dt>Schedule</dt>
          <dd>{scheduleInWords(strategy.schedule)}</dd>
          <dt>Next evaluation</dt>
          <dd>{nextEvaluationAt === null ? "none" : <Time at={nextEvaluationAt} />}</dd>
          <dt>Last decision</dt>
          <dd>
            <LastDecision evaluation={lastEvaluation} />
          </dd>
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
