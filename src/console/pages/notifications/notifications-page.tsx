import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { go, place } from "../../shell/router.ts";
import { CHANNELS } from "./channels.ts";
import { DestinationForm } from "./destination-form.tsx";
import { DestinationPage } from "./destination-page.tsx";
import { DestinationMark, Failure } from "./destination-state.tsx";
import { creationOf, type DestinationTyped, typedOf } from "./destination-typed.ts";
import { ShownSecret } from "./shown-secret.tsx";
import type { Account, Destination } from "./types.ts";
import { OWN_ZONE } from "./own-zone.ts";

/** What arrives, and what does not, nobody reports. */
const RHYTHM: Rhythm = {
  refreshOn: { what: ["overview"], accountId: null },
  everyMs: 5_000,
  anywayMs: 5_000,
};

async function readAll() {
  const [{ destinations }, accounts] = await Promise.all([
    answerOf(api.GET("/v1/destinations")),
    readAccounts(),
  ]);
  return { destinations, accounts };
}

/** All destinations, or the one that the address names. */
export function NotificationsPage() {
  const poll = usePoll("destinations", readAll, RHYTHM);
  const id = place.value.path[1];
  return id === undefined ? <List {...poll} /> : <One {...poll} id={id} />;
}

type Read = Polled<Awaited<ReturnType<typeof readAll>>>;

function One({ answeredAt, data, error, refresh, id }: Read & { id: string }) {
  const destination = data?.destinations.find((one) => one.id === id);
  return (
    <>
      {destination === undefined && <PageTitle title="Destination" />}
      <Stale error={error} since={answeredAt} />
      {data !== undefined && destination === undefined && <p>This destination no longer exists.</p>}
      {data !== undefined && destination !== undefined && (
        <DestinationPage
          key={id}
          destination={destination}
          accounts={data.accounts}
          refresh={refresh}
        />
      )}
    </>
  );
}

function List({ answeredAt, data, error, refresh }: Read) {
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <PageTitle title="Notifications">
        <button type="button" class="primary" onClick={() => setIsAdding(true)}>
          Add a destination
        </button>
      </PageTitle>
      <p class="quiet">
        The gateway tells each destination what happens: fills, refusals, and what needs you. A dead
        gateway can tell nothing: add a heartbeat too.
      </p>
      <Stale error={error} since={answeredAt} />
      <section class="sheet" aria-label="Destinations">
        {data === undefined ? (
          <p class="empty">One moment …</p>
        ) : (
          <DestinationTable destinations={data.destinations} />
        )}
      </section>
      {isAdding && (
        <AddDestination
          accounts={data?.accounts ?? []}
          refresh={refresh}
          onClose={() => setIsAdding(false)}
        />
      )}
    </>
  );
}

interface Created {
  readonly id: string;
  readonly name: string;
  readonly secret: string | null;
}

/** The form, and then what is shown once, or the page where the destination is linked and tested. */
function AddDestination({
  accounts,
  refresh,
  onClose,
}: {
  accounts: readonly Account[];
  refresh: () => void;
  onClose: () => void;
}) {
  const [created, setCreated] = useState<Created>();
  const add = async (typed: DestinationTyped) => {
    const made = await answerOf(api.POST("/v1/destinations", { body: creationOf(typed) }));
    refresh();
    if (made.secret === null) go(`/notifications/${made.id}`);
    else setCreated(made);
  };
  if (created !== undefined && created.secret !== null) {
    const show = () => go(`/notifications/${created.id}`);
    return <ShownSecret name={created.name} secret={created.secret} onClose={show} />;
  }
  return (
    <DestinationForm
      title="Add a destination"
      verb="Add it"
      accounts={accounts}
      start={typedOf(undefined, OWN_ZONE)}
      onSave={add}
      onClose={onClose}
    />
  );
}

const COLUMNS: readonly Column<Destination>[] = [
  { head: "Name", cell: ({ id, name }) => <a href={`#/notifications/${id}`}>{name}</a> },
  { head: "Where to", cell: ({ kind }) => CHANNELS[kind].label },
  { head: "State", cell: (destination) => <DestinationMark destination={destination} /> },
  { head: { figure: "Waiting" }, cell: ({ state }) => state.waiting },
  { head: { figure: "Undelivered" }, cell: ({ state }) => state.undelivered },
  {
    head: "Last delivered",
    cell: ({ state: { deliveredAt } }) => <Time at={deliveredAt ?? undefined} />,
  },
  {
    head: "Last failure",
    cell: ({ state: { failure } }) => (failure === null ? "none" : <Failure failure={failure} />),
  },
];

function DestinationTable({ destinations }: { destinations: readonly Destination[] }) {
  if (destinations.length === 0) {
    return <p class="empty">Nobody is told anything yet: add your phone or a chat.</p>;
  }
  return <CardTable rows={destinations} keyOf={({ id }) => id} columns={COLUMNS} />;
}
