import type { Delivery, Notice } from "../trading/notify/ports.ts";
import { createChannel } from "./channel.ts";
import { bounded, failed, failureWords, isSuccess, strange } from "./read-answer.ts";
import { cut, readableText } from "./readable-text.ts";
import type { TelegramApi, TelegramMethods, TelegramReply } from "./telegram-api.ts";

/** Counted by Telegram once it has read the markup; ours has none. */
const LONGEST = 4_096;

type NewMessage = TelegramMethods["sendMessage"];
type Refused = Extract<TelegramReply, { kind: "refused" }>;

/** A bot's message to the chat that was linked. */
export function createTelegram(api: TelegramApi, limitMs?: number) {
  return createChannel(
    {
      kind: "telegram",
      gapMs: 1_000,
      deliver: async (notice, { settings: { botToken, chatId } }, signal) => {
        if (chatId === undefined) {
          // Its owner may be linking it just now.
          return { kind: "failed", reason: "The chat is not linked yet" };
        }
        const message = messageFor(notice, chatId);
        const send = (again: NewMessage) => api(botToken, "sendMessage", again, signal);
        const reply = await send(message);
        const again = reply.kind === "refused" ? otherwise(message, reply) : undefined;
        return deliveryOf(again === undefined ? reply : await send(again));
      },
    },
    limitMs,
  );
}

/** What is bold is told beside the text: nothing in it needs an escape, and none can be forgotten. */
function messageFor(notice: Notice, chatId: string): NewMessage {
  const { title, body } = readableText(notice);
  return {
    chat_id: chatId,
    text: cut(`${title}\n${body}`.trim(), LONGEST),
    entities: [{ type: "bold", offset: 0, length: title.length }],
    link_preview_options: { is_disabled: true },
    ...(notice.isSilent && { disable_notification: true }),
  };
}

/** How a message that was refused may still arrive. */
function otherwise(message: NewMessage, { status, description, movedTo }: Refused) {
  if (status !== 400) return undefined;
  if (movedTo !== undefined) return { ...message, chat_id: movedTo };
  if (!/entit/i.test(description)) return undefined;
  const { entities: _, ...plain } = message;
  return plain;
}

function deliveryOf(reply: TelegramReply): Delivery {
  switch (reply.kind) {
    case "ok":
      return { kind: "delivered", status: reply.status };
    case "failed":
      return reply;
    case "strange":
      return isSuccess(reply.answer) ? strange(reply.answer) : failed(reply.answer);
    case "refused":
      return refusal(reply);
  }
}

function refusal({ status, description, retryAfterMs }: Refused): Delivery {
  switch (status) {
    case 400:
      return /chat not found|PEER_ID_INVALID|deactivated|kicked/i.test(description)
        ? { kind: "gone", reason: `Telegram no longer knows the chat (${status})`, status }
        : { kind: "unacceptable", reason: `Telegram refused the message (${status})`, status };
    case 401:
    case 404:
      return { kind: "gone", reason: `Telegram does not know the bot's token (${status})`, status };
    case 403:
      return { kind: "gone", reason: `The bot was blocked or removed (${status})`, status };
    default:
      return {
        kind: "failed",
        reason: failureWords(status),
        status,
        ...(retryAfterMs !== undefined && { retryAfterMs: bounded(retryAfterMs) }),
      };
  }
}
