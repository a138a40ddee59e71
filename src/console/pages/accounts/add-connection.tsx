import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { FormEnd, useAction } from "../../parts/action.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Stale } from "../../parts/problem.tsx";
import { BrokerFields, settingsOf, type Typed, useBrokers } from "./broker-fields.tsx";
import type { Broker } from "./types.ts";

/** Asks for a login at a broker. It is logged in right after, which the page shows. */
export function AddConnection({ onClose, onAdded }: { onClose: () => void; onAdded: () => void }) {
  const { answeredAt, data, error } = useBrokers();
  const brokers = data?.brokers;
  return (
    <Dialog title="Add a connection" onClose={onClose}>
      <Stale error={error} since={answeredAt} />
      {brokers === undefined && error === undefined && <p class="quiet">One moment …</p>}
      {brokers?.length === 0 && <p>This gateway knows no broker that can be added.</p>}
      {brokers !== undefined && brokers.length > 0 && (
        <AddForm brokers={brokers} onClose={onClose} onAdded={onAdded} />
      )}
    </Dialog>
  );
}

const CALLED = { demo: "Demo: simulated money", live: "Live: real money" } as const;

type Environment = "demo" | "live";

interface Head {
  readonly broker: string;
  readonly environment: Environment;
  readonly name: string;
}

const headOf = (broker: Broker | undefined): Head => ({
  broker: broker?.broker ?? "",
  environment: broker?.environments[0] ?? "demo",
  name: "",
});

/** What every connection has, whatever its broker asks for. */
function HeadFields({
  brokers,
  head,
  onHead,
  error,
}: {
  brokers: readonly Broker[];
  head: Head;
  onHead: (head: Head) => void;
  error: Error | undefined;
}) {
  const broker = brokers.find((one) => one.broker === head.broker);
  return (
    <div class="columns">
      <SelectField
        label="Broker"
        name="broker"
        value={head.broker}
        options={brokers.map((one) => [one.broker, one.label] as const)}
        onValue={(name) =>
          onHead({ ...headOf(brokers.find((one) => one.broker === name)), name: head.name })
        }
        error={error}
      />
      <SelectField
        label="Environment"
        name="environment"
        value={head.environment}
        options={(broker?.environments ?? []).map((one) => [one, CALLED[one]] as const)}
        onValue={(environment) => onHead({ ...head, environment })}
        error={error}
        hint="It stays what it is: demo and live are two connections."
      />
      <TextField
        label="Name"
        name="name"
        value={head.name}
        onValue={(name) => onHead({ ...head, name })}
        max={64}
        placeholder="Evaluation"
        hint="How it is called here. It may be left empty."
        error={error}
      />
    </div>
  );
}

function AddForm({
  brokers,
  onClose,
  onAdded,
}: {
  brokers: readonly Broker[];
  onClose: () => void;
  onAdded: () => void;
}) {
  const [head, setHead] = useState(() => headOf(brokers[0]));
  const [typed, setTyped] = useState<Typed>({});
  const action = useAction();
  const broker = brokers.find((one) => one.broker === head.broker);
  const submit = (event: Event) => {
    event.preventDefault();
    if (broker === undefined) return;
    const body = {
      broker: head.broker,
      environment: head.environment,
      settings: settingsOf(broker.fields, typed),
      ...(head.name.trim() !== "" && { name: head.name.trim() }),
    };
    void action.run(async () => {
      await answerOf(api.POST("/v1/connections", { body }));
      onAdded();
      onClose();
    });
  };
  return (
    <form onSubmit={submit}>
      <HeadFields brokers={brokers} head={head} onHead={setHead} error={action.error} />
      {broker !== undefined && (
        <BrokerFields fields={broker.fields} typed={typed} onType={setTyped} error={action.error} />
      )}
      <p class="quiet">
        Secrets are sealed before they are stored, and never shown again. It is logged in right
        after it is added; nothing is traded until a webhook or a program asks for it.
      </p>
      <FormEnd action={action} verb={`Add the ${head.environment} connection`} onCancel={onClose} />
    </form>
  );
}
