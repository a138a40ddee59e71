import type { TargetedEvent } from "preact";
import { useState } from "preact/hooks";
import { answerOf, api } from "../../api/client.ts";
import { ActionButton } from "../../parts/action-button.tsx";
import { goToFirstWrong } from "../../parts/field.tsx";
import { NewPassword } from "../../parts/new-password.tsx";
import { PasswordOwner } from "../../parts/password-field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { findPasswordProblem } from "../../parts/sign-in-rules.ts";
import { useAction } from "../../parts/use-action.ts";

export function ChangePassword({ userName }: { userName: string }) {
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
