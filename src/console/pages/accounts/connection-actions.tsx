import { useEffect, useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ConnectionName } from "../../parts/account-of.tsx";
import { useAction } from "../../parts/action.tsx";
import { Confirm } from "../../parts/dialog.tsx";
import { countText } from "../../parts/figure-text.ts";
import { Problem } from "../../parts/problem.tsx";
import { mayReconnect } from "./connection-state.ts";
import { EditConnection } from "./edit-connection.tsx";
import type { Account, Connection, ConnectionTest } from "./types.ts";

type Asked = "edit" | "pause" | "remove";

/** What a person can do with a connection. The gateway's own is set by its settings. */
export function ConnectionActions({
  connection,
  accounts,
  refresh,
}: {
  connection: Connection;
  accounts: readonly Account[];
  refresh: () => void;
}) {
  const [asked, setAsked] = useState<Asked>();
  const [trial, setTrial] = useState<ConnectionTest>();
  const [next, setNext] = useState<string>();
  const action = useAction();
  const params = { path: { id: connection.connectionId } };
  const test = () =>
    action.run(async () => {
      setTrial(undefined);
      setTrial(await answerOf(api.POST("/v1/connections/{id}/test", { params })));
    });
  const reconnect = () =>
    action.run(async () => {
      const asked = await answerOf(api.POST("/v1/connections/{id}/reconnect", { params }));
      setNext(asked.next);
      refresh();
    });
  const resume = () =>
    action.run(async () => {
      await answerOf(api.PATCH("/v1/connections/{id}", { params, body: { paused: false } }));
      refresh();
    });

  const isOwn = connection.name === null;
  const dialog = { connection, accounts, onClose: () => setAsked(undefined), onDone: refresh };
  return (
    <>
      <div class="actions">
        {mayReconnect(connection) && (
          <Do onDo={reconnect} isRunning={action.isRunning} label="Reconnect" />
        )}
        {!isOwn && (
          <>
            {connection.paused && <Do onDo={resume} isRunning={action.isRunning} label="Resume" />}
            <Do onDo={test} isRunning={action.isRunning} label="Test the login" />
            <Do onDo={() => setAsked("edit")} label="Edit" />
            {!connection.paused && <Do onDo={() => setAsked("pause")} label="Pause" />}
            <Do onDo={() => setAsked("remove")} label="Remove" isDanger />
          </>
        )}
        {isOwn && (
          <span class="quiet">Set in the gateway's configuration; it cannot be changed here.</span>
        )}
      </div>
      <Problem error={action.error} />
      {next !== undefined && (
        <p class="notice" role="status">
          {next}
        </p>
      )}
      {trial !== undefined && <ConnectionTrial trial={trial} />}
      {asked === "edit" && <EditConnection {...dialog} />}
      {asked === "pause" && <PauseConnection {...dialog} />}
      {asked === "remove" && <RemoveConnection {...dialog} />}
    </>
  );
}

function Do({
  label,
  onDo,
  isRunning = false,
  isDanger = false,
}: {
  label: string;
  onDo: () => unknown;
  isRunning?: boolean;
  isDanger?: boolean;
}) {
  return (
    <button
      type="button"
      class={isDanger ? "small danger" : "small"}
      disabled={isRunning}
      onClick={() => void onDo()}
    >
      {label}
    </button>
  );
}

const WORDS: Readonly<Record<ConnectionTest["result"], readonly [tone: string, words: string]>> = {
  ok: ["good", "The login works: it was logged in, its accounts were read, and it was logged out."],
  connected: ["good", "It is connected already, so no second login was tried."],
  busy: ["watch", "Somebody is logging in with it right now, so nothing was tried."],
  refused: ["bad", "The broker refused the login."],
  failed: ["bad", "The login could not be tried to its end."],
};

/** What came of trying a login. No order was sent by it. */
function ConnectionTrial({ trial }: { trial: ConnectionTest }) {
  const [tone, words] = WORDS[trial.result];
  return (
    <div class={`notice ${tone}`} role="status">
      <strong>{words}</strong>
      {trial.reason !== null && <p>{trial.reason}</p>}
      {trial.accounts.length > 0 && (
        <ul class="plain">
          {trial.accounts.map(({ accountId, name, active }) => (
            <li key={accountId}>
              {name} <span class="mono quiet">{accountId}</span>
              {!active && " (inactive)"}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

interface EndProps {
  connection: Connection;
  accounts: readonly Account[];
  onClose: () => void;
  onDone: () => void;
}

function PauseConnection({ connection, accounts, onClose, onDone }: EndProps) {
  const params = { path: { id: connection.connectionId } };
  return (
    <Confirm
      title="Pause the connection"
      verb="Pause it"
      onClose={onClose}
      onConfirm={async () => {
        await answerOf(api.PATCH("/v1/connections/{id}", { params, body: { paused: true } }));
        onDone();
      }}
    >
      <ConnectionName connection={connection} accounts={accounts} />
      <p>Its session ends, and nothing logs in until it is resumed.</p>
      <WhatHappens accounts={accounts} />
    </Confirm>
  );
}

function RemoveConnection({ connection, accounts, onClose, onDone }: EndProps) {
  const params = { path: { id: connection.connectionId } };
  return (
    <Confirm
      title="Remove the connection"
      verb="Remove it"
      onClose={onClose}
      onConfirm={async () => {
        await answerOf(api.DELETE("/v1/connections/{id}", { params }));
        onDone();
      }}
    >
      <ConnectionName connection={connection} accounts={accounts} />
      <p>Its session ends, and its passwords and secrets are forgotten.</p>
      <WhatHappens accounts={accounts} />
      <p>Their history stays here. It can be added again, with its secrets typed anew.</p>
    </Confirm>
  );
}

function WhatHappens({ accounts }: { accounts: readonly Account[] }) {
  const webhooks = useWebhooksOf(accounts);
  if (accounts.length === 0) return <p>It has no accounts.</p>;
  const alerts =
    webhooks === undefined
      ? "Alerts for them are refused, exits too."
      : webhooks.length === 0
        ? "No webhook points at them."
        : `Alerts of ${countText(webhooks.length, "webhook")} are refused, exits too: ${webhooks.join(", ")}.`;
  return (
    <>
      <p>{countText(accounts.length, "account becomes", "accounts become")} inactive:</p>
      <ul class="plain">
        {accounts.map(({ id, name }) => (
          <li key={id}>
            {name} <span class="mono quiet">{id}</span>
          </li>
        ))}
      </ul>
      <p>{alerts} What waits to be sent is refused.</p>
      <p>
        <strong>Positions and orders stay open at the broker.</strong> Close them before, if they
        are to be closed.
      </p>
    </>
  );
}

/** The names of the webhooks that trade these accounts; undefined while that is not known. */
function useWebhooksOf(accounts: readonly Account[]): readonly string[] | undefined {
  const [names, setNames] = useState<readonly string[]>();
  useEffect(() => {
    const ids = new Set(accounts.map(({ id }) => id));
    answerOf(api.GET("/v1/webhooks")).then(
      ({ webhooks }) =>
        setNames(webhooks.filter(({ accountId }) => ids.has(accountId)).map(({ name }) => name)),
      () => setNames(undefined),
    );
  }, []);
  return names;
}
