import { useRef, useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { AccountOf } from "../../parts/account-of.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { goToFirstWrong } from "../../parts/field.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FormEnd, useForm } from "../../parts/form.tsx";
import { Mark } from "../../parts/mark.tsx";
import { PageTitle, Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import {
  type AccountGroup,
  bodyOf,
  type GroupTyped,
  NEW_GROUP,
  sizeText,
  typedGroup,
} from "./group-typed.ts";
import { MemberFields } from "./member-fields.tsx";

type Schemas = components["schemas"];
type Account = Schemas["Account"];
type Webhook = Schemas["Webhook"];

interface World {
  readonly groups: readonly AccountGroup[];
  readonly accounts: readonly Account[];
  readonly webhooks: readonly Webhook[];
}

const RHYTHM: Rhythm = { refreshOn: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll(): Promise<World> {
  const [{ accountGroups: groups }, accounts, { webhooks }] = await Promise.all([
    answerOf(api.GET("/v1/account-groups")),
    readAccounts(),
    answerOf(api.GET("/v1/webhooks")),
  ]);
  return { groups, accounts, webhooks };
}

/** Accounts that one alert goes to: all groups, one of them, or a new one. */
export function AccountGroupsPage() {
  const poll = usePoll("account groups", readAll, RHYTHM);
  const { path, query } = place.value;
  const id = path[1];
  if (query.has("new")) return <NewGroup {...poll} />;
  return id === undefined ? <List {...poll} /> : <One key={id} {...poll} id={id} />;
}

const toList = () => go("/account-groups");

const BackTitle = ({ title }: { title: string }) => (
  <PageTitle title={title}>
    <a href="#/account-groups">All account groups</a>
  </PageTitle>
);

function NewGroup({ answeredAt, data, error, refresh }: Polled<World>) {
  const create = async (typed: GroupTyped) => {
    await answerOf(api.POST("/v1/account-groups", { body: bodyOf(typed) }));
    refresh();
    toList();
  };
  return (
    <>
      <BackTitle title="New account group" />
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && (
        <GroupEditor start={NEW_GROUP} accounts={data.accounts} onSave={create} />
      )}
    </>
  );
}

function One({ answeredAt, data, error, refresh, id }: Polled<World> & { id: string }) {
  const group = data?.groups.find((one) => one.id === id);
  const save = async (typed: GroupTyped) => {
    const params = { path: { groupId: id } };
    await answerOf(api.PATCH("/v1/account-groups/{groupId}", { params, body: bodyOf(typed) }));
    refresh();
    toList();
  };
  return (
    <>
      <BackTitle title="Account group" />
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && group === undefined && <p>This group no longer exists.</p>}
      {data !== undefined && group !== undefined && (
        <>
          <p class="quiet">
            What is changed holds for what is asked from then on. What an account holds that leaves
            the group stays there. <UsedBy group={group} webhooks={data.webhooks} />
          </p>
          <GroupEditor start={typedGroup(group)} accounts={data.accounts} onSave={save} />
        </>
      )}
    </>
  );
}

function GroupEditor({
  start,
  accounts,
  onSave,
}: {
  start: GroupTyped;
  accounts: readonly Account[];
  onSave: (typed: GroupTyped) => Promise<void>;
}) {
  const { action, ...fields } = useForm(start);
  const form = useRef<HTMLFormElement>(null);
  const save = async () => {
    await action.run(() => onSave(fields.typed));
    if (form.current !== null) goToFirstWrong(form.current);
  };
  const submit = (event: Event) => {
    event.preventDefault();
    void save();
  };
  return (
    <Sheet title="The group">
      <div class="body">
        <form ref={form} onSubmit={submit}>
          <TextField
            {...fields.tie("name")}
            label="Name"
            max={64}
            placeholder="Evaluations"
            required
          />
          <MemberFields {...fields} accounts={accounts} />
          <FormEnd
            action={action}
            verb="Save the group"
            isReady={fields.typed.members.length > 0}
            onClose={toList}
          />
        </form>
      </div>
    </Sheet>
  );
}

function UsedBy({ group, webhooks }: { group: AccountGroup; webhooks: readonly Webhook[] }) {
  const users = webhooks.filter(({ groupId }) => groupId === group.id);
  if (users.length === 0) return <>No webhook uses it.</>;
  return (
    <>
      Used by{" "}
      {users.map(({ id, name }, nth) => (
        <span key={id}>
          {nth > 0 && ", "}
          <a href={`#/webhooks/${id}`}>{name}</a>
        </span>
      ))}
      .
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Polled<World>) {
  const [asked, setAsked] = useState<AccountGroup>();
  return (
    <>
      <PageTitle title="Account groups">
        <span class="row">
          <a href="#/webhooks">Webhooks</a>
          <button type="button" class="primary" onClick={() => go("/account-groups?new")}>
            Create a group
          </button>
        </span>
      </PageTitle>
      <p class="quiet">
        One alert for several accounts: a webhook can point to a group instead of an account. All of
        it is checked first, and then each account gets an order of its own, in its own size.
      </p>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Account groups">
        {data === undefined && error === undefined && <p class="empty">One moment …</p>}
        {data?.groups.length === 0 && <p class="empty">No account group yet.</p>}
        {data !== undefined && data.groups.length > 0 && (
          <CardTable
            rows={data.groups}
            keyOf={({ id }) => id}
            columns={columnsOf(data, setAsked)}
          />
        )}
      </section>
      {asked !== undefined && (
        <DeleteGroup group={asked} onDone={refresh} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}

const columnsOf = (
  { accounts, webhooks }: World,
  onDelete: (group: AccountGroup) => void,
): readonly Column<AccountGroup>[] => [
  { head: "Name", cell: ({ id, name }) => <a href={`#/account-groups/${id}`}>{name}</a> },
  {
    head: "Accounts",
    cell: ({ members }) => (
      <ol class="plain">
        {members.map((member) => (
          <li key={member.accountId}>
            <span class="row">
              <AccountOf id={member.accountId} accounts={accounts} />
              <span class="quiet">{sizeText(member)}</span>
              {!member.enabled && <Mark tone="watch">Off</Mark>}
            </span>
          </li>
        ))}
      </ol>
    ),
  },
  { head: "Webhooks", cell: (group) => <UsedBy group={group} webhooks={webhooks} /> },
  {
    head: ACTS,
    cell: (group) => (
      <div class="actions">
        <button type="button" class="small" onClick={() => go(`/account-groups/${group.id}`)}>
          Edit …<span class="unseen"> {group.name}</span>
        </button>
        <button type="button" class="small danger" onClick={() => onDelete(group)}>
          Delete …<span class="unseen"> {group.name}</span>
        </button>
      </div>
    ),
  },
];

function DeleteGroup({
  group: { id, name },
  onDone,
  onClose,
}: {
  group: AccountGroup;
  onDone: () => void;
  onClose: () => void;
}) {
  const remove = async () => {
    const params = { path: { groupId: id } };
    await answerOf(api.DELETE("/v1/account-groups/{groupId}", { params }));
    onDone();
  };
  return (
    <Confirm title="Delete the account group" verb="Delete it" onConfirm={remove} onClose={onClose}>
      <p>
        <strong>{name}</strong>
      </p>
      <p>Its accounts keep what they hold. A group that a webhook points to cannot be deleted.</p>
    </Confirm>
  );
}
