import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import type { Answer, GuardedRequest } from "./guarded-request.ts";
import { failed, gone, isSuccess, strange, unacceptable } from "./read-answer.ts";
import { cut, readableText } from "./readable-text.ts";
import { addressAt, whyNotOfService } from "./service-address.ts";

/** Of one text in a block. */
const LONGEST = 3_000;
const LONGEST_TITLE = 250;

export interface SlackDeps {
  readonly request: GuardedRequest;
  readonly base?: string | undefined;
}

/** Slack has no message without a sound. */
export function createSlack({ request, base }: SlackDeps, limitMs?: number) {
  return createChannel(
    {
      kind: "slack",
      gapMs: 1_000,
      deliver: async (notice, { settings }, signal) => {
        const reason = whyNotOfService("slack", settings.url);
        if (reason !== undefined) return { kind: "unacceptable", reason };
        const answer = await request(addressAt(settings.url, base), {
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

function bodyOf(notice: Notice) {
  const text = readableText(notice);
  const title = cutEscaped(text.title, LONGEST_TITLE);
  const blocks = [section(`*${title}*`), section(cutEscaped(text.body, LONGEST))];
  // What a notification shows of it.
  return { text: title, blocks: text.body === "" ? blocks.slice(0, 1) : blocks };
}

/** `verbatim`: names of channels and people in it are no links. */
const section = (text: string) => ({
  type: "section",
  text: { type: "mrkdwn", verbatim: true, text },
});

const escaped = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const cutEscaped = (text: string, limit: number): string =>
  escaped(cut(text, limit, (part) => escaped(part).length));

function readAnswer(answer: Answer): Delivery {
  if (isSuccess(answer)) {
    const isTaken = answer.text.trim() === "ok";
    return isTaken ? { kind: "delivered", status: answer.status } : strange(answer);
  }
  switch (answer.status) {
    case 400:
      return unacceptable(answer, "Slack refused the message");
    case 403:
    case 404:
    case 410:
      return gone(answer, "Slack no longer lets the webhook post");
    default:
      return failed(answer);
  }
}
