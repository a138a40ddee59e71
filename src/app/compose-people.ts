import type { Foundation } from "./open-foundation.ts";
import { createPasskeyCeremonies } from "../proofs/passkey-ceremonies.ts";
import { createPasswords } from "../proofs/passwords.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createKeyUses } from "../trading/people/manage-keys.ts";
import { createPasskeyUses } from "../trading/people/manage-passkeys.ts";
import { createOpenSession, createSignInUses } from "../trading/people/sign-in.ts";
import type { People } from "../trading/people/people.ts";
import type { SignInObserver } from "../trading/people/ports.ts";
import { createSetUpUses } from "../trading/people/set-up.ts";
import { createPasskeySignIn } from "../trading/people/sign-in-by-passkey.ts";

/** Wires what people may ask about themselves. */
export function composePeople({ stores, log, metrics }: Foundation): People {
  const deps = {
    ...stores,
    passwords: createPasswords(),
    ceremonies: createPasskeyCeremonies(),
    observer: createSignInObserver(log, metrics),
    openSession: createOpenSession(stores),
  };
  return {
    ...createSignInUses(deps),
    ...createPasskeySignIn(deps),
    ...createSetUpUses(deps),
    ...createPasskeyUses(deps),
    ...createKeyUses(deps),
  };
}

/** What was typed is in no line: a password lands in the field for the name now and then. */
function createSignInObserver(log: Logger, metrics: Metrics): SignInObserver {
  return {
    signedIn: ({ proof: kind, ...who }) => {
      metrics.signIns("signedIn");
      log.info("Signed in", { ...who, kind });
    },
    signInRefused: ({ proof: kind, ...who }) => {
      metrics.signIns("refused");
      log.warn("Sign-in refused", { ...who, kind });
    },
    signInThrottled: (who) => {
      metrics.signIns("throttled");
      log.warn("Sign-in refused after too many failures", who);
    },
  };
}
