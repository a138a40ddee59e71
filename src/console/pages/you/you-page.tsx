import { PageTitle } from "../../parts/page-title.tsx";
import { Problem } from "../../parts/problem.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { Time } from "../../parts/time.tsx";
import { useAction } from "../../parts/use-action.ts";
import { session, type Session } from "../../shell/session.ts";
import { ChangePassword } from "./change-password.tsx";
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
          <dt>Name</dt>
          <dd>
            <strong>{own.user.name}</strong>
          </dd>
          <dt>Since</dt>
          <dd>
            <Time at={own.signedInAt} />
          </dd>
          <dt>Last confirmed</dt>
          <dd>
            <Time at={own.confirmedAt} />
          </dd>
          <dt>Ends</dt>
          <dd>
            <Time at={own.endsAt} />, or after two hours without use
          </dd>
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
