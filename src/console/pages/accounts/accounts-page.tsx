import { useState } from "preact/hooks";
import { readAccounts } from "../../api/accounts.ts";
import { answerOf, api } from "../../api/client.ts";
import { ConnectionBadges } from "../../parts/account-of.tsx";
import { Mark } from "../../parts/mark.tsx";
import type { AccountMoney } from "../../parts/money.ts";
import { PageTitle, Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { Time } from "../../parts/time.tsx";
import { connectionStates } from "../../shell/live.ts";
import { type Polled, type Rhythm, usePoll } from "../../shell/poll.ts";
import { useMoney } from "../../shell/use-money.ts";
import { AccountList } from "./account-list.tsx";
import { AddConnection } from "./add-connection.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { stateOf, withLiveState } from "./connection-state.ts";
import { KillSwitchOfAll } from "./kill-switch.tsx";
import type { Account, Connection, KillSwitch } from "./types.ts";

const RHYTHM: Rhythm = { refreshOn: { what: ["overview"], accountId: null }, anywayMs: 30_000 };

async function readAll() {
  const [{ connections }, accounts, killSwitch] = await Promise.all([
    answerOf(api.GET("/v1/connections")),
    readAccounts(),
    answerOf(api.GET("/v1/kill-switch")),
  ]);
  return { connections, accounts, killSwitch };
}

/** The connections to brokers, and the accounts behind each of them. */
export function AccountsPage() {
  const money = useMoney();
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
      {data !== undefined && <All {...data} money={money} refresh={refresh} />}
      {isAdding && <AddConnection onClose={() => setIsAdding(false)} onAdded={refresh} />}
    </>
  );
}

type AllProps = Awaited<ReturnType<typeof readAll>> & {
  money: Polled<readonly AccountMoney[]>;
  refresh: () => void;
};

function All({ connections, accounts, killSwitch, money, refresh }: AllProps) {
  const live = connectionStates.value;
  const known = new Set(connections.map(({ connectionId }) => connectionId));
  const left = accounts.filter(({ connectionId }) => !known.has(connectionId));
  const opensAll = accounts.filter(({ active }) => active).length <= 2;
  const shared = { killSwitch, money, opensAll, refresh };
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

/** One connection: how it stands and since when, what can be done with it, and its accounts. */
function ConnectionSheet({
  connection,
  accounts,
  killSwitch,
  money,
  opensAll,
  refresh,
}: {
  connection: Connection;
  accounts: readonly Account[];
  killSwitch: KillSwitch;
  money: Polled<readonly AccountMoney[]>;
  opensAll: boolean;
  refresh: () => void;
}) {
  const { broker, connectionId, name, since, reason } = connection;
  const { tone, word, meaning } = stateOf(connection);
  return (
    <Sheet
      title={name ?? connectionId}
      end={
        <span class="row">
          <ConnectionBadges connection={connection} accounts={accounts} />
          <span role="status">
            <Mark tone={tone}>{word}</Mark>
          </span>
        </span>
      }
    >
      <div class="body">
        <p class="quiet">
          <span class="mono">{connectionId}</span> at {broker}, {word.toLowerCase()} since{" "}
          <Time at={since} />
        </p>
        {meaning !== undefined && (
          <div class={`notice ${tone === "bad" ? "bad" : "watch"}`}>
            {reason !== null && <strong>{reason}</strong>}
            <p>{meaning}</p>
          </div>
        )}
        <ConnectionActions connection={connection} accounts={accounts} refresh={refresh} />
      </div>
      <AccountList
        accounts={accounts}
        killSwitch={killSwitch}
        money={money}
        opensAll={opensAll}
        refresh={refresh}
        why={whyInactive(connection)}
      />
    </Sheet>
  );
}

const whyInactive = ({ paused }: Connection): string =>
  paused
    ? "its connection is paused"
    : "the broker no longer reports it, or no longer lets it trade";
