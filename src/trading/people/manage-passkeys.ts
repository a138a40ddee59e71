import { errors, type GatewayError } from "../../errors.ts";
import type { People } from "./people.ts";
import type {
  ChallengeStore,
  PasskeyCeremonies,
  PasskeyStore,
  PeopleStore,
  SessionStore,
} from "./ports.ts";
import { requireNewProof, requireStillIn } from "./require-new-proof.ts";

export interface ManagePasskeysDeps {
  readonly people: PeopleStore;
  readonly sessions: SessionStore;
  readonly passkeys: PasskeyStore;
  readonly challenges: ChallengeStore;
  readonly ceremonies: PasskeyCeremonies;
}

const MOST_PASSKEYS = 20;

type PasskeyUses = Pick<People, "listPasskeys" | "offerPasskey" | "addPasskey" | "removePasskey">;

/** One person's passkeys. */
export function createPasskeyUses(deps: ManagePasskeysDeps): PasskeyUses {
  const { people, sessions, passkeys, challenges, ceremonies } = deps;
  return {
    listPasskeys: async ({ userId }) => await passkeys.list(userId),

    offerPasskey: async (person) => {
      requireNewProof(person);
      const { userId, visit, session } = person;
      const [user, known] = await Promise.all([people.user(userId), passkeys.list(userId)]);
      if (user === undefined) throw errors.notFound("user");
      refuseTooMany(known.length);
      const { text, options } = await ceremonies.offerNew(visit.site, user, known);
      const challengeId = await challenges.keep({ text, purpose: "add", sessionId: session.id });
      return { challengeId, options };
    },

    addPasskey: async (person, name, { challengeId, response }) => {
      requireNewProof(person);
      const { userId, visit, session } = person;
      const challenge = await challenges.take(challengeId);
      if (challenge?.purpose !== "add" || challenge.sessionId !== session.id) {
        throw unreadable("challengeId", "is used up, too old or not one of ours: begin again");
      }
      const proof = await ceremonies.readNew(visit.site, challenge.text, response);
      if (proof === undefined) throw unreadable("response", "is no answer to what was asked");
      const known = await passkeys.list(userId);
      refuseTooMany(known.length);
      if (known.some(({ credentialId }) => credentialId === proof.credentialId)) {
        throw unreadable("response", "is a passkey that is here already");
      }
      await requireStillIn(sessions, person);
      return await passkeys.add({ ...proof, userId, name });
    },

    removePasskey: async (person, id) => {
      requireNewProof(person);
      if (!(await passkeys.remove(person.userId, id))) throw errors.notFound("passkey");
    },
  };
}

const unreadable = (path: string, message: string): GatewayError =>
  errors.validationFailed([{ path, message }]);

function refuseTooMany(count: number): void {
  if (count < MOST_PASSKEYS) return;
  throw errors.tooMany("TOO_MANY_PASSKEYS", count);
}
