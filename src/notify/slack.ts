import type { Delivery, Notice } from "../trading/notify/ports.ts";
import type { Answer } from "./guarded-request.ts";
import { failed, gone, isSuccess, strange, unacceptable } from "./read-answer.ts";
import { cutEscaped, readableText } from "./readable-text.ts";
import { createServiceWebhook, type ServiceWebhookDeps } from "./service-webhook.ts";

/** Of one text in a block. */
const LONGEST = 3_000;
const LONGEST_TITLE = 250;

/** Slack has no message without a sound. */
export const createSlack = (deps: ServiceWebhookDeps, limitMs?: number) =>
  createServiceWebhook({ kind: "slack", gapMs: 1_000, bodyOf, readAnswer }, deps, limitMs);

function bodyOf(notice: Notice) {
  const text = readableText(notice);
  const title = cutEscaped(text.title, LONGEST_TITLE, escaped);
  const blocks = [section(`*${title}*`), section(cutEscaped(text.body, LONGEST, escaped))];
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
