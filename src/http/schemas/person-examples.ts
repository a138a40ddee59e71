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
