import { SCOPES } from "../../domain/people/credential.ts";
import { Type } from "@sinclair/typebox";
import { choice, Instant, nameText, nullable } from "./parts.ts";

/** What signing in, setting it up and looking after it say. The rules of names are the domain's. */

const SignInName = Type.String({ minLength: 1, maxLength: 200, examples: ["owner"] });
const Password = Type.String({ minLength: 1, maxLength: 1_000 });
const NewName = Type.String({
  maxLength: 200,
  description: "2 to 40 letters, digits or . _ - @; upper and lower case are one name",
  examples: ["owner"],
});
const NewPassword = Type.String({
  maxLength: 1_000,
  description: "12 to 200 characters of any kind",
});
const Token = Type.String({
  maxLength: 100,
  description: "The secret at the end of a set-up link",
});
const Label = nameText();

const Person = Type.Object({ id: Type.String(), name: Type.String() }, { title: "Person" });

export const SessionReply = Type.Object(
  {
    user: Person,
    signedInAt: Instant,
    confirmedAt: {
      ...Instant,
      description:
        "The newest proof of who it is; what is delicate asks for one of the last 15 minutes",
    },
    endsAt: { ...Instant, description: "However often it is used" },
    idleEndsAt: { ...Instant, description: "Unless it is used before" },
    passkeysPossible: Type.Boolean({
      description:
        "False where the console's address has no host name: browsers have no passkeys for it",
    }),
  },
  { title: "Session" },
);

export const SignInBody = Type.Object(
  { name: SignInName, password: Password },
  { title: "SignIn", additionalProperties: false },
);

export const ConfirmBody = Type.Object(
  { password: Password },
  { title: "Confirm", additionalProperties: false },
);

export const AskForPasskeyBody = Type.Object(
  {
    confirm: Type.Optional(
      Type.Boolean({ description: "To confirm who is signed in, and not to sign in" }),
    ),
  },
  { title: "AskForPasskey", additionalProperties: false },
);

const ChallengeId = Type.String({ maxLength: 100, examples: ["chal_5Q2mW7x1Tz0c"] });

export const CeremonyReply = Type.Object(
  {
    challengeId: ChallengeId,
    options: Type.Object(
      {},
      {
        additionalProperties: true,
        description: "For the browser as it is (W3C WebAuthn, the JSON form of its options)",
      },
    ),
  },
  { title: "Ceremony" },
);

const Bytes = Type.String({ maxLength: 16_384, description: "In base64url" });

const ResponseFields = {
  id: Bytes,
  rawId: Bytes,
  type: choice(["public-key"]),
  clientExtensionResults: Type.Object({}, { additionalProperties: true }),
  authenticatorAttachment: Type.Optional(nullable(Type.String())),
};
const OPEN = { additionalProperties: true };

const Assertion = Type.Object(
  {
    ...ResponseFields,
    response: Type.Object(
      {
        clientDataJSON: Bytes,
        authenticatorData: Bytes,
        signature: Bytes,
        userHandle: Type.Optional(nullable(Bytes)),
      },
      OPEN,
    ),
  },
  { ...OPEN, description: "What the browser answered, in its JSON form" },
);

const Attestation = Type.Object(
  {
    ...ResponseFields,
    response: Type.Object(
      {
        clientDataJSON: Bytes,
        attestationObject: Bytes,
        transports: Type.Optional(Type.Array(Type.String({ maxLength: 32 }), { maxItems: 16 })),
      },
      OPEN,
    ),
  },
  { ...OPEN, description: "What the browser answered, in its JSON form" },
);

export const AnswerPasskeyBody = Type.Object(
  { challengeId: ChallengeId, response: Assertion },
  { title: "AnswerPasskey", additionalProperties: false },
);

export const AddPasskeyBody = Type.Object(
  { challengeId: ChallengeId, name: Label, response: Attestation },
  { title: "AddPasskey", additionalProperties: false },
);

export const PasskeyReply = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    createdAt: Instant,
    lastUsedAt: Type.Optional(Instant),
  },
  { title: "Passkey" },
);

