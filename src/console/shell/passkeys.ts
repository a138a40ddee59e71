import {
  type PublicKeyCredentialCreationOptionsJSON,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
  startRegistration,
} from "@simplewebauthn/browser";
import { answerOf, api } from "../api/client.ts";
import type { components } from "../api/schema.ts";
import type { Session } from "./session.ts";

/** An address of digits: browsers have no passkeys for it. */
const IS_ADDRESS = /^(?:[\d.]+|\[.*\])$/;

/** Whether this browser has passkeys for this page. */
export const canUsePasskeys = (): boolean =>
  "PublicKeyCredential" in globalThis && !IS_ADDRESS.test(location.hostname);

/** Signs in by a passkey of the person's choice; `confirm` proves anew who is signed in already. */
export async function proveByPasskey(
  { confirm }: { readonly confirm: boolean } = { confirm: false },
): Promise<Session> {
  const { challengeId, options } = await answerOf(
    api.POST("/v1/session/passkey/options", { body: confirm ? { confirm } : {} }),
  );
  const response = await byBrowser(
    startAuthentication({ optionsJSON: asTyped<PublicKeyCredentialRequestOptionsJSON>(options) }),
  );
  const body = { challengeId, response: asTyped<Schemas["AnswerPasskey"]["response"]>(response) };
  return await answerOf(api.POST("/v1/session/passkey", { body }));
}

export async function addPasskey(name: string): Promise<void> {
  const { challengeId, options } = await answerOf(api.POST("/v1/passkeys/options"));
  const response = await byBrowser(
    startRegistration({ optionsJSON: asTyped<PublicKeyCredentialCreationOptionsJSON>(options) }),
  );
  const body = {
    challengeId,
    name,
    response: asTyped<Schemas["AddPasskey"]["response"]>(response),
  };
  await answerOf(api.POST("/v1/passkeys", { body }));
}

type Schemas = components["schemas"];

/** Both sides write W3C's JSON of WebAuthn; only their types of it differ. */
const asTyped = <Typed>(json: unknown): Typed => json as Typed;

const IN_WORDS: Readonly<Record<string, string>> = {
  NotAllowedError: "No passkey was used: it was cancelled, or took too long",
  AbortError: "No passkey was used: it was cancelled",
  InvalidStateError: "This device already has a passkey for you",
  SecurityError: "The browser allows no passkeys at this address",
};

/** The browser's part; what it says when it fails is for developers. */
async function byBrowser<Answer>(asked: Promise<Answer>): Promise<Answer> {
  try {
    return await asked;
  } catch (error) {
    const name = error instanceof Error ? error.name : "";
    throw new Error(IN_WORDS[name] ?? "The browser could not use a passkey", { cause: error });
  }
}
