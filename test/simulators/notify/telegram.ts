import { type Answer, charactersIn, type HttpService, json, listOf, parsed } from "./service.ts";

/** The bot that there is, and the chats that it may write to. */
export const BOT_TOKEN = "123456789:AAH-secret_of_the_bot_0123456789abcd";
export const CHAT = "4242";
export const BLOCKED_CHAT = "4243";
/** A group that has become another one. */
export const MOVED_CHAT = "-4244";
const NEW_CHAT = -1_004_244;

const LONGEST = 4_096;
/** "HTML style" of the Bot API. */
const TAGS = new Set(
  "b strong i em u ins s strike del span tg-spoiler a code pre blockquote".split(" "),
);

/** "Making requests", "sendMessage" and "Formatting options" of the Bot API. */
export const telegram: HttpService = {
  isAsked: ({ url }) => url.pathname.startsWith("/bot"),
  answer: ({ url, body }) => {
    const [, token = "", method = ""] = /^\/bot([^/]*)\/(\w+)$/.exec(url.pathname) ?? [];
    if (token !== BOT_TOKEN) return refusal(401, "Unauthorized");
    const parameters = parsed(body) ?? {};
    switch (method) {
      case "sendMessage":
        return sendMessage(parameters);
      case "editMessageText":
        return checkText(parameters) ?? ok({ message_id: parameters["message_id"] });
      case "answerCallbackQuery":
        return ok(true);
      case "getUpdates":
        return ok([]);
      default:
        return refusal(404, "Not Found");
    }
  },
  throttle: (seconds) =>
    refusal(429, `Too Many Requests: retry after ${seconds}`, { retry_after: seconds }),
  gone: () => refusal(403, "Forbidden: bot was blocked by the user"),
  refuse: () => refusal(400, "Bad Request: message text is empty"),
};

function sendMessage(parameters: Readonly<Record<string, unknown>>): Answer {
  const chat = String(parameters["chat_id"]);
  if (chat === BLOCKED_CHAT) return telegram.gone();
  if (chat === MOVED_CHAT) {
    const moved = { migrate_to_chat_id: NEW_CHAT };
    return refusal(400, "Bad Request: group chat was upgraded to a supergroup chat", moved);
  }
  if (chat !== CHAT && chat !== String(NEW_CHAT)) {
    return refusal(400, "Bad Request: chat not found");
  }
  const wrong = checkText(parameters);
  if (wrong !== undefined) return wrong;
  return { ...ok({ message_id: 7, chat: { id: Number(chat) } }), mentions: [] };
}

/** Undefined where the text is one that can be shown. */
function checkText(parameters: Readonly<Record<string, unknown>>): Answer | undefined {
  const { text = "", parse_mode: mode } = parameters;
  const shown = mode === "HTML" ? readHtml(String(text)) : String(text);
  if (mode !== undefined && mode !== "HTML") {
    return refusal(400, "Bad Request: unsupported parse_mode");
  }
  if (shown === undefined) return unparsable("Unsupported start tag at byte offset 1");
  for (const { offset, length } of listOf(parameters["entities"])) {
    const isInside = Number(offset) >= 0 && Number(offset) + Number(length) <= shown.length;
    if (!isInside) return unparsable("entity is out of the text");
  }
  if (shown.trim() === "") return telegram.refuse();
  if (charactersIn(shown) > LONGEST) return refusal(400, "Bad Request: message is too long");
  return undefined;
}

/** The text that is shown; undefined where a tag is not one, or is not closed. */
function readHtml(text: string): string | undefined {
  const open: string[] = [];
  for (const [, end, name = ""] of text.matchAll(/<(\/?)([^\s>]*)[^>]*>?/g)) {
    if (!TAGS.has(name)) return undefined;
    if (end === "/") {
      if (open.pop() !== name) return undefined;
    } else open.push(name);
  }
  if (open.length > 0 || /&(?!(lt|gt|amp|quot|#\d+);)/.test(text)) return undefined;
  return text.replaceAll(/<[^>]*>/g, "").replaceAll(/&[^;]+;/g, "_");
}

const unparsable = (why: string) => refusal(400, `Bad Request: can't parse entities: ${why}`);

const ok = (result: unknown): Answer => json(200, { ok: true, result });

const refusal = (status: number, description: string, parameters?: object): Answer =>
  json(status, { ok: false, error_code: status, description, ...(parameters && { parameters }) });
