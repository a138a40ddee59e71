import { effect, signal } from "@preact/signals";
import { useEffect, useState } from "preact/hooks";
import type { components } from "../../api/schema.ts";
import { CopyButton } from "../../parts/copy-button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Choice } from "../../parts/fields.tsx";
import { session } from "../../shell/session.ts";
import { Scopes } from "./key-table.tsx";

type NewApiKey = Pick<components["schemas"]["CreatedKey"], "name" | "scopes" | "key">;

/** Stays until the person says that they have kept it, wherever they go meanwhile. */
export const newKey = signal<NewApiKey | undefined>();

effect(() => {
  if (session.state.value.kind !== "signedIn") newKey.value = undefined;
});

/** Shows a key's value this once. Nothing but the tick lets it go. */
export function NewKey({ name, scopes, key }: NewApiKey) {
  const [isKept, setIsKept] = useState(false);
  const done = () => (newKey.value = undefined);
  useEffect(warnBeforeLeaving, []);
  return (
    <Dialog title={`The key of ${name}`} onClose={done} mayClose={false}>
      <p class="notice watch">
        This key is shown only once. Store it where your program keeps its secrets.
      </p>
      <Given label="Key" text={key} />
      <p>
        It may <Scopes scopes={scopes} />
      </p>
      {scopes.includes("read") ? (
        <Given label="Try it" text={exampleOf(key)} />
      ) : (
        <p class="quiet">It has no read scope, so it cannot be tried without trading.</p>
      )}
      <Choice isChosen={isKept} onChoose={setIsKept}>
        I have kept the key
      </Choice>
      <div class="actions end">
        <button type="button" class="primary" disabled={!isKept} onClick={done}>
          Done
        </button>
      </div>
    </Dialog>
  );
}

function Given({ label, text }: { label: string; text: string }) {
  return (
    <div class="given">
      <div>
        <strong>{label}</strong>
        <CopyButton text={text} label={`Copy ${label === "Key" ? "the key" : "the command"}`} />
      </div>
      <code class="secret">{text}</code>
    </div>
  );
}

/** Reads something and changes nothing. */
function exampleOf(key: string): string {
  return `curl -H 'X-API-Key: ${key}' ${location.origin}/v1/accounts`;
}

function warnBeforeLeaving(): () => void {
  const warn = (event: Event) => event.preventDefault();
  addEventListener("beforeunload", warn);
  return () => removeEventListener("beforeunload", warn);
}
