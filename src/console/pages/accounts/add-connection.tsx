import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { SelectField, TextField } from "../../parts/fields.tsx";
import { Form, type Typing, useForm } from "../../parts/form.tsx";
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

const choiceOf = (broker: Broker | undefined): Omit<Head, "name"> => ({
  broker: broker?.broker ?? "",
  environment: broker?.environments[0] ?? "demo",
});

/** What every connection has, whatever its broker asks for. */
function HeadFields({
  brokers,
  typed: { broker: name },
  onType,
  tie,
}: Typing<Head> & { brokers: readonly Broker[] }) {
  const find = (one: string) => brokers.find(({ broker }) => broker === one);
  return (
    <div class="columns">
      <SelectField
        {...tie("broker")}
        label="Broker"
        options={brokers.map((one) => [one.broker, one.label] as const)}
        onValue={(chosen) => onType(choiceOf(find(chosen)))}
      />
      <SelectField
        {...tie("environment")}
        label="Environment"
        options={(find(name)?.environments ?? []).map((one) => [one, CALLED[one]] as const)}
        hint="It stays what it is: demo and live are two connections."
      />
      <TextField
        {...tie("name")}
        label="Name"
        max={64}
        placeholder="Evaluation"
        hint="How it is called here. It may be left empty."
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
  const { action, ...head } = useForm<Head>(() => ({ ...choiceOf(brokers[0]), name: "" }));
  const [settings, setSettings] = useState<Typed>({});
  const { environment, name } = head.typed;
  const broker = brokers.find((one) => one.broker === head.typed.broker);
  const add = async () => {
    if (broker === undefined) return;
    const body = {
      broker: broker.broker,
      environment,
      settings: settingsOf(broker.fields, settings),
      ...(name.trim() !== "" && { name: name.trim() }),
    };
    await answerOf(api.POST("/v1/connections", { body }));
    onAdded();
    onClose();
  };
  return (
    <Form action={action} verb={`Add the ${environment} connection`} onSend={add} onClose={onClose}>
      <HeadFields brokers={brokers} {...head} />
      {broker?.notices.map(({ text, source, asOf }) => (
        <p key={text} class="notice watch">
          {text}.{" "}
          <small>
            {source}, {asOf}
          </small>
        </p>
      ))}
      {broker !== undefined && (
        <BrokerFields
          fields={broker.fields}
          typed={settings}
          onType={setSettings}
          error={action.error}
        />
      )}
      <p class="quiet">
        Secrets are sealed before they are stored, and never shown again. It is logged in right
        after it is added; nothing is traded until a webhook or a program asks for it.
      </p>
    </Form>
  );
}
