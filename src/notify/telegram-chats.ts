import type { BotChats, Reply } from "../trading/answering/ports.ts";
import { isObject } from "./read-answer.ts";
import { cut, oneLine } from "./readable-text.ts";
import type { TelegramApi, TelegramMethods, TelegramReply } from "./telegram-api.ts";

export interface BotChatsDeps {
  readonly api: TelegramApi;
  readonly botToken: string;
  readonly pause: (ms: number) => Promise<void>;
}

type BotCall = <Method extends keyof TelegramMethods>(
  method: Method,
  parameters: TelegramMethods[Method],
) => Promise<TelegramReply>;

const LONGEST = 4_096;
const LONGEST_TOAST = 200;
const WITHIN_MS = 10_000;
/** Whoever waits for an outcome waits so long that it may be told once more. */
const LONGEST_PAUSE_MS = 5_000;

/** What a bot says in its chats, within the limits of the Bot API. */
export function createBotChats({ api, botToken, pause }: BotChatsDeps): BotChats {
  const ask: BotCall = async (method, parameters) =>
    await api(botToken, method, parameters, AbortSignal.timeout(WITHIN_MS));

  async function call<Method extends keyof TelegramMethods>(
    method: Method,
    parameters: TelegramMethods[Method],
  ): Promise<TelegramReply> {
    const reply = await ask(method, parameters);
    const wish = reply.kind === "refused" ? reply.retryAfterMs : undefined;
    if (wish === undefined || wish > LONGEST_PAUSE_MS) return reply;
    await pause(wish);
    return await ask(method, parameters);
  }

  return {
    send: async (chatId, reply) => {
      const sent = await call("sendMessage", { chat_id: chatId, ...textOf(reply) });
      const message = sent.kind === "ok" && isObject(sent.result) ? sent.result : {};
      const id = message["message_id"];
      return typeof id === "number" ? id : undefined;
    },
    sendOnce: async (chatId, reply) => {
      await ask("sendMessage", { chat_id: chatId, ...textOf(reply) });
    },
    edit: async (chatId, messageId, reply) => {
      const where = { chat_id: chatId, message_id: messageId };
      const edited = await call("editMessageText", { ...where, ...textOf(reply) });
      return edited.kind === "ok" || isAlreadySo(edited);
    },
    answerPress: async (pressId, words) => {
      await call("answerCallbackQuery", {
        callback_query_id: pressId,
        ...(words !== undefined && { text: cut(oneLine(words), LONGEST_TOAST) }),
      });
    },
  };
}

/** What is bold is told beside the text, so that nothing in it is read as markup. */
function textOf({ title, lines, button }: Reply) {
  const heading = oneLine(title);
  return {
    text: cut([heading, ...lines.map(oneLine)].join("\n").trim(), LONGEST),
    entities: [{ type: "bold", offset: 0, length: Math.min(heading.length, LONGEST - 1) }] as const,
    link_preview_options: { is_disabled: true },
    ...(button !== undefined && {
      reply_markup: { inline_keyboard: [[{ text: button.text, callback_data: button.data }]] },
    }),
  };
}

const isAlreadySo = (reply: TelegramReply): boolean =>
  reply.kind === "refused" && /message is not modified/i.test(reply.description);
