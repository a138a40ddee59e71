import type { Incoming } from "../trading/answering/ports.ts";
import { isObject } from "./read-answer.ts";

export interface Update {
  readonly id: number;
  /** Absent of what asks for nothing: an edit, a picture, somebody who joined. */
  readonly incoming?: Incoming;
}

/** What `getUpdates` answers, but for what has no number; undefined where that is no list. */
export function readUpdates(result: unknown, heardAt?: number): readonly Update[] | undefined {
  if (!Array.isArray(result)) return undefined;
  return result.map((one) => readUpdate(one, heardAt)).filter((update) => update !== undefined);
}

/** The number of the first update of an answer that is too long to be read. */
export function firstUpdateIn(text: string): number | undefined {
  // From its beginning: what a person wrote comes later.
  const [, id] = /^\s*\{"ok":true,"result":\[\{"update_id":(\d{1,15})[,}]/.exec(text) ?? [];
  return id === undefined ? undefined : Number(id);
}

function readUpdate(update: unknown, heardAt: number | undefined): Update | undefined {
  if (!isObject(update)) return undefined;
  const id = update["update_id"];
  if (typeof id !== "number" || !Number.isSafeInteger(id)) return undefined;
  const incoming = readMessage(update["message"], heardAt) ?? readPress(update["callback_query"]);
  return { id, ...(incoming !== undefined && { incoming }) };
}

function readMessage(message: unknown, heardAt: number | undefined): Incoming | undefined {
  if (!isObject(message)) return undefined;
  const { text, date } = message;
  const place = placeOf(message["chat"], message["from"]);
  if (place === undefined || typeof text !== "string" || typeof date !== "number") return undefined;
  return {
    ...place,
    kind: "message",
    at: date * 1_000,
    text,
    ...(heardAt !== undefined && { heardAt }),
  };
}

function readPress(press: unknown): Incoming | undefined {
  if (!isObject(press) || !isObject(press["message"])) return undefined;
  const { id, data, message } = press;
  const { message_id: messageId, chat } = message as Readonly<Record<string, unknown>>;
  const place = placeOf(chat, press["from"]);
  const isWhole =
    typeof id === "string" && typeof data === "string" && typeof messageId === "number";
  if (place === undefined || !isWhole) return undefined;
  return { ...place, kind: "press", pressId: id, messageId, data };
}

function placeOf(chat: unknown, from: unknown) {
  if (!isObject(chat) || !isObject(from)) return undefined;
  const [chatId, personId] = [numberOf(chat["id"]), numberOf(from["id"])];
  if (chatId === undefined || personId === undefined) return undefined;
  return { chatId, personId, isPrivate: chat["type"] === "private" };
}

const numberOf = (id: unknown): string | undefined =>
  Number.isSafeInteger(id) ? String(id) : undefined;
