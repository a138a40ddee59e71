import { useState } from "preact/hooks";
import { answerOf, api } from "../api/client.ts";
import { canUsePasskeys, proveByPasskey } from "../shell/passkeys.ts";
import { proof } from "../shell/proof.ts";
import { session, type Session } from "../shell/session.ts";
import { Dialog } from "./dialog.tsx";
import { Field } from "./field.tsx";
import { PasswordInput } from "./password-input.tsx";
import { Throttled } from "./throttled.tsx";
import { useAction } from "./use-action.ts";

/** Asks who it is once more while something waits for the answer, then lets it go on. */
export function ConfirmPerson() {
  const asked = proof.asked.value;
  const state = session.state.value;
  if (asked === undefined || state.kind !== "signedIn") return null;
  return <Proof name={state.session.user.name} answer={asked.answer} />;
}

function Proof({ name, answer }: { name: string; answer: (isProven: boolean) => void }) {
  const [password, setPassword] = useState("");
  const action = useAction();
  const prove = (how: () => Promise<Session>) =>
    void action.run(async () => {
      session.begin(await how());
      answer(true);
    });
  const byPassword = () => answerOf(api.POST("/v1/session/confirm", { body: { password } }));
  const submit = (event: Event) => {
    event.preventDefault();
    prove(byPassword);
  };
  return (
    <Dialog title="Confirm that it is you" onClose={() => answer(false)}>
      <p>What you asked for gives lasting access, so it needs a proof of the last 15 minutes.</p>
      <form onSubmit={submit}>
        <input type="text" name="username" autocomplete="username" value={name} hidden readOnly />
        <Field label={`Password of ${name}`} name="password" error={action.error}>
          {(tied) => (
            <PasswordInput
              tied={tied}
              value={password}
              onInput={setPassword}
              autocomplete="current-password"
            />
          )}
        </Field>
        <Throttled error={action.error} />
        <div class="actions end">
          <button type="button" onClick={() => answer(false)}>
            Cancel
          </button>
          {canUsePasskeys() && (
            <button
              type="button"
              disabled={action.isRunning}
              onClick={() => prove(() => proveByPasskey({ confirm: true }))}
            >
              Use a passkey
            </button>
          )}
          <button type="submit" class="primary" disabled={action.isRunning}>
            {action.isRunning ? "One moment …" : "Confirm"}
          </button>
        </div>
      </form>
    </Dialog>
  );
}
