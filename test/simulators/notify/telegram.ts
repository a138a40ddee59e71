import { type Answer, charactersIn, type HttpService, json, listOf, parsed } from "./service.ts";
import { inbox } from "./telegram-inbox.ts";

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

/** "Making requests", "Getting updates", "sendMessage" and "Formatting options" of the Bot API. */
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
        return checkText(parameters) ?? editMessage(parameters);
      case "answerCallbackQuery":
        return answerPress(parameters);
      case "getUpdates":
        return getUpdates(parameters);
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
  if (chat !== CHAT && chat !== String(NEW_CHAT) && !inbox.hasWritten(chat)) {
    return refusal(400, "Bad Request: chat not found");
  }
  const wrong = checkText(parameters);
  if (wrong !== undefined) return wrong;
  const id = inbox.note(shownOf(parameters));
  return { ...ok({ message_id: id, chat: { id: Number(chat) } }), mentions: [] };
}

function editMessage(parameters: Readonly<Record<string, unknown>>): Answer {
  const id = Number(parameters["message_id"]);
  const shown = { ...shownOf(parameters), id };
  const known = inbox.message(shown.chat, id);
  if (known === undefined) return refusal(400, "Bad Request: message to edit not found");
  if (known.text === shown.text && known.button === shown.button) {
    const why =
      "message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message";
    return refusal(400, `Bad Request: ${why}`);
  }
  inbox.change(shown);
  return ok({ message_id: id });
}

/** Once, and soon. */
function answerPress({ callback_query_id: id, text = "" }: Readonly<Record<string, unknown>>) {
  if (charactersIn(String(text)) > 200) return refusal(400, "Bad Request: MESSAGE_TOO_LONG");
  if (inbox.answerPress(String(id))) return ok(true);
  const why = "query is too old and response timeout expired or query ID is invalid";
  return refusal(400, `Bad Request: ${why}`);
}

const MOST_AT_ONCE = 100;

/** The newest call is answered; one that still waits is told so. */
async function getUpdates(parameters: Readonly<Record<string, unknown>>): Promise<Answer> {
  const { offset, limit = MOST_AT_ONCE, timeout = 0 } = parameters;
  const found = await inbox.wait({
    ...(typeof offset === "number" && { offset }),
    limit: Math.min(Number(limit), MOST_AT_ONCE),
    waitMs: Number(timeout) * 1_000,
  });
  if (found !== "terminated") return ok(found);
  const why =
    "terminated by other getUpdates request; make sure that only one bot instance is running";
  return refusal(409, `Conflict: ${why}`);
}

const BUTTON_BYTES = 64;

function shownOf(parameters: Readonly<Record<string, unknown>>) {
  const { chat_id: chat, text } = parameters;
  const [button] = buttonsIn(parameters);
  return { chat: String(chat), text: String(text), ...(button !== undefined && { button }) };
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
  for (const data of buttonsIn(parameters)) {
    const isTooLong = data === "" || Buffer.byteLength(data) > BUTTON_BYTES;
    if (isTooLong) return refusal(400, "Bad Request: BUTTON_DATA_INVALID");
  }
  if (shown.trim() === "") return telegram.refuse();
  if (charactersIn(shown) > LONGEST) return refusal(400, "Bad Request: message is too long");
  return undefined;
}

function buttonsIn({ reply_markup: markup }: Readonly<Record<string, unknown>>): readonly string[] {
  const { inline_keyboard: rows = [] } = (markup ?? {}) as {
    readonly inline_keyboard?: readonly (readonly { readonly callback_data?: string }[])[];
  };
  return rows.flat().map(({ callback_data: data = "" }) => data);
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
