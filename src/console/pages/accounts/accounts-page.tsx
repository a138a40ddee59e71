import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { PageTitle } from "../../parts/page-title.tsx";
import { Stale } from "../../parts/stale.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { connectionStates } from "../../shell/live.ts";
import { type Rhythm, usePoll } from "../../shell/poll.ts";
import { AccountList } from "./account-list.tsx";
import { AddConnection } from "./add-connection.tsx";
import { withLiveState } from "./connection-state.ts";
import { ConnectionSheet } from "./connection-sheet.tsx";
import { KillSwitchOfAll } from "./kill-switch-of-all.tsx";

const RHYTHM: Rhythm = { hears: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll() {
  const [{ connections }, { accounts }, killSwitch] = await Promise.all([
    answerOf(api.GET("/v1/connections")),
    answerOf(api.GET("/v1/accounts")),
    answerOf(api.GET("/v1/kill-switch")),
  ]);
  return { connections, accounts, killSwitch };
}

/** The connections to brokers, and the accounts behind each of them. */
export function AccountsPage() {
  const { answeredAt, data, error, refresh } = usePoll("accounts", readAll, RHYTHM);
  const [isAdding, setIsAdding] = useState(false);
  return (
    <>
      <PageTitle title="Accounts">
        <button type="button" class="primary" onClick={() => setIsAdding(true)}>
          Add a connection
        </button>
      </PageTitle>
      <Stale error={error} since={answeredAt} />
      {data === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {data !== undefined && <All {...data} refresh={refresh} />}
      {isAdding && <AddConnection onClose={() => setIsAdding(false)} onAdded={refresh} />}
    </>
  );
}

type AllProps = Awaited<ReturnType<typeof readAll>> & { refresh: () => void };

function All({ connections, accounts, killSwitch, refresh }: AllProps) {
  const live = connectionStates.value;
  const known = new Set(connections.map(({ connectionId }) => connectionId));
  const left = accounts.filter(({ connectionId }) => !known.has(connectionId));
  const opensAll = accounts.filter(({ active }) => active).length <= 2;
  const shared = { killSwitch, opensAll, refresh };
  return (
    <>
      <KillSwitchOfAll killSwitch={killSwitch} refresh={refresh} />
      {connections.map((connection) => (
        <ConnectionSheet
          key={connection.connectionId}
          connection={withLiveState(connection, live)}
          accounts={accounts.filter(({ connectionId }) => connectionId === connection.connectionId)}
          {...shared}
        />
      ))}
      {left.length > 0 && (
        <Sheet title="Without a connection">
          <p class="lead quiet">
            Their connection was removed. Their history stays here, and what is open stays at the
            broker.
          </p>
          <AccountList accounts={left} {...shared} />
        </Sheet>
      )}
    </>
  );
}
