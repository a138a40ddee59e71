import type { Severity } from "../domain/severity.ts";
import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import type { Answer, GuardedRequest } from "./guarded-request.ts";
import { failed, gone, isSuccess, objectIn, strange, unacceptable } from "./read-answer.ts";
import { cut, inBytes, readableText } from "./readable-text.ts";

/** What is longer becomes an attachment. */
const LONGEST_BYTES = 4_096;
const LONGEST_TITLE = 250;
const TOPIC = /^[-_A-Za-z0-9]{1,64}$/;

const PRIORITIES: Readonly<Record<Severity, number>> = { critical: 5, warning: 4, info: 3 };
/** Shown, without a sound or a vibration. */
const SILENT = 2;
const TAGS: Readonly<Record<Severity, readonly string[]>> = {
  critical: ["rotating_light"],
  warning: ["warning"],
  info: [],
};

export function createNtfy(request: GuardedRequest, limitMs?: number) {
  return createChannel(
    {
      kind: "ntfy",
      // ntfy.sh gives one message back each five seconds, after a burst of sixty.
      gapMs: 1_000,
      deliver: async (notice, { settings: { server, topic, token } }, signal) => {
        if (!TOPIC.test(topic)) {
          return { kind: "unacceptable", reason: "The topic is not one that ntfy takes" };
        }
        const answer = await request(server, {
          method: "POST",
          body: JSON.stringify({ topic, ...messageFor(notice) }),
          headers: {
            "content-type": "application/json",
            ...(token !== undefined && { authorization: `Bearer ${token}` }),
          },
          signal,
        });
        return answer.kind === "failed" ? answer : readAnswer(answer);
      },
    },
    limitMs,
  );
}

function messageFor(notice: Notice) {
  const { title, body } = readableText(notice);
  const { severity } = notice.event;
  return {
    title: cut(title, LONGEST_TITLE, inBytes),
    message: cut(body, LONGEST_BYTES, inBytes),
    priority: notice.isSilent ? SILENT : PRIORITIES[severity],
    tags: TAGS[severity],
  };
}

function readAnswer(answer: Answer): Delivery {
  if (isSuccess(answer)) {
    const isTaken = objectIn(answer)?.["event"] === "message";
    return isTaken ? { kind: "delivered", status: answer.status } : strange(answer);
  }
  switch (answer.status) {
    case 400:
    case 413:
      return unacceptable(answer, "ntfy refused the message");
    case 401:
    case 403:
      return gone(answer, "ntfy does not let it write to the topic");
    default:
      return failed(answer);
  }
}
