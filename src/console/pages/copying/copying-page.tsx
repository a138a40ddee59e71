import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { GroupStanding } from "./follower-state.tsx";
import { GroupForm } from "./group-form.tsx";
import { GroupPage, Leader } from "./group-page.tsx";
import { creationOf, type GroupTyped, modeWord, newGroup } from "./group-terms.ts";
import { type CopyGroup, mayLead, type World } from "./world.ts";

/** How far followers are from their leader follows from what both hold, and from time. */
const RHYTHM: Rhythm = { refreshOn: { what: ["positions", "overview"] }, anywayMs: 15_000 };

async function readAll(): Promise<World> {
  const [{ copyGroups: groups }, accounts, { connections }] = await Promise.all([
    answerOf(api.GET("/v1/copy-groups")),
    readAccounts(),
    answerOf(api.GET("/v1/connections")),
  ]);
  return { groups, accounts, connections };
}

/** Who follows whom: all groups, or the one that the address names. */
export function CopyingPage() {
  const poll = usePoll("copying", readAll, RHYTHM);
  const id = place.value.path[1];
  return id === undefined ? <List {...poll} /> : <One {...poll} id={id} />;
}

function One({ answeredAt, data, error, refresh, id }: Polled<World> & { id: string }) {
  const group = data?.groups.find((one) => one.id === id);
  return (
    <>
      {group === undefined && (
        <PageTitle title="Copy group">
          <a href="#/copying">All groups</a>
        </PageTitle>
      )}
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && group === undefined && <p>This group no longer exists.</p>}
      {data !== undefined && group !== undefined && (
        <GroupPage key={id} group={group} world={data} refresh={refresh} />
      )}
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Polled<World>) {
  const [isCreating, setIsCreating] = useState(false);
  const leaders = data === undefined ? [] : mayLead(data);
  const first = leaders.find(({ active }) => active) ?? leaders[0];
  const create = async (typed: GroupTyped) => {
    const { id } = await answerOf(api.POST("/v1/copy-groups", { body: creationOf(typed) }));
    setIsCreating(false);
    refresh();
    go(`/copying/${id}`);
  };
  return (
    <>
      <PageTitle title="Copying">
        <button
          type="button"
          class="primary"
          disabled={first === undefined}
          onClick={() => setIsCreating(true)}
        >
          Create a group
        </button>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Copy groups">
        {data === undefined ? <p class="empty">One moment …</p> : <GroupTable world={data} />}
      </section>
      {isCreating && first !== undefined && (
        <GroupForm
          title="Create a group"
          verb="Create it"
          leaders={leaders}
          start={newGroup(first.id)}
          onSave={create}
          onClose={() => setIsCreating(false)}
        />
      )}
    </>
  );
}

const columnsOf = (world: World): readonly Column<CopyGroup>[] => [
  { head: "Name", cell: ({ id, name }) => <a href={`#/copying/${id}`}>{name}</a> },
  { head: "Leader", cell: (group) => <Leader group={group} world={world} /> },
  { head: "Copied", cell: ({ mode }) => modeWord(mode) },
  { head: "State", cell: (group) => <GroupStanding group={group} /> },
  { head: { figure: "Followers" }, cell: ({ followers }) => followers.length },
];

/** Every group in a line, each with a page of its own. */
function GroupTable({ world }: { world: World }) {
  const { groups } = world;
  if (groups.length === 0) {
    return (
      <p class="empty">
        No group yet. In a group, accounts follow another one: what that one trades, they trade,
        each in its own size.
      </p>
    );
  }
  return <CardTable rows={groups} keyOf={({ id }) => id} columns={columnsOf(world)} />;
}
