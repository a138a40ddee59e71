import { useState } from "preact/hooks";
import { Dialog } from "../../parts/dialog.tsx";
import { FormEnd } from "../../parts/form-end.tsx";
import { TextField } from "../../parts/text-field.tsx";
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
        <TextField
          label="Name"
          name="name"
          value={name}
          onValue={setName}
          max={64}
          placeholder="Laptop"
          required
          hint="By which you will know it: the device, or the password manager."
          error={action.error}
        />
        <FormEnd action={action} verb="Add it" running="Follow your browser …" onCancel={onClose} />
      </form>
    </Dialog>
  );
}
