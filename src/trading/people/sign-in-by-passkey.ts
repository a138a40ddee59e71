import { errors } from "../../errors.ts";
import { firstStep } from "../public-error.ts";
import { beginAttempt, type OpenSession } from "./sign-in.ts";
import type { CeremonyAnswer, People, Person, Visit } from "./people.ts";
import type {
  AttemptStore,
  ChallengeStore,
  PasskeyCeremonies,
  PasskeyStore,
  PeopleStore,
  SessionStore,
  SignInObserver,
} from "./ports.ts";
import type { ProvenPasskey } from "../../domain/people/credential.ts";

export interface SignInByPasskeyDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly attempts: AttemptStore;
  readonly passkeys: PasskeyStore;
  readonly challenges: ChallengeStore;
  readonly ceremonies: PasskeyCeremonies;
  readonly observer: SignInObserver;
  readonly openSession: OpenSession;
}

/** Coming in, or confirming who one is, by a passkey. */
export function createPasskeySignIn(
  deps: SignInByPasskeyDeps,
): Pick<People, "askForPasskey" | "signInByPasskey"> {
  const { people, sessions, attempts, passkeys, challenges, ceremonies, observer } = deps;
  const findAnswering = createFindAnswering(deps);

  async function enter(passkey: ProvenPasskey, former: Person | undefined) {
    const record = await people.find(passkey.userId);
    if (record === undefined) throw errors.passkeyRefused();
    return await deps.openSession(record, former);
  }

  async function renew({ session, userId }: Person) {
    const [user, renewed] = await Promise.all([people.user(userId), sessions.renew(session)]);
    if (user === undefined || renewed === undefined) throw errors.sessionOver();
    return { ...renewed, user };
  }

  return {
    askForPasskey: async ({ site, address }, person) => {
      const waitMs = await attempts.beginChallenge(address);
      if (waitMs > 0) throw errors.tooManyAttempts(waitMs);
      const known = person && (await passkeys.list(person.userId));
      const { text, options } = await ceremonies.ask(site, known);
      const challengeId = await challenges.keep(
        person === undefined
          ? { text, purpose: "signIn" }
          : { text, purpose: "confirm", sessionId: person.session.id },
      );
      return { challengeId, options };
    },

    signInByPasskey: async (visit, answer, person) => {
      const { address } = visit;
      await firstStep("writes", () => beginAttempt({ attempts, observer }, { address }));
      const { passkey, isConfirming } = await findAnswering(visit, answer, person);
      await attempts.succeed({ address });
      const confirming = isConfirming ? person : undefined;
      const signedIn = confirming ? await renew(confirming) : await enter(passkey, person);
      observer.signedIn({ userId: passkey.userId, address, proof: "passkey" });
      return signedIn;
    },
  };
}

/** Which passkey has signed the challenge. Whatever is wrong, the answer is the same. */
function createFindAnswering(deps: SignInByPasskeyDeps) {
  const { challenges, ceremonies, passkeys, observer } = deps;

  async function look(visit: Visit, answer: CeremonyAnswer, person: Person | undefined) {
    const challenge = await challenges.take(answer.challengeId);
    const claim = ceremonies.readClaim(answer.response);
    if (challenge === undefined || challenge.purpose === "add") return {};
    const isConfirming = challenge.purpose === "confirm";
    const userId = claim.userId ?? (isConfirming ? person?.userId : undefined);
    if (userId === undefined) return {};
    const isOthers = isConfirming && person?.userId !== userId;
    if (isOthers || (isConfirming && person?.session.id !== challenge.sessionId)) return {};

    const known = await passkeys.list(userId);
    const passkey = known.find(({ credentialId }) => credentialId === claim.credentialId);
    if (passkey === undefined) return {};
    const { response } = answer;
    const counter = await ceremonies.verify(visit.site, challenge.text, { passkey, response });
    if (counter === undefined) return { userId };
    await passkeys.noteUse(passkey, counter);
    return { proven: { passkey, isConfirming } };
  }

  return async function findAnswering(
    visit: Visit,
    answer: CeremonyAnswer,
    person: Person | undefined,
  ) {
    const { proven, userId } = await look(visit, answer, person);
    if (proven !== undefined) return proven;
    const who = userId === undefined ? {} : { userId };
    observer.signInRefused({ ...who, address: visit.address, proof: "passkey" });
    throw errors.passkeyRefused();
  };
}
