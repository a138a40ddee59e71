import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ConnectionName } from "../../parts/account-of.tsx";
import { useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { Form } from "../../parts/form.tsx";
import { Stale } from "../../parts/problem.tsx";
import { usePoll } from "../../shell/poll.ts";
import { BrokerFields, changesOf, type Typed, typedOf, useBrokers } from "./broker-fields.tsx";
import type { Account, BrokerField, Connection, ConnectionDetail } from "./types.ts";

const EVERY_MS = 10_000;

/** Changes a connection's name and settings. Its session ends in order, and another one begins. */
export function EditConnection({
  connection,
  accounts,
  onClose,
  onDone,
}: {
  connection: Connection;
  accounts: readonly Account[];
  onClose: () => void;
  onDone: () => void;
}) {
  const brokers = useBrokers();
  const params = { path: { id: connection.connectionId } };
  const stored = usePoll(
    `connection ${connection.connectionId}`,
    () => answerOf(api.GET("/v1/connections/{id}", { params })),
    { everyMs: EVERY_MS },
  );
  const detail = stored.data;
  const fields = brokers.data?.brokers.find(({ broker }) => broker === connection.broker)?.fields;
  return (
    <Dialog title="Edit the connection" onClose={onClose}>
      <ConnectionName connection={connection} accounts={accounts} />
      <Stale error={stored.error ?? brokers.error} since={stored.answeredAt} />
      {detail !== undefined && fields !== undefined && (
        <EditForm detail={detail} fields={fields} onClose={onClose} onDone={onDone} />
      )}
    </Dialog>
  );
}

function EditForm({
  detail,
  fields,
  onClose,
  onDone,
}: {
  detail: ConnectionDetail;
  fields: readonly BrokerField[];
  onClose: () => void;
  onDone: () => void;
}) {
  const before = typedOf(detail);
  const [name, setName] = useState(detail.name ?? "");
  const [typed, setTyped] = useState<Typed>(before);
  const action = useAction();
  const settings = changesOf(fields, typed, before);
  const body = {
    ...(name.trim() !== detail.name && name.trim() !== "" && { name: name.trim() }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  const changes = Object.keys(body).length > 0;
  const save = async () => {
    const params = { path: { id: detail.connectionId } };
    await answerOf(api.PATCH("/v1/connections/{id}", { params, body }));
    onDone();
    onClose();
  };
  return (
    <Form action={action} verb="Save" isReady={changes} onSend={save} onClose={onClose}>
      <TextField
        label="Name"
        name="name"
        value={name}
        onValue={setName}
        max={64}
        error={action.error}
      />
      <BrokerFields
        fields={fields}
        typed={typed}
        onType={setTyped}
        error={action.error}
        kept={detail.secrets ?? {}}
      />
      {"settings" in body && (
        <p class="notice watch">
          With new settings its session ends and another one begins. What was sent gets its answer
          first; what comes meanwhile waits.
        </p>
      )}
    </Form>
  );
}
