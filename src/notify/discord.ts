import type { Severity } from "../domain/severity.ts";
import type { Delivery, Notice } from "../trading/notify/ports.ts";
import type { Answer } from "./guarded-request.ts";
import {
  failed,
  gone,
  isSuccess,
  objectIn,
  retryAfter,
  secondsOf,
  strange,
  unacceptable,
} from "./read-answer.ts";
import { cutEscaped, readableText } from "./readable-text.ts";
import { createServiceWebhook, type ServiceWebhookDeps } from "./service-webhook.ts";

/** Together less than the 6,000 that all embeds may have. */
const LIMITS = { title: 256, description: 4_096 } as const;
const SUPPRESS_NOTIFICATIONS = 4_096;
const COLORS: Readonly<Record<Severity, number>> = {
  critical: 0xd32f2f,
  warning: 0xf9a825,
  info: 0x546e7a,
};

export const createDiscord = (deps: ServiceWebhookDeps, limitMs?: number) =>
  createServiceWebhook(
    {
      kind: "discord",
      // Thirty messages a minute for each webhook.
      gapMs: 2_000,
      // Otherwise a message that Discord does not keep is a success.
      search: { wait: "true" },
      bodyOf,
      readAnswer,
    },
    deps,
    limitMs,
  );

function bodyOf(notice: Notice) {
  const { title, body } = readableText(notice);
  const { severity, at } = notice.event;
  return {
    embeds: [
      {
        title: cutEscaped(title, LIMITS.title, escaped),
        description: cutEscaped(body, LIMITS.description, escaped),
        color: COLORS[severity],
        timestamp: new Date(at).toISOString(),
      },
    ],
    // Without it, a webhook rings whomever its text names.
    allowed_mentions: { parse: [] },
    ...(notice.isSilent && { flags: SUPPRESS_NOTIFICATIONS }),
  };
}

/** A bare address, which Discord shows as it is: an escape in it would lead elsewhere. */
const SIGN_OR_ADDRESS = /(?<!\w)https?:\/\/[^\s\\*~`|<>[\]]+|[\\*_~`|<>[\]#]/g;

/** What Discord's markdown could read as more than itself. */
const escaped = (text: string): string =>
  text.replaceAll(SIGN_OR_ADDRESS, (found) => (found.length > 1 ? found : `\\${found}`));

function readAnswer(answer: Answer): Delivery {
  if (isSuccess(answer)) {
    const isMessage = typeof objectIn(answer)?.["id"] === "string";
    return isMessage ? { kind: "delivered", status: answer.status } : strange(answer);
  }
  switch (answer.status) {
    case 400:
      return unacceptable(answer, "Discord refused the message");
    case 401:
    case 403:
    case 404:
      // Asking again and again would get the whole address banned.
      return gone(answer, "Discord no longer knows the webhook");
    case 429:
      return failed(answer, secondsOf(objectIn(answer)?.["retry_after"]) ?? retryAfter(answer));
    default:
      return failed(answer);
  }
}
