import { createChannel } from "./channel.ts";
import type { GuardedRequest } from "./guarded-request.ts";
import { failed, gone, isSuccess } from "./read-answer.ts";
import { signWebhook } from "./sign-webhook.ts";
import { webhookBody } from "./webhook-body.ts";

export interface WebhookDeps {
  readonly request: GuardedRequest;
  /** By the receiver's idea of time: the system's clock. */
  readonly now: () => number;
}

/**
 * A user's own program, by Standard Webhooks 1.0.0. Only a 2xx is a success, and only a 410 is for good:
 * any other refusal may be a fault of the receiver that somebody mends.
 */
export function createWebhook({ request, now }: WebhookDeps, limitMs?: number) {
  return createChannel(
    {
      kind: "webhook",
      // A flood is spread: each message is a connection of its own.
      gapMs: 10,
      deliver: async ({ event }, { settings, secrets }, signal) => {
        if (secrets.length === 0) {
          return { kind: "unacceptable", reason: "There is no secret to sign with" };
        }
        const body = webhookBody(event);
        const timestamp = Math.floor(now() / 1_000);
        const answer = await request(settings.url, {
          method: "POST",
          body,
          signal,
          headers: {
            "content-type": "application/json",
            "webhook-id": event.id,
            "webhook-timestamp": String(timestamp),
            "webhook-signature": signWebhook({ id: event.id, timestamp, body }, secrets),
          },
        });
        if (answer.kind === "failed") return answer;
        if (isSuccess(answer)) return { kind: "delivered", status: answer.status };
        if (answer.status === 410) return gone(answer, "The receiver wants no more of it");
        return failed(answer);
      },
    },
    limitMs,
  );
}
