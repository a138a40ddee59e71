import { EnvironmentBadge, Mark } from "../../parts/mark.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Time } from "../../parts/time.tsx";
import { AccountList } from "./account-list.tsx";
import { ConnectionActions } from "./connection-actions.tsx";
import { stateOf } from "./connection-state.ts";
import type { Account, Connection, KillSwitch } from "./types.ts";

/** One connection: how it stands and since when, what can be done with it, and its accounts. */
export function ConnectionSheet({
  connection,
  accounts,
  killSwitch,
  opensAll,
  refresh,
}: {
  connection: Connection;
  accounts: readonly Account[];
  killSwitch: KillSwitch;
  opensAll: boolean;
  refresh: () => void;
}) {
  const { broker, connectionId, environment, name, since, reason } = connection;
  const { tone, word, meaning } = stateOf(connection);
  return (
    <Sheet
      title={name ?? connectionId}
      end={
        <span class="row">
          <EnvironmentBadge environment={environment} />
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
