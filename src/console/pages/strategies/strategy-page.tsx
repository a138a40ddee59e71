import { AccountOf } from "../../parts/account-of.tsx";
import { PageTitle } from "../../parts/page-title.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Time } from "../../parts/time.tsx";
import { EvaluationLog } from "./evaluation-log.tsx";
import { LastDecision } from "./last-decision.tsx";
import { StrategyActions } from "./strategy-actions.tsx";
import { StrategyChart } from "./strategy-chart.tsx";
import { ModeMark, StrategyStanding } from "./strategy-standing.tsx";
import { Rules } from "./rules.tsx";
import { barWord, bracketInWords, scheduleInWords } from "./term-words.ts";
import { countText } from "../../parts/figure-text.ts";
import type { Account, Strategy } from "./types.ts";

export interface StrategyProps {
  strategy: Strategy;
  accounts: readonly Account[];
  refresh: () => void;
}

/** One strategy: how it stands, what it looks at, and what it decided. */
export function StrategyPage(of: StrategyProps) {
  const { strategy } = of;
  return (
    <>
      <PageTitle title={strategy.name}>
        <a href="#/strategies">All strategies</a>
      </PageTitle>
      <StateSheet {...of} />
      <StrategyChart key={strategy.version} strategy={strategy} />
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
