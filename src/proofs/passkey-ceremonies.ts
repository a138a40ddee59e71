import type { AuthenticationResponseJSON, RegistrationResponseJSON } from "@simplewebauthn/server";
import { userId } from "../domain/ids.ts";
import type { ProvenPasskey } from "../domain/people/credential.ts";
import type { PasskeyCeremonies } from "../trading/people/ports.ts";

const RP_NAME = "Alert gateway";

/** What a browser waits for its person, within the challenge's own life. */
const TIMEOUT_MS = 4 * 60_000;

/** ES256, EdDSA and RS256: what authenticators speak. */
const ALGORITHMS = [-7, -8, -257];

/** Large, and needed when somebody signs in with a passkey: a start does without it. */
const loadWebAuthn = async () => await import("@simplewebauthn/server");

/** WebAuthn: passkeys that name their user, and that ask for a finger, a face or a code each time. */
export function createPasskeyCeremonies(): PasskeyCeremonies {
  return {
    offerNew: async ({ rpId }, { userId: id, name }, known) => {
      const { generateRegistrationOptions } = await loadWebAuthn();
      const options = await generateRegistrationOptions({
        rpName: RP_NAME,
        rpID: rpId,
        userName: name,
        userID: new Uint8Array(Buffer.from(id)),
        timeout: TIMEOUT_MS,
        attestationType: "none",
        excludeCredentials: known.map(toDescriptor),
        authenticatorSelection: { residentKey: "required", userVerification: "required" },
        supportedAlgorithmIDs: ALGORITHMS,
      });
      return { text: options.challenge, options };
    },

    readNew: async ({ origin, rpId }, challenge, response) => {
      const { verifyRegistrationResponse } = await loadWebAuthn();
      const result = await verifyRegistrationResponse({
        response: response as RegistrationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        requireUserVerification: true,
        supportedAlgorithmIDs: ALGORITHMS,
      }).catch(provesNothing);
      if (result?.verified !== true) return undefined;
      const { id, publicKey, counter, transports = [] } = result.registrationInfo.credential;
      return { credentialId: id, publicKey: toText(publicKey), counter, transports };
    },

    ask: async ({ rpId }, known) => {
      const { generateAuthenticationOptions } = await loadWebAuthn();
      const options = await generateAuthenticationOptions({
        rpID: rpId,
        timeout: TIMEOUT_MS,
        userVerification: "required",
        ...(known !== undefined && { allowCredentials: known.map(toDescriptor) }),
      });
      return { text: options.challenge, options };
    },

    readClaim: (response) => {
      const { id, response: said } = response as AuthenticationResponseJSON;
      const user = Buffer.from(said.userHandle ?? "", "base64url").toString();
      return { userId: user === "" ? undefined : userId(user), credentialId: id };
    },

    verify: async ({ origin, rpId }, challenge, { passkey, response }) => {
      const { credentialId: id, publicKey, counter } = passkey;
      const { verifyAuthenticationResponse } = await loadWebAuthn();
      const result = await verifyAuthenticationResponse({
        response: response as AuthenticationResponseJSON,
        expectedChallenge: challenge,
        expectedOrigin: origin,
        expectedRPID: rpId,
        credential: { id, publicKey: toBytes(publicKey), counter },
        requireUserVerification: true,
      }).catch(provesNothing);
      return result?.verified === true ? result.authenticationInfo.newCounter : undefined;
    },
  };
}

/** The library throws for whatever is wrong with an answer, and an answer is a stranger's text. */
const provesNothing = (): undefined => undefined;

const toDescriptor = ({ credentialId, transports }: ProvenPasskey) => ({
  id: credentialId,
  transports: [...transports],
});

const toText = (bytes: Uint8Array): string => Buffer.from(bytes).toString("base64url");
const toBytes = (text: string) => new Uint8Array(Buffer.from(text, "base64url"));
