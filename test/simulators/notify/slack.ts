import { type Answer, type HttpService, lengthOf, listOf, parsed, plain } from "./service.ts";

/** Of the webhook that there is. */
export const SLACK_PATH = "/services/T0001/B0001/aSecretOfSlack";

const LONGEST_TEXT = 3_000;
const MOST_BLOCKS = 50;

/** "Sending messages using incoming webhooks", "Block Kit" and "Formatting text" of Slack's documents. */
export const slack: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/services/"),
  answer: ({ url, body }) => {
    if (url.pathname !== SLACK_PATH) return plain(404, "no_service");
    const message = parsed(body);
    if (message === undefined) return slack.refuse();
    const blocks = listOf(message["blocks"]);
    const texts = blocks.map((block) => block["text"] as { text?: unknown } | undefined);
    if (lengthOf(message["text"]) === 0 && blocks.length === 0) return plain(400, "no_text");
    const areWrong = texts.some((text) => {
      const length = lengthOf(text?.text);
      return length < 1 || length > LONGEST_TEXT;
    });
    if (areWrong || blocks.length > MOST_BLOCKS) return plain(400, "invalid_blocks");
    const all = [message["text"], ...texts.map((text) => text?.text)].map(String).join("\n");
    return { ...taken, mentions: all.match(/<[!@#][^>]*>/g) ?? [] };
  },
  throttle: (seconds) => plain(429, "rate_limited", { "retry-after": String(seconds) }),
  gone: () => plain(410, "channel_is_archived"),
  refuse: () => plain(400, "invalid_payload"),
};

const taken: Answer = plain(200, "ok");
