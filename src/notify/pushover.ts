import type { Severity } from "../domain/severity.ts";
import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import type { Answer, GuardedRequest } from "./guarded-request.ts";
import {
  failed,
  gone,
  isSuccess,
  objectIn,
  retryAfter,
  strange,
  unacceptable,
} from "./read-answer.ts";
import { cut, readableText } from "./readable-text.ts";

const HOST = "https://api.pushover.net";
const LIMITS = { title: 250, message: 1_024 } as const;

/** Not 2, which repeats until somebody acknowledges it. 1 passes quiet hours of the phone. */
const PRIORITIES: Readonly<Record<Severity, number>> = { critical: 1, warning: 0, info: -1 };
const SILENT = -2;

export interface PushoverDeps {
  readonly request: GuardedRequest;
  readonly base?: string | undefined;
  /** By which the service's own times are read: the system's clock. */
  readonly now: () => number;
}

export function createPushover({ request, base = HOST, now }: PushoverDeps, limitMs?: number) {
  return createChannel(
    {
      kind: "pushover",
      gapMs: 500,
      deliver: async (notice, { settings: { appToken, userKey } }, signal) => {
        const form = { token: appToken, user: userKey, ...messageFor(notice) };
        const answer = await request(new URL("/1/messages.json", base), {
          method: "POST",
          body: new URLSearchParams(form).toString(),
          headers: { "content-type": "application/x-www-form-urlencoded" },
          signal,
        });
        return answer.kind === "failed" ? answer : readAnswer(answer, now());
      },
    },
    limitMs,
  );
}

function messageFor(notice: Notice) {
  const { title, body } = readableText(notice);
  const { severity, at } = notice.event;
  return {
    title: cut(title, LIMITS.title),
    // It takes none that is empty.
    message: cut(body === "" ? title : body, LIMITS.message),
    priority: String(notice.isSilent ? SILENT : PRIORITIES[severity]),
    timestamp: String(Math.floor(at / 1_000)),
  };
}

function readAnswer(answer: Answer, now: number): Delivery {
  const said = objectIn(answer);
  if (isSuccess(answer)) {
    return said?.["status"] === 1 ? { kind: "delivered", status: answer.status } : strange(answer);
  }
  if (answer.status === 429) {
    return failed(answer, retryAfter(answer, now) ?? untilReset(answer, now));
  }
  const isRefusal = answer.status >= 400 && answer.status < 500 && said?.["status"] === 0;
  if (!isRefusal) return failed(answer);
  return said["token"] === "invalid" || said["user"] === "invalid"
    ? gone(answer, "Pushover does not know the application or the user")
    : unacceptable(answer, "Pushover refused the message");
}

/** When the month's messages are used up, the next ones come with the next month. */
function untilReset({ headers }: Answer, now: number): number | undefined {
  const resetAt = Number(headers["x-limit-app-reset"]) * 1_000;
  return headers["x-limit-app-remaining"] === "0" && resetAt > now ? resetAt - now : undefined;
}
