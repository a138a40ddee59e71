import { createHash, randomBytes } from "node:crypto";

/** What a secret of each kind begins with, so that a leaked one is recognised for what it is. */
const PREFIX = { key: "gwk_", webhook: "gwh_", session: "gws_", setUp: "gwu_" } as const;

const SECRET = /^gw[khsu]_[A-Za-z0-9_-]{43}$/;

/** 256 random bits. Shown once; only its hash is kept. */
export function newSecret(kind: keyof typeof PREFIX): string {
  return PREFIX[kind] + randomBytes(32).toString("base64url");
}

/** The SHA-256 of a secret, or undefined for text that cannot be one of that kind. */
export function hashSecret(kind: keyof typeof PREFIX, secret: string): string | undefined {
  if (!SECRET.test(secret) || !secret.startsWith(PREFIX[kind])) return undefined;
  return createHash("sha256").update(secret).digest("hex");
}

/** A public name: says nothing about the secret. */
export function newId(prefix: string): string {
  return `${prefix}_${randomBytes(9).toString("base64url").replaceAll("_", "x").replaceAll("-", "y")}`;
}
