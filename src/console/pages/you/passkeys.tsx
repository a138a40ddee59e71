import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import type { components } from "../../api/schema.ts";
import { Confirm } from "../../parts/dialog.tsx";
import { TextField } from "../../parts/fields.tsx";
import { FormDialog, useForm } from "../../parts/form.tsx";
import { Sheet } from "../../parts/page.tsx";
import { Stale } from "../../parts/problem.tsx";
import { ACTS, CardTable, type Column } from "../../parts/table.tsx";
import { Time } from "../../parts/time.tsx";
import { addPasskey, canUsePasskeys } from "../../shell/passkeys.ts";
import { usePoll } from "../../shell/poll.ts";

type Passkey = components["schemas"]["Passkey"];

const EVERY_MS = 15_000;

export function Passkeys({ arePossible }: { arePossible: boolean }) {
  const poll = usePoll("passkeys", () => answerOf(api.GET("/v1/passkeys")), { everyMs: EVERY_MS });
  const [isAdding, setIsAdding] = useState(false);
  const [leaving, setLeaving] = useState<Passkey>();
  const mayAdd = arePossible && canUsePasskeys();
  return (
    <Sheet
      title="Passkeys"
      end={
        mayAdd && (
          <button type="button" class="small" onClick={() => setIsAdding(true)}>
            Add a passkey
          </button>
        )
      }
    >
      <Stale error={poll.error} since={poll.answeredAt} />
      {!mayAdd && <NotHere hasName={arePossible} />}
      {poll.data !== undefined && (mayAdd || poll.data.passkeys.length > 0) && (
        <PasskeyTable passkeys={poll.data.passkeys} onRemove={setLeaving} />
      )}
      {isAdding && <AddPasskey onAdded={poll.refresh} onClose={() => setIsAdding(false)} />}
      {leaving !== undefined && (
        <Removal passkey={leaving} onRemoved={poll.refresh} onClose={() => setLeaving(undefined)} />
      )}
    </Sheet>
  );
}

function NotHere({ hasName }: { hasName: boolean }) {
  if (hasName) return <p class="empty">This browser has no passkeys.</p>;
  return (
    <div class="body">
      <p class="quiet">
        Browsers have no passkeys at an address without a name ({location.hostname}). Open the
        console at its https name, or at localhost on the gateway's own machine, to add one.
      </p>
    </div>
  );
}

function PasskeyTable({
  passkeys,
  onRemove,
}: {
  passkeys: readonly Passkey[];
  onRemove: (passkey: Passkey) => void;
}) {
  if (passkeys.length === 0) {
    return (
      <p class="empty">
        None yet. With a passkey you sign in by your device's own lock, and nobody can ask you for
        it on another page.
      </p>
    );
  }
  const columns: readonly Column<Passkey>[] = [
    { head: "Name", cell: ({ name }) => name },
    { head: "Added", cell: ({ createdAt }) => <Time at={createdAt} /> },
    { head: "Last used", cell: ({ lastUsedAt }) => <Time at={lastUsedAt} /> },
    {
      head: ACTS,
      look: "acts",
      cell: (passkey) => (
        <button type="button" class="small danger" onClick={() => onRemove(passkey)}>
          Remove<span class="unseen"> {passkey.name}</span>
        </button>
      ),
    },
  ];
  return <CardTable rows={passkeys} keyOf={({ id }) => id} columns={columns} />;
}

function Removal({
  passkey,
  onRemoved,
  onClose,
}: {
  passkey: Passkey;
  onRemoved: () => void;
  onClose: () => void;
}) {
  const remove = async () => {
    const path = { id: passkey.id };
    await answerOf(api.DELETE("/v1/passkeys/{id}", { params: { path } }));
    onRemoved();
  };
  return (
    <Confirm
      title={`Remove the passkey ${passkey.name}`}
      verb="Remove it"
      onConfirm={remove}
      onClose={onClose}
    >
      <p>
        It can no longer be used to sign in. Your password and your other passkeys stay. The device
        still lists it until you delete it there.
      </p>
    </Confirm>
  );
}

function AddPasskey({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const { typed, tie, action } = useForm({ name: "" });
  const add = async () => {
    await addPasskey(typed.name.trim());
    onAdded();
    onClose();
  };
  return (
    <FormDialog
      title="Add a passkey"
      action={action}
      verb="Add it"
      running="Follow your browser …"
      onSend={add}
      onClose={onClose}
    >
      <TextField
        {...tie("name")}
        label="Name"
        max={64}
        placeholder="Laptop"
        required
        hint="By which you will know it: the device, or the password manager."
      />
    </FormDialog>
  );
}
