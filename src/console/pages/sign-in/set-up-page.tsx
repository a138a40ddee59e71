import { useEffect, useState } from "preact/hooks";
import { answerOf, api, Refused } from "../../api/client.ts";
import { Problem } from "../../parts/problem.tsx";
import { toError } from "../../shell/to-error.ts";
import { Gate, NotSecure } from "./gate.tsx";
import { SetUpForm } from "./set-up-form.tsx";

interface Link {
  readonly user: { readonly id: string; readonly name: string };
  /** Whether nobody can sign in yet. */
  readonly isFirst: boolean;
}

/** Where the one-time link leads: choosing what one signs in with. */
export function SetUpPage({ token }: { token: string }) {
  const [link, setLink] = useState<Link>();
  const [error, setError] = useState<Error>();
  const check = () => {
    setError(undefined);
    void answerOf(api.POST("/v1/set-up/check", { body: { token } })).then(
      setLink,
      (thrown: unknown) => setError(toError(thrown)),
    );
  };
  useEffect(check, [token]);

  if (!globalThis.isSecureContext) {
    return (
      <Gate title="Set up your sign-in">
        <NotSecure />
      </Gate>
    );
  }
  if (error !== undefined) return <Unusable error={error} again={check} />;
  return (
    <Gate title="Set up your sign-in">
      {link === undefined ? (
        <p role="status">Checking the link …</p>
      ) : (
        <SetUpForm token={token} {...link} onGone={setError} />
      )}
    </Gate>
  );
}

function Unusable({ error, again }: { error: Error; again: () => void }) {
  const isGone = error instanceof Refused && error.status === 404;
  if (!isGone) {
    return (
      <Gate title="Set up your sign-in">
        <Problem error={error} />
        <button type="button" onClick={again}>
          Try again
        </button>
      </Gate>
    );
  }
  return (
    <Gate title="This link no longer works">
      <p>
        It was used already, is older than a day, or was not copied whole. If it was you who used
        it, sign in with what you chose then.
      </p>
      <p>
        Else make another on the machine of the gateway, and open it here:
        <code class="secret">npm run gateway -- users link</code>
      </p>
      <a class="button" href="#/">
        Go to the sign-in
      </a>
    </Gate>
  );
}
