import { errors } from "../../errors.ts";
import type { People } from "./people.ts";
import type { CredentialStore, SessionStore } from "./ports.ts";
import { requireNewProof, requireStillIn } from "./require-new-proof.ts";

const MOST_KEYS = 100;

/** The API keys that a person hands out to programs. */
export function createKeyUses({
  credentials,
  sessions,
}: {
  readonly credentials: CredentialStore;
  readonly sessions: SessionStore;
}): Pick<People, "listKeys" | "createKey" | "revokeKey"> {
  return {
    listKeys: async ({ userId }) => await credentials.keys(userId),

    createKey: async (person, { name, scopes }) => {
      requireNewProof(person);
      const { userId } = person;
      const living = (await credentials.keys(userId)).filter((key) => key.revokedAt === undefined);
      if (living.length >= MOST_KEYS) {
        throw errors.tooMany("TOO_MANY_KEYS", MOST_KEYS);
      }
      await requireStillIn(sessions, person);
      return await credentials.createKey({ userId, name, scopes });
    },

    revokeKey: async ({ userId }, id) => {
      if (await credentials.revokeKey(userId, id)) return;
      const keys = await credentials.keys(userId);
      if (!keys.some((key) => key.id === id)) throw errors.notFound("API key");
    },
  };
}
