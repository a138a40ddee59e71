import type { TargetedEvent } from "preact";
import { useEffect, useState } from "preact/hooks";
import { answerOf, api, Refused, toError } from "../../api/client.ts";
import { ActionButton, useAction } from "../../parts/action.tsx";
import { Field, goToFirstWrong } from "../../parts/field.tsx";
import { Choice } from "../../parts/fields.tsx";
import { NewPassword } from "../../parts/password-field.tsx";
import { Problem } from "../../parts/problem.tsx";
import { findNameProblem, findPasswordProblem } from "../../parts/sign-in-rules.ts";
import { go } from "../../shell/router.ts";
import { session } from "../../shell/session.ts";
import { Gate, NameInput, NotSecure } from "./gate.tsx";

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

interface Chosen {
  readonly name: string;
  readonly password: string;
  readonly forgetPasskeys: boolean;
}

function SetUpForm({
  token,
  user,
  isFirst,
  onGone,
}: {
  token: string;
  user: { readonly name: string };
  isFirst: boolean;
  onGone: (error: Error) => void;
}) {
  const [chosen, setChosen] = useState<Chosen>({
    name: user.name,
    password: "",
    forgetPasskeys: false,
  });
  const [isAsked, setIsAsked] = useState(false);
  const action = useAction();
  const problem = findNameProblem(chosen.name) ?? findPasswordProblem(chosen.password, chosen.name);
  const submit = (event: TargetedEvent<HTMLFormElement>) => {
    event.preventDefault();
    setIsAsked(true);
    if (problem !== undefined) return goToFirstWrong(event.currentTarget);
    void action.run(async () => {
      await setUp({ token, ...chosen }).catch((error: unknown) => {
        if (error instanceof Refused && error.status === 404) onGone(error);
        throw error;
      });
    });
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>
        {isFirst
          ? "Nobody has signed in here yet. Choose your name and password."
          : "Choose a new name and password. You will be signed out everywhere else."}
      </p>
      <Fields chosen={chosen} isAsked={isAsked} error={action.error} onChange={setChosen} />
      {!isFirst && (
        <Choice
          isChosen={chosen.forgetPasskeys}
          onChoose={(forgetPasskeys) => setChosen({ ...chosen, forgetPasskeys })}
        >
          <span>
            Remove my passkeys <span class="quiet">if one of my devices is lost or not mine</span>
          </span>
        </Choice>
      )}
      <Problem error={action.error} />
      <ActionButton action={action} look="primary" verb="Save and sign in" />
    </form>
  );
}

function Fields({
  chosen,
  isAsked,
  error,
  onChange,
}: {
  chosen: Chosen;
  isAsked: boolean;
  error: Error | undefined;
  onChange: (chosen: Chosen) => void;
}) {
  const problem = isAsked ? findNameProblem(chosen.name) : undefined;
  return (
    <>
      <Field
        label="Name"
        name="name"
        hint={problem === undefined ? "2 to 40 letters, digits or . _ - @" : undefined}
        error={error}
        problem={problem}
      >
        {(tied) => (
          <NameInput
            tied={tied}
            value={chosen.name}
            onInput={(name) => onChange({ ...chosen, name })}
          />
        )}
      </Field>
      <NewPassword
        label="Password"
        name="password"
        value={chosen.password}
        userName={chosen.name}
        isAsked={isAsked}
        error={error}
        onValue={(password) => onChange({ ...chosen, password })}
      />
    </>
  );
}

/** The link goes out of the browser's history: it is used up. */
async function setUp(body: Chosen & { readonly token: string }): Promise<void> {
  const begun = await answerOf(api.POST("/v1/set-up", { body }));
  session.begin(begun);
  go("/", { replace: true });
}
