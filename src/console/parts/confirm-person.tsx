import { useState } from "preact/hooks";
import { answerOf, api } from "../api/client.ts";
import { canUsePasskeys, proveByPasskey } from "../shell/passkeys.ts";
import { proof } from "../shell/proof.ts";
import { session, type Session } from "../shell/session.ts";
import { ActionButton, useAction } from "./action.tsx";
import { Dialog } from "./dialog.tsx";
import { PasswordField, PasswordOwner } from "./password-field.tsx";
import { Throttled } from "./problem.tsx";

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
      <p>For this you must have confirmed who you are in the last 15 minutes.</p>
      <form onSubmit={submit}>
        <PasswordOwner userName={name} />
        <PasswordField
          label={`Password of ${name}`}
          name="password"
          value={password}
          onValue={setPassword}
          error={action.error}
        />
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
          <ActionButton action={action} look="primary" verb="Confirm" />
        </div>
      </form>
    </Dialog>
  );
}
