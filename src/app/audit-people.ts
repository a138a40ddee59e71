import type { Logger } from "../observability/logger.ts";
import type { People, Person } from "../trading/people/people.ts";

/** Leaves a line in the log for each change of what opens the gateway, and by whose session. */
export function auditPeople(people: People, log: Logger): People {
  return {
    ...people,
    ...auditSessions(people, log),
    ...auditPasskeys(people, log),
    ...auditKeys(people, log),
  };
}

function auditSessions(people: People, log: Logger) {
  return {
    signOut: async (person) => {
      await people.signOut(person);
      log.info("Signed out", who(person));
    },
    changePassword: async (person, password) => {
      await people.changePassword(person, password);
      log.warn("Password changed", who(person));
    },
  } satisfies Partial<People>;
}

function auditPasskeys(people: People, log: Logger) {
  return {
    addPasskey: async (person, name, answer) => {
      const passkey = await people.addPasskey(person, name, answer);
      log.warn("Passkey added", { ...who(person), passkeyId: passkey.id });
      return passkey;
    },
    removePasskey: async (person, passkeyId) => {
      await people.removePasskey(person, passkeyId);
      log.warn("Passkey removed", { ...who(person), passkeyId });
    },
  } satisfies Partial<People>;
}

function auditKeys(people: People, log: Logger) {
  return {
    createKey: async (person, request) => {
      const created = await people.createKey(person, request);
      log.warn("API key created", { ...who(person), keyId: created.key.id });
      return created;
    },
    revokeKey: async (person, keyId) => {
      await people.revokeKey(person, keyId);
      log.warn("API key revoked", { ...who(person), keyId });
    },
  } satisfies Partial<People>;
}

const who = ({ userId, credentialId, requestId, visit: { address } }: Person) => ({
  userId,
  credentialId,
  requestId,
  address,
});
