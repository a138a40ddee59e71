import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { Choice } from "../../parts/choice.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { FormEnd } from "../../parts/form-end.tsx";
import { TextField } from "../../parts/text-field.tsx";
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
        <TextField
          label="Name"
          name="name"
          value={name}
          onValue={setName}
          max={64}
          required
          hint="The program that will use it, so that you recognise it later."
          error={action.error}
        />
        <ScopeChoice scopes={scopes} onChange={setScopes} />
        <FormEnd
          action={action}
          verb="Create the key"
          onCancel={onClose}
          isReady={scopes.length > 0}
        />
      </form>
    </Dialog>
  );
}

/**
 * Who trades wants to read too, so that comes along; it can be taken off again. What loosens a guard
 * never comes along.
 */
function ScopeChoice({
  scopes,
  onChange,
}: {
  scopes: readonly Scope[];
  onChange: (scopes: readonly Scope[]) => void;
}) {
  const set = (scope: Scope, isOn: boolean) => {
    const rest = scopes.filter((one) => one !== scope);
    if (!isOn) return onChange(rest);
    const first = scope === "read" ? [] : (["read"] as const);
    onChange([...new Set<Scope>([...first, ...rest, scope])]);
  };
  const choice = (scope: Scope, words: string) => (
    <Choice isChosen={scopes.includes(scope)} onChoose={(isOn) => set(scope, isOn)}>
      <span>
        <strong>{scope}</strong> <span class="quiet">{words}</span>
      </span>
    </Choice>
  );
  return (
    <fieldset>
      <legend>It may</legend>
      {choice("read", "accounts, positions, orders, alerts; it cannot change anything")}
      {choice(
        "trade",
        "place and cancel orders, close positions, lower limits, switch the kill switch on, change webhooks",
      )}
      {choice(
        "manage",
        "raise limits, switch the kill switch off, change connections: leave it out for a bot",
      )}
      {scopes.length === 0 && <span class="wrong">Choose at least one.</span>}
    </fieldset>
  );
}
