import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import type { Answer, GuardedRequest } from "./guarded-request.ts";
import { addressAt, whyNotOfService } from "./service-address.ts";

export interface ServiceWebhookDeps {
  readonly request: GuardedRequest;
  readonly base?: string | undefined;
}

interface ServiceWebhook {
  readonly kind: "discord" | "slack";
  readonly gapMs: number;
  /** In the address, beside what the service handed out. */
  readonly search?: Readonly<Record<string, string>>;
  readonly bodyOf: (notice: Notice) => object;
  readonly readAnswer: (answer: Answer) => Delivery;
}

/** A channel of a chat by the address that the service handed out for it. */
export function createServiceWebhook(
  { kind, gapMs, search = {}, bodyOf, readAnswer }: ServiceWebhook,
  { request, base }: ServiceWebhookDeps,
  limitMs?: number,
) {
  return createChannel(
    {
      kind,
      gapMs,
      deliver: async (notice, { settings }, signal) => {
        const reason = whyNotOfService(kind, settings.url);
        if (reason !== undefined) return { kind: "unacceptable", reason };
        const url = addressAt(settings.url, base);
        for (const [name, value] of Object.entries(search)) url.searchParams.set(name, value);
        const answer = await request(url, {
          method: "POST",
          body: JSON.stringify(bodyOf(notice)),
          headers: { "content-type": "application/json" },
          signal,
        });
        return answer.kind === "failed" ? answer : readAnswer(answer);
      },
    },
    limitMs,
  );
}
