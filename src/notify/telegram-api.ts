import type { Answer, GuardedRequest } from "./guarded-request.ts";
import { isObject, objectIn, retryAfter, secondsOf } from "./read-answer.ts";

const HOST = "https://api.telegram.org";

/** A number, a colon, and what is secret of it: nothing that could change the path that it is put in. */
const TOKEN = /^\d{1,20}:[\w-]{10,100}$/;

interface InlineKeyboard {
  /** At most 64 bytes of `callback_data`. */
  readonly inline_keyboard: readonly (readonly {
    readonly text: string;
    readonly callback_data: string;
  }[])[];
}

interface MessageEntity {
  readonly type: "bold" | "code";
  /** In UTF-16 units. */
  readonly offset: number;
  readonly length: number;
}

interface TextOptions {
  /** 1 to 4,096 characters. */
  readonly text: string;
  readonly entities?: readonly MessageEntity[];
  readonly link_preview_options?: { readonly is_disabled: boolean };
  readonly reply_markup?: InlineKeyboard;
}

/** The methods of the Bot API that the gateway calls. */
export interface TelegramMethods {
  readonly sendMessage: TextOptions & {
    readonly chat_id: string | number;
    readonly disable_notification?: boolean;
    readonly protect_content?: boolean;
  };
  readonly editMessageText: TextOptions & {
    readonly chat_id: string | number;
    readonly message_id: number;
  };
  readonly answerCallbackQuery: {
    readonly callback_query_id: string;
    /** At most 200 characters. */
    readonly text?: string;
    readonly show_alert?: boolean;
  };
  readonly getUpdates: {
    readonly offset?: number;
    readonly limit?: number;
    /** Seconds that it waits for the first one; the signal has to give it longer. */
    readonly timeout?: number;
    readonly allowed_updates?: readonly ("message" | "callback_query")[];
  };
}

/** Anybody may write to a bot: ten updates as large as Telegram lets them be. */
const LONGEST_UPDATES = 1_024 * 1_024;

export type TelegramReply =
  /** `at`: when it answered by its own clock, Unix ms. */
  | { readonly kind: "ok"; readonly status: number; readonly result: unknown; readonly at?: number }
  /** `description` is Telegram's, to be told apart by, and not to be shown. */
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly description: string;
      readonly retryAfterMs?: number;
      /** The group has become another one. */
      readonly movedTo?: string | number;
    }
  /** Not an answer of Telegram's. */
  | { readonly kind: "strange"; readonly answer: Answer }
  | { readonly kind: "failed"; readonly reason: string };

/** Asks Telegram. Ends with the signal alone, since `getUpdates` waits on purpose. */
export type TelegramApi = <Method extends keyof TelegramMethods>(
  botToken: string,
  method: Method,
  parameters: TelegramMethods[Method],
  signal: AbortSignal,
) => Promise<TelegramReply>;

export interface TelegramApiDeps {
  readonly request: GuardedRequest;
  readonly base?: string | undefined;
}

export function createTelegramApi({ request, base = HOST }: TelegramApiDeps): TelegramApi {
  return async (botToken, method, parameters, signal) => {
    if (!TOKEN.test(botToken)) {
      return { kind: "refused", status: 404, description: "Not the form of a token" };
    }
    const answer = await request(new URL(`/bot${botToken}/${method}`, base), {
      method: "POST",
      body: JSON.stringify(parameters),
      headers: { "content-type": "application/json" },
      signal,
      ...(method === "getUpdates" && { longest: LONGEST_UPDATES }),
    });
    return answer.kind === "failed" ? answer : readReply(answer);
  };
}

function readReply(answer: Answer): TelegramReply {
  const { status } = answer;
  const said = objectIn(answer);
  if (said?.["ok"] === true) {
    const at = Date.parse(answer.headers["date"] ?? "");
    return { kind: "ok", status, result: said["result"], ...(!Number.isNaN(at) && { at }) };
  }
  if (said?.["ok"] !== false) return { kind: "strange", answer };
  const { description, parameters } = said;
  const hints = isObject(parameters) ? parameters : {};
  const retryAfterMs = secondsOf(hints["retry_after"]) ?? retryAfter(answer);
  const movedTo = hints["migrate_to_chat_id"];
  return {
    kind: "refused",
    status,
    description: typeof description === "string" ? description : "",
    ...(retryAfterMs !== undefined && { retryAfterMs }),
    ...((typeof movedTo === "number" || typeof movedTo === "string") && { movedTo }),
  };
}
