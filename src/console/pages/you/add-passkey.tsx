import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useAction } from "../../parts/use-action.ts";
import { addPasskey } from "../../shell/passkeys.ts";

export function AddPasskey({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      await addPasskey(name.trim());
      onAdded();
      onClose();
    });
  };
  return (
    <Dialog title="Add a passkey" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          name="name"
          hint="By which you will know it: the device, or the password manager."
          error={action.error}
        >
          {(tied) => (
            <input
              {...tied}
              type="text"
              value={name}
              maxLength={64}
              placeholder="Laptop"
              autocomplete="off"
              required
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <Problem error={action.error} />
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.isRunning}>
            {action.isRunning ? "Follow your browser …" : "Add it"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