export const PasskeysReply = Type.Object(
  { passkeys: Type.Array(PasskeyReply) },
  { title: "Passkeys" },
);

export const CheckSetUpBody = Type.Object(
  { token: Token },
  { title: "CheckSetUp", additionalProperties: false },
);

export const CheckSetUpReply = Type.Object(
  {
    user: Person,
    isFirst: Type.Boolean({ description: "Whether nobody can sign in yet" }),
  },
  { title: "CheckedSetUp" },
);

export const SetUpBody = Type.Object(
  {
    token: Token,
    name: NewName,
    password: NewPassword,
    forgetPasskeys: Type.Optional(
      Type.Boolean({ description: "Removes every passkey that was there" }),
    ),
  },
  { title: "SetUp", additionalProperties: false },
);

export const ChangePasswordBody = Type.Object(
  { newPassword: NewPassword },
  { title: "ChangePassword", additionalProperties: false },
);

const KeyFields = {
  id: Type.String(),
  name: Type.String(),
  scopes: Type.Array(choice(SCOPES)),
  createdAt: Instant,
  lastUsedAt: Type.Optional(Instant),
  revokedAt: Type.Optional(Instant),
};

export const KeysReply = Type.Object(
  { keys: Type.Array(Type.Object(KeyFields, { title: "Key" })) },
  { title: "Keys" },
);

export const CreateKeyBody = Type.Object(
  {
    name: Label,
    scopes: Type.Array(choice(SCOPES), { minItems: 1, maxItems: SCOPES.length }),
  },
  { title: "CreateKey", additionalProperties: false },
);

export const CreatedKeyReply = Type.Object(
  { ...KeyFields, key: Type.String({ description: "For X-API-Key. A secret, shown this once" }) },
  { title: "CreatedKey" },
);

/** Answers of the routes for people, as the API document shows them. */

const USER = { id: "user_5Q2mW7x1Tz0c", name: "owner" };

export const SESSION = {
  user: USER,
  signedInAt: "2026-11-20T14:30:00.000Z",
  confirmedAt: "2026-11-20T14:30:00.000Z",
  endsAt: "2026-11-21T02:30:00.000Z",
  idleEndsAt: "2026-11-20T16:30:00.000Z",
  passkeysPossible: true,
};

export const CHECKED_SET_UP = { user: USER, isFirst: true };

const CHALLENGE_ID = "chal_8Kd1pQ4v0Zxa";

export const ASKED_PASSKEY = {
  challengeId: CHALLENGE_ID,
  options: {
    challenge: "<random bytes in base64url>",
    rpId: "gateway.example",
    timeout: 240_000,
    userVerification: "required",
  },
};

export const OFFERED_PASSKEY = {
  challengeId: CHALLENGE_ID,
  options: {
    challenge: "<random bytes in base64url>",
    rp: { id: "gateway.example", name: "Alert gateway" },
    user: { id: "<base64url>", name: "owner", displayName: "" },
    pubKeyCredParams: [{ alg: -7, type: "public-key" }],
  },
};

const RESPONSE = {
  id: "<base64url>",
  rawId: "<base64url>",
  type: "public-key",
  clientExtensionResults: {},
};

export const ASSERTION = {
  challengeId: CHALLENGE_ID,
  response: {
    ...RESPONSE,
    response: {
      clientDataJSON: "<base64url>",
      authenticatorData: "<base64url>",
      signature: "<base64url>",
      userHandle: "<base64url>",
    },
  },
};

export const ATTESTATION = {
  challengeId: CHALLENGE_ID,
  name: "Laptop",
  response: {
    ...RESPONSE,
    response: { clientDataJSON: "<base64url>", attestationObject: "<base64url>" },
  },
};

export const PASSKEY = {
  id: "pass_2Nf7cX0rQ9bd",
  name: "Laptop",
  createdAt: "2026-11-20T14:32:00.000Z",
};

export const KEY = {
  id: "key_7Yt3wB5mL1ze",
  name: "Dashboard",
  scopes: ["read"],
  createdAt: "2026-11-20T14:33:00.000Z",
};
