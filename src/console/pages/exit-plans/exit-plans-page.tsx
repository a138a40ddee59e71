import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { PlanEditor } from "./plan-editor.tsx";
import { NEW_PLAN, planOf, type PlanTyped, typedPlan } from "./plan-typed.ts";

type Schemas = components["schemas"];
type NamedPlan = Schemas["NamedExitPlan"];
type Webhook = Schemas["Webhook"];

interface World {
  readonly plans: readonly NamedPlan[];
  readonly webhooks: readonly Webhook[];
}

const RHYTHM: Rhythm = { refreshOn: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll(): Promise<World> {
  const [{ exitPlans: plans }, { webhooks }] = await Promise.all([
    answerOf(api.GET("/v1/exit-plans")),
    answerOf(api.GET("/v1/webhooks")),
  ]);
  return { plans, webhooks };
}

/** How positions leave again: all plans, one of them, or a new one. */
export function ExitPlansPage() {
  const poll = usePoll("exit plans", readAll, RHYTHM);
  const { path, query } = place.value;
  const name = path[1];
  if (query.has("new")) return <NewPlan refresh={poll.refresh} />;
  return name === undefined ? <List {...poll} /> : <One key={name} {...poll} name={name} />;
}

const toList = () => go("/exit-plans");

function NewPlan({ refresh }: { refresh: () => void }) {
  const create = async (typed: PlanTyped) => {
    const name = typed.name.trim();
    await answerOf(api.POST("/v1/exit-plans", { body: { name, plan: bodyOf(typed) } }));
    refresh();
    toList();
  };
  return (
    <>
      <PageTitle title="New exit plan">
        <a href="#/exit-plans">All exit plans</a>
      </PageTitle>
      <PlanEditor start={NEW_PLAN} isNew onSave={create} onClose={toList} />
    </>
  );
}

/** What is no number goes as it was typed, and is refused by its name. */
const bodyOf = (typed: PlanTyped) => planOf(typed) as Schemas["ExitPlan"];

function One({ answeredAt, data, error, refresh, name }: Polled<World> & { name: string }) {
  const plan = data?.plans.find((one) => one.name === name);
  const save = async (typed: PlanTyped) => {
    const params = { path: { name } };
    await answerOf(api.PUT("/v1/exit-plans/{name}", { params, body: bodyOf(typed) }));
    refresh();
    toList();
  };
  return (
    <>
      <PageTitle title="Exit plan">
        <a href="#/exit-plans">All exit plans</a>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && plan === undefined && <p>This exit plan no longer exists.</p>}
      {data !== undefined && plan !== undefined && (
        <>
          <p class="quiet">
            What you change holds for entries from then on. Positions that are open keep the plan as
            it was when they were asked for. <UsedBy name={name} webhooks={data.webhooks} />
          </p>
          <PlanEditor start={typedPlan(name, plan.plan)} onSave={save} onClose={toList} />
        </>
      )}
    </>
  );
}

const usersOf = (name: string, webhooks: readonly Webhook[]): readonly Webhook[] =>
  webhooks.filter(({ exitPlan }) => exitPlan === name);

function UsedBy({ name, webhooks }: { name: string; webhooks: readonly Webhook[] }) {
  const users = usersOf(name, webhooks);
  if (users.length === 0) return <>No webhook uses it.</>;
  return (
    <>
      Used by{" "}
      {users.map(({ id, name: called }, nth) => (
        <span key={id}>
          {nth > 0 && ", "}
          <a href={`#/webhooks/${id}`}>{called}</a>
        </span>
      ))}
      .
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Polled<World>) {
  const [asked, setAsked] = useState<NamedPlan>();
  return (
    <>
      <PageTitle title="Exit plans">
        <span class="row">
          <a href="#/webhooks">Webhooks</a>
          <button type="button" class="primary" onClick={() => go("/exit-plans?new")}>
            Create an exit plan
          </button>
        </span>
      </PageTitle>
      <p class="quiet">
        How a position leaves again: in which parts, where, and when at the latest. Alerts and
        orders name a plan, and a webhook can have one for all of its entries.
      </p>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Exit plans">
        {data === undefined && error === undefined && <p class="empty">One moment …</p>}
        {data?.plans.length === 0 && <p class="empty">No exit plan yet.</p>}
        {data !== undefined && data.plans.length > 0 && (
          <CardTable
            rows={data.plans}
            keyOf={({ name }) => name}
            columns={columnsOf(data.webhooks, setAsked)}
          />
        )}
      </section>
      {asked !== undefined && (
        <DeletePlan plan={asked} onDone={refresh} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const planAt = (name: string): string => `/exit-plans/${encodeURIComponent(name)}`;

const columnsOf = (
  webhooks: readonly Webhook[],
  onDelete: (plan: NamedPlan) => void,
): readonly Column<NamedPlan>[] => [
  { head: "Name", cell: ({ name }) => <a href={`#${planAt(name)}`}>{name}</a> },
  { head: "Plan", cell: ({ summary }) => summary },
  { head: "Webhooks", cell: ({ name }) => <UsedBy name={name} webhooks={webhooks} /> },
  { head: "Saved", cell: ({ savedAt }) => <Time at={savedAt} /> },
  {
    head: ACTS,
    cell: (plan) => (
      <div class="actions">
        <button type="button" class="small" onClick={() => go(planAt(plan.name))}>
          Edit …<span class="unseen"> {plan.name}</span>
        </button>
        <button type="button" class="small danger" onClick={() => onDelete(plan)}>
          Delete …<span class="unseen"> {plan.name}</span>
        </button>
      </div>
    ),
  },
];

function DeletePlan({
  plan: { name },
  onDone,
  onClose,
}: {
  plan: NamedPlan;
  onDone: () => void;
  onClose: () => void;
}) {
  const remove = async () => {
    const params = { path: { name } };
    await answerOf(api.DELETE("/v1/exit-plans/{name}", { params }));
    onDone();
  };
  return (
    <Confirm title="Delete the exit plan" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>
        Positions that are open keep it. Alerts and orders that name it are refused from then on.
      </p>
    </Confirm>
  );
}
