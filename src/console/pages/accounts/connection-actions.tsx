import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Problem } from "../../parts/problem.tsx";
import { useAction } from "../../parts/use-action.ts";
import { waitsForPerson } from "./connection-state.ts";
import { ConnectionTrial } from "./connection-trial.tsx";
import { EditConnection } from "./edit-connection.tsx";
import { PauseConnection, RemoveConnection } from "./end-connection.tsx";
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
  const action = useAction();
  const params = { path: { id: connection.connectionId } };
  const test = () =>
    action.run(async () => {
      setTrial(undefined);
      setTrial(await answerOf(api.POST("/v1/connections/{id}/test", { params })));
    });
  const reconnect = () =>
    action.run(async () => {
      await answerOf(api.POST("/v1/connections/{id}/reconnect", { params }));
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
        {waitsForPerson(connection) && !connection.paused && (
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
