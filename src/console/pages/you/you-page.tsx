import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { goToFirstWrong } from "../../parts/field.tsx";
import { PageTitle, Pair, Sheet } from "../../parts/page.tsx";
import { NewPassword, PasswordOwner } from "../../parts/password-field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { findPasswordProblem } from "../../parts/sign-in-rules.ts";
import { Time } from "../../parts/time.tsx";
import { session, type Session } from "../../shell/session.ts";
import { Passkeys } from "./passkeys.tsx";

export function YouPage() {
  const state = session.state.value;
  if (state.kind !== "signedIn") return null;
  return (
    <>
      <PageTitle title="You" />
      <div class="split">
        <SessionSheet session={state.session} />
        <ChangePassword userName={state.session.user.name} />
      </div>
      <Passkeys arePossible={state.session.passkeysPossible} />
    </>
  );
}

function SessionSheet({ session: own }: { session: Session }) {
  const action = useAction();
  const signOut = () => void action.run(session.end);
  return (
    <Sheet title="Signed in">
      <div class="body">
        <dl class="pairs">
          <Pair name="Name">
            <strong>{own.user.name}</strong>
          </Pair>
          <Pair name="Since">
            <Time at={own.signedInAt} />
          </Pair>
          <Pair name="Last confirmed">
            <Time at={own.confirmedAt} />
          </Pair>
          <Pair name="Ends">
            <Time at={own.endsAt} />, or after two hours without use
          </Pair>
        </dl>
        <p class="quiet">
          Signing out only ends this session. Working orders, stops and strategies keep running.
        </p>
        <Problem error={action.error} />
        <div class="actions">
          <button type="button" disabled={action.isRunning} onClick={signOut}>
            Sign out
          </button>
        </div>
      </div>
    </Sheet>
  );
}

function ChangePassword({ userName }: { userName: string }) {
  const [newPassword, setNewPassword] = useState("");
  const [isAsked, setIsAsked] = useState(false);
  const [isDone, setIsDone] = useState(false);
  const action = useAction();
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    setIsDone(false);
    if (findPasswordProblem(newPassword, userName) !== undefined) {
      return goToFirstWrong(event.currentTarget);
    }
    void action.run(async () => {
      await answerOf(api.PUT("/v1/user/password", { body: { newPassword } }));
      setNewPassword("");
      setIsAsked(false);
      setIsDone(true);
    });
  };
  return (
    <Sheet title="Password">
      <form class="body" onSubmit={submit} noValidate>
        <PasswordOwner userName={userName} />
        <NewPassword
          label="New password"
          name="newPassword"
          value={newPassword}
          userName={userName}
          isAsked={isAsked}
          error={action.error}
          onValue={setNewPassword}
        />
        <Problem error={action.error} />
        <div role="status">
          {isDone && (
            <p class="notice good">Password changed. You were signed out everywhere else.</p>
          )}
        </div>
        <div class="actions">
          <ActionButton action={action} verb="Change the password" />
        </div>
      </form>
    </Sheet>
  );
}
