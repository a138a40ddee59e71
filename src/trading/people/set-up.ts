import { findNameProblem, findPasswordProblem } from "../../domain/people/person.ts";
import type { User } from "../../domain/people/credential.ts";
import { errors, GatewayError, type Problem } from "../../errors.ts";
import { firstStep } from "../public-error.ts";
import type { OpenSession } from "./sign-in.ts";
import type { People } from "./people.ts";
import type {
  PasskeyStore,
  Passwords,
  PeopleStore,
  SessionStore,
  SignInObserver,
} from "./ports.ts";
import { requireNewProof, requireStillIn } from "./require-new-proof.ts";

export interface SetUpDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly passkeys: PasskeyStore;
  readonly passwords: Passwords;
  readonly observer: SignInObserver;
  readonly openSession: OpenSession;
}

/** Choosing what one signs in with: by a link, or later by oneself. */
export function createSetUpUses(
  deps: SetUpDeps,
): Pick<People, "checkSetUp" | "setUp" | "changePassword"> {
  const { people, sessions, passkeys, passwords, observer, openSession } = deps;

  /** Of a user who was removed nothing is set up: their name would be nobody else's. */
  async function requireLink(token: string): Promise<User> {
    const userId = await people.readLink(token);
    const user = userId && (await people.user(userId));
    if (user === undefined) throw errors.setUpLinkGone();
    return user;
  }

  return {
    checkSetUp: async (token) => {
      const user = await requireLink(token);
      return { user, isFirst: !(await people.anybody()) };
    },

    setUp: async ({ address }, { token, name: said, password, forgetPasskeys }, former) => {
      const name = said.normalize("NFC");
      const { userId } = await firstStep("reads", () => requireLink(token));
      check([
        { path: "name", message: findNameProblem(name) },
        { path: "password", message: findPasswordProblem(password, name) },
      ]);
      const record = { userId, name, passwordHash: await passwords.hash(password) };
      const done = await people.setUp(token, record);
      if (done === "linkGone") throw errors.setUpLinkGone();
      if (done === "nameTaken") {
        throw new GatewayError("NAME_TAKEN", `Somebody else signs in as "${name}"`);
      }
      // Who sets up again has lost something, and whoever found it is to be outside.
      if (forgetPasskeys) await passkeys.removeAll(userId);
      await sessions.endAll(userId);
      const signedIn = await openSession(record, former);
      observer.signedIn({ userId, address, proof: "set-up" });
      return signedIn;
    },

    changePassword: async (person, password) => {
      requireNewProof(person);
      const { userId, session } = person;
      const record = await people.find(userId);
      if (record === undefined) throw errors.notFound("user");
      check([{ path: "newPassword", message: findPasswordProblem(password, record.name) }]);
      const passwordHash = await passwords.hash(password);
      await requireStillIn(sessions, person);
      // Whoever has set up again meanwhile has had the last word.
      const isChanged = await people.changePassword(record, passwordHash);
      if (!isChanged) throw errors.signInAgain();
      await sessions.endAll(userId, session.id);
    },
  };
}

function check(found: readonly { readonly path: string; readonly message: string | undefined }[]) {
  const problems = found.filter((one): one is Problem => one.message !== undefined);
  if (problems.length > 0) throw errors.validationFailed(problems);
}
