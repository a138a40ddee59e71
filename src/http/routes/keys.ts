import { presentKey } from "../present/person.ts";
import { type PersonRoute, personRoute } from "../route.ts";
import { CreatedKeyReply, CreateKeyBody, KEY, KeysReply } from "../schemas/person.ts";
import { CredentialIdText } from "../schemas/parts.ts";
import { keyOf } from "../requests/path-ids.ts";
import type { PeopleRouteDeps } from "./session.ts";

/** The API keys that a person hands out to programs. No key can make or end another. */
export function keyRoutes({ people }: PeopleRouteDeps): PersonRoute[] {
  const shared = { path: "/v1/keys", tag: "People" } as const;
  return [
    personRoute({
      ...shared,
      method: "GET",
      id: "listKeys",
      effect: "read",
      summary: "List one's API keys",
      replies: [
        {
          status: 200,
          description: "Every key, the revoked ones too, without their secrets",
          schema: KeysReply,
          example: { keys: [KEY] },
        },
      ],
      errors: [],
      async handle({ person }) {
        const keys = await people.listKeys(person);
        return { status: 200, body: { keys: keys.map(presentKey) } };
      },
    }),
    personRoute({
      ...shared,
      method: "POST",
      id: "createKey",
      effect: "change",
      audit: { message: "API key created" },
      summary: "Create an API key",
      description: "The key is shown in this answer and never again.",
      body: CreateKeyBody,
      bodyExamples: { reader: { name: "Dashboard", scopes: ["read"] } },
      replies: [
        {
          status: 201,
          description: "The key with its secret",
          schema: CreatedKeyReply,
          example: { ...KEY, key: "<key>" },
        },
      ],
      errors: ["SIGN_IN_AGAIN", "TOO_MANY_KEYS"],
      async handle({ person, body: { name, scopes } }) {
        const wanted = { name, scopes: [...new Set(scopes)] };
        const { key, secret } = await people.createKey(person, wanted);
        const changed = { keyId: key.id };
        return { status: 201, body: { ...presentKey(key), key: secret }, changed };
      },
    }),
    personRoute({
      ...shared,
      path: "/v1/keys/{id}",
      params: {
        id: { ...CredentialIdText, description: "The public id of a key; not its secret" },
      },
      method: "DELETE",
      id: "revokeKey",
      effect: "change",
      audit: { message: "API key revoked" },
      summary: "Revoke an API key",
      description: "It stops working at once, its streams within a second.",
      replies: [{ status: 204, description: "Revoked, now or before" }],
      errors: ["NOT_FOUND"],
      async handle({ person, params }) {
        const keyId = keyOf(params);
        await people.revokeKey(person, keyId);
        return { status: 204, changed: { keyId } };
      },
    }),
  ];
}
