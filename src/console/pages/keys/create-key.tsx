import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Dialog } from "../../parts/dialog.tsx";
import { Field } from "../../parts/field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { useAction } from "../../parts/use-action.ts";
import type { Scope } from "./key-table.tsx";
import { newKey } from "./new-key.tsx";

export function CreateKey({ onCreated, onClose }: { onCreated: () => void; onClose: () => void }) {
  const [name, setName] = useState("");
  const [scopes, setScopes] = useState<readonly Scope[]>(["read"]);
  const action = useAction();
  const submit = (event: Event) => {
    event.preventDefault();
    void action.run(async () => {
      const body = { name: name.trim(), scopes: [...scopes] };
      newKey.value = await answerOf(api.POST("/v1/keys", { body }));
      onCreated();
      onClose();
    });
  };
  return (
    <Dialog title="Create a key" onClose={onClose}>
      <form onSubmit={submit}>
        <Field
          label="Name"
          name="name"
          hint="The program that will use it: by this you find it again."
          error={action.error}
        >
          {(tied) => (
            <input
              {...tied}
              type="text"
              value={name}
              maxLength={64}
              autocomplete="off"
              required
              onInput={(event) => setName(event.currentTarget.value)}
            />
          )}
        </Field>
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <Problem error={action.error} />
        <div class="actions end">
          <button type="button" onClick={onClose}>
            Cancel
          </button>
          <button type="submit" class="primary" disabled={action.isRunning || scopes.length === 0}>
            {action.isRunning ? "One moment …" : "Create the key"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}

/** Who trades wants to read too, so that comes along; it can be taken off again. */
function ScopeChoice({
  scopes,
  onChange,
}: {
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}) {
  const set = (scope: Scope, isOn: boolean) => {
    const rest = scopes.filter((one) => one !== scope);
    if (!isOn) onChange(rest);
    else onChange(scope === "trade" ? ["read", "trade"] : ["read", ...rest]);
  };
  const choice = (scope: Scope, words: string) => (
    <label class="choice">
      <input
        type="checkbox"
        checked={scopes.includes(scope)}
        onChange={(event) => set(scope, event.currentTarget.checked)}
      />
      <span>
        <strong>{scope}</strong> <span class="quiet">{words}</span>
      </span>
    </label>
  );
  return (
    <fieldset>
      <legend>It may</legend>
      {choice("read", "accounts, positions, orders, alerts; it cannot change anything")}
      {choice("trade", "place and cancel orders, close positions, change limits and webhooks")}
      {scopes.length === 0 && <span class="wrong">Choose at least one.</span>}
    </fieldset>
  );
}
