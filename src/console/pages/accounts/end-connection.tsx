import { answerOf, api } from "../../api/client.ts";
import { countText } from "../../parts/figure-text.ts";
import { Confirm } from "../../parts/confirm.tsx";
import { ConnectionName } from "./connection-name.tsx";
import { useWebhooksOf } from "./use-webhooks-of.ts";
import type { Account, Connection } from "./types.ts";

interface EndProps {
  connection: Connection;
  accounts: readonly Account[];
  onClose: () => void;
  onDone: () => void;
}

export function PauseConnection({ connection, accounts, onClose, onDone }: EndProps) {
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
      <ConnectionName connection={connection} />
      <p>Its session ends, and nothing logs in until it is resumed.</p>
      <WhatHappens accounts={accounts} />
    </Confirm>
  );
}

export function RemoveConnection({ connection, accounts, onClose, onDone }: EndProps) {
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
      <ConnectionName connection={connection} />
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
