import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Field } from "../../parts/field.tsx";
import { PasswordField } from "../../parts/password-field.tsx";
import { Throttled } from "../../parts/problem.tsx";
import { canUsePasskeys, proveByPasskey } from "../../shell/passkeys.ts";
import { go, place } from "../../shell/router.ts";
import { session, type Session } from "../../shell/session.ts";
import { Gate, NameInput, NotSecure } from "./gate.tsx";

/** The place stays as it is, so that whoever was somewhere is there again once signed in. */
export function SignInPage({ isOver }: { isOver: boolean }) {
  return (
    <Gate title="Sign in">
      {isOver && (
        <p class="notice" role="status">
          You were signed out: the session is over. Sign in to go on where you were.
        </p>
      )}
      {globalThis.isSecureContext ? <Form /> : <NotSecure />}
    </Gate>
  );
}

function Form() {
  const [name, setName] = useState("");
  const [password, setPassword] = useState("");
  const action = useAction();
  const enter = (how: () => Promise<Session>) =>
    void action.run(async () => {
      const begun = await how();
      if (place.value.path[0] === "sign-in") go("/", { replace: true });
      session.begin(begun);
    });
  const submit = (event: Event) => {
    event.preventDefault();
    enter(() => answerOf(api.POST("/v1/session", { body: { name, password } })));
  };
  return (
    <>
      <form onSubmit={submit}>
        <Field label="Name" name="name" error={action.error}>
          {(tied) => <NameInput tied={tied} value={name} onInput={setName} />}
        </Field>
        <PasswordField
          label="Password"
          name="password"
          value={password}
          onValue={setPassword}
          error={action.error}
        />
        <Throttled error={action.error} />
        <ActionButton action={action} look="primary" verb="Sign in" />
      </form>
      {canUsePasskeys() && (
        <button
          type="button"
          disabled={action.isRunning}
          onClick={() => enter(() => proveByPasskey())}
        >
          Sign in with a passkey
        </button>
      )}
      <Help />
    </>
  );
}

function Help() {
  return (
    <details class="quiet">
      <summary>No password yet, or it is lost</summary>
      <p>
        On the machine of the gateway, <code>npm run gateway -- users link</code> prints a link by
        which you choose a new one, good for one day and once. Where there are several users, it
        wants your id behind it; <code>users list</code> has it.
      </p>
    </details>
  );
}
