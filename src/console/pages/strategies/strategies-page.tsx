import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { StrategyForm } from "./strategy-form.tsx";
import { LastDecision, ModeMark, StrategyStanding } from "./strategy-marks.tsx";
import { StrategyPage } from "./strategy-page.tsx";
import { creationOf, newStrategy, type StrategyTyped } from "./strategy-typed.ts";
import { barWord, ownTimeZone } from "./term-words.ts";
import type { Account, Strategy, World } from "./types.ts";

const RHYTHM: Rhythm = { refreshOn: { what: ["positions", "overview"] }, anywayMs: 15_000 };

async function readAll(): Promise<World> {
  const [{ strategies }, accounts] = await Promise.all([
    answerOf(api.GET("/v1/strategies")),
    readAccounts(),
  ]);
  return { strategies, accounts };
}

/** Rules that trade by themselves: all of them, or the one that the address names. */
export function StrategiesPage() {
  const poll = usePoll("strategies", readAll, RHYTHM);
  const id = place.value.path[1];
  return id === undefined ? <List {...poll} /> : <One {...poll} id={id} />;
}

function One({ answeredAt, data, error, refresh, id }: Polled<World> & { id: string }) {
  const strategy = data?.strategies.find((one) => one.id === id);
  return (
    <>
      {strategy === undefined && (
        <PageTitle title="Strategy">
          <a href="#/strategies">All strategies</a>
        </PageTitle>
      )}
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && strategy === undefined && <p>This strategy no longer exists.</p>}
      {data !== undefined && strategy !== undefined && (
        <StrategyPage key={id} strategy={strategy} accounts={data.accounts} refresh={refresh} />
      )}
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Polled<World>) {
  const [isCreating, setIsCreating] = useState(false);
  const accounts = data?.accounts ?? [];
  const first = accounts.find(({ active }) => active) ?? accounts[0];
  const create = async (typed: StrategyTyped) => {
    const { id } = await answerOf(api.POST("/v1/strategies", { body: creationOf(typed) }));
    setIsCreating(false);
    refresh();
    go(`/strategies/${id}`);
  };
  return (
    <>
      <PageTitle title="Strategies">
        <button
          type="button"
          class="primary"
          disabled={first === undefined}
          onClick={() => setIsCreating(true)}
        >
          Create a strategy
        </button>
      </PageTitle>
      <p class="quiet">
        Beta: what strategies do may still change. Let a new one observe first, and compare what it
        decides with what you would have done.
      </p>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Strategies">
        {data === undefined ? <p class="empty">One moment …</p> : <StrategyTable world={data} />}
      </section>
      {isCreating && first !== undefined && (
        <StrategyForm
          title="Create a strategy"
          verb="Create it"
          accounts={accounts}
          start={newStrategy(first.id, ownTimeZone())}
          onSave={create}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  );
}

const columnsOf = (accounts: readonly Account[]): readonly Column<Strategy>[] => [
  { head: "Name", cell: ({ id, name }) => <a href={`#/strategies/${id}`}>{name}</a> },
  {
    head: "Account",
    cell: ({ accountId }) => (
      <span class="row">
        <AccountOf id={accountId} accounts={accounts} />
      </span>
    ),
  },
  {
    head: "Market",
    cell: ({ barMinutes, symbol }) => (
      <span>
        {symbol}, {barWord(barMinutes)}
      </span>
    ),
  },
  { head: "Mode", cell: ({ mode }) => <ModeMark mode={mode} /> },
  { head: "State", look: "told", cell: (strategy) => <StrategyStanding strategy={strategy} /> },
  {
    head: "Last decision",
    look: "told",
    cell: ({ lastEvaluation }) => <LastDecision evaluation={lastEvaluation} />,
  },
  {
    head: "Next evaluation",
    cell: ({ nextEvaluationAt }) =>
      nextEvaluationAt === null ? <span class="quiet">none</span> : <Time at={nextEvaluationAt} />,
  },
];

/** Every strategy in a line, each with a page of its own. */
function StrategyTable({ world: { accounts, strategies } }: { world: World }) {
  if (strategies.length === 0) {
    return (
      <p class="empty">
        No strategy yet. A strategy looks at bars and indicators by a schedule, and says, or trades,
        what its conditions come to.
      </p>
    );
  }
  return (
    <div class="strategies">
      <CardTable rows={strategies} keyOf={({ id }) => id} columns={columnsOf(accounts)} />
    </div>
  );
}
