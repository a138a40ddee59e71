import { createHmac } from "node:crypto";

export interface SignedContent {
  readonly id: string;
  /** Unix seconds of the attempt. */
  readonly timestamp: number;
  /** Exactly as it is sent. */
  readonly body: string;
}

const PREFIX = "whsec_";

/** The `webhook-signature` of Standard Webhooks 1.0.0: one for each secret, any of which is enough. */
export function signWebhook(
  { id, timestamp, body }: SignedContent,
  secrets: readonly string[],
): string {
  return secrets
    .map((secret) => Buffer.from(secret.replace(PREFIX, ""), "base64"))
    .map((key) => createHmac("sha256", key).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
}
