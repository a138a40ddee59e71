import { presentPasskey } from "../present/person.ts";
import { type PersonRoute, personRoute } from "../route.ts";
import {
  AddPasskeyBody,
  ATTESTATION,
  CeremonyReply,
  OFFERED_PASSKEY,
  PASSKEY,
  PasskeyReply,
  PasskeysReply,
} from "../schemas/person.ts";
import { CredentialIdText } from "../schemas/parts.ts";
import { passkeyOf } from "../requests/path-ids.ts";
import type { PeopleRouteDeps } from "./session.ts";

/** A person's own passkeys. */
export function passkeyRoutes({ people }: PeopleRouteDeps): PersonRoute[] {
  const shared = { path: "/v1/passkeys", tag: "People" } as const;
  return [
    personRoute({
      ...shared,
      method: "GET",
      id: "listPasskeys",
      effect: "read",
      summary: "List one's passkeys",
      replies: [
        {
          status: 200,
          description: "Every passkey",
          schema: PasskeysReply,
          example: { passkeys: [PASSKEY] },
        },
      ],
      errors: [],
      async handle({ person }) {
        const passkeys = await people.listPasskeys(person);
        return { status: 200, body: { passkeys: passkeys.map(presentPasskey) } };
      },
    }),
    personRoute({
      ...shared,
      path: "/v1/passkeys/options",
      method: "POST",
      id: "offerPasskey",
      effect: "read",
      summary: "Begin to add a passkey",
      description: "What it answers holds for 5 minutes, and once.",
      replies: [
        {
          status: 200,
          description: "What the browser is to make",
          schema: CeremonyReply,
          example: OFFERED_PASSKEY,
        },
      ],
      errors: ["SIGN_IN_AGAIN", "TOO_MANY_PASSKEYS"],
      handle: async ({ person }) => ({ status: 200, body: await people.offerPasskey(person) }),
    }),
    personRoute({
      ...shared,
      method: "POST",
      id: "addPasskey",
      effect: "change",
      audit: { message: "Passkey added" },
      summary: "Add a passkey",
      body: AddPasskeyBody,
      bodyExamples: { laptop: ATTESTATION },
      replies: [
        { status: 201, description: "The passkey", schema: PasskeyReply, example: PASSKEY },
      ],
      errors: ["SIGN_IN_AGAIN", "TOO_MANY_PASSKEYS"],
      async handle({ person, body: { name, ...answer } }) {
        const passkey = await people.addPasskey(person, name, answer);
        return { status: 201, body: presentPasskey(passkey), changed: { passkeyId: passkey.id } };
      },
    }),
    personRoute({
      ...shared,
      path: "/v1/passkeys/{id}",
      params: { id: { ...CredentialIdText, description: "The public id of a passkey" } },
      method: "DELETE",
      id: "removePasskey",
      effect: "change",
      audit: { message: "Passkey removed" },
      summary: "Remove a passkey",
      replies: [{ status: 204, description: "Removed" }],
      errors: ["NOT_FOUND", "SIGN_IN_AGAIN"],
      async handle({ person, params }) {
        const passkeyId = passkeyOf(params);
        await people.removePasskey(person, passkeyId);
        return { status: 204, changed: { passkeyId } };
      },
    }),
  ];
}
