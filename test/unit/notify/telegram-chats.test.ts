import { expect, test } from "vitest";
import type { TelegramApi, TelegramReply } from "../../../src/notify/telegram-api.ts";
import { createBotChats } from "../../../src/notify/telegram-chats.ts";

interface Call {
  readonly method: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}

function chatsOn(...replies: readonly TelegramReply[]) {
  const calls: Call[] = [];
  const paused: number[] = [];
  const left = [...replies];
  const api: TelegramApi = async (_, method, parameters) => {
    calls.push({ method, parameters: parameters as unknown as Call["parameters"] });
    return left.shift() ?? { kind: "ok", status: 200, result: { message_id: 3 } };
  };
  const pause = async (ms: number) => void paused.push(ms);
  return { chats: createBotChats({ api, botToken: "1:x", pause }), calls, paused };
}

const refused = (status: number, description: string, retryAfterMs?: number): TelegramReply => ({
  kind: "refused",
  status,
  description,
  ...(retryAfterMs !== undefined && { retryAfterMs }),
});

test("a reply is plain text with a bold heading and one button", async () => {
  const { chats, calls } = chatsOn();
  const button = { text: "Flatten now", data: "abc" };
  const lines = ["<b>a_b*c</b>", "one\nline\u202e"];
  expect(await chats.send("5", { title: "Sure?", lines, button })).toBe(3);
  expect(calls[0]?.parameters).toEqual({
    chat_id: "5",
    text: "Sure?\n<b>a_b*c</b>\none line",
    entities: [{ type: "bold", offset: 0, length: 5 }],
    link_preview_options: { is_disabled: true },
    reply_markup: { inline_keyboard: [[{ text: "Flatten now", callback_data: "abc" }]] },
  });
});

test("what is too long is cut", async () => {
  const { chats, calls } = chatsOn();
  await chats.send("5", { title: "x", lines: ["😀".repeat(3_000)] });
  await chats.answerPress("p", "y".repeat(300));
  expect(String(calls[0]?.parameters["text"]).length).toBeLessThanOrEqual(4_096);
  expect(calls[1]?.parameters["text"]).toHaveLength(200);
});

test.each([
  [2_000, 2, [2_000]],
  [60_000, 1, []],
])("asked to come again in %i ms, it is said %i times", async (ms, count, pauses) => {
  const { chats, calls, paused } = chatsOn(refused(429, "Too Many Requests", ms));
  await chats.send("5", { title: "x", lines: [] });
  expect([calls.length, paused]).toEqual([count, pauses]);
});

test("a stranger is answered once, whatever the bot is asked to wait", async () => {
  const { chats, calls, paused } = chatsOn(refused(429, "Too Many Requests", 2_000));
  await chats.sendOnce("5", { title: "x", lines: [] });
  expect([calls.length, paused]).toEqual([1, []]);
});

test.each([
  ["Bad Request: message is not modified", true],
  ["Bad Request: message to edit not found", false],
])("an edit that is refused (%s) stands: %s", async (description, stands) => {
  const { chats } = chatsOn(refused(400, description));
  expect(await chats.edit("5", 1, { title: "x", lines: [] })).toBe(stands);
});
