import { afterEach, beforeEach, expect, test } from "vitest";
import type { TelegramReply } from "../../../src/notify/telegram-api.ts";
import { TelegramPoller } from "../../../src/notify/telegram-poller.ts";
import type { BotId, Incoming } from "../../../src/trading/answering/ports.ts";
import { waitUntil } from "../../support/wait.ts";

const from = { id: 6 };
const message = (chat: number, id: number) => ({
  update_id: id,
  message: { date: 1, chat: { id: chat, type: "private" }, from, text: String(id) },
});
const pressed = (chat: number, id: number) => ({
  update_id: id,
  callback_query: {
    id: "p",
    from,
    data: String(id),
    message: { message_id: 1, chat: { id: chat, type: "private" } },
  },
});
const never = async () => await new Promise<never>(() => undefined);

let polls: number;
let handled: number[];
let replies: (TelegramReply | (() => Promise<never>))[];
let handling: (incoming: Incoming, update: number) => Promise<void>;
let poller: TelegramPoller;

const told = (...result: readonly unknown[]): TelegramReply => ({
  kind: "ok",
  status: 200,
  result,
});

beforeEach(() => {
  [polls, handled, replies] = [0, [], []];
  handling = async () => undefined;
  poller = new TelegramPoller({
    bot: "bot" as BotId,
    botToken: "1:x",
    api: async () => {
      polls += 1;
      const reply = replies.shift() ?? never;
      return typeof reply === "function" ? await reply() : reply;
    },
    store: {
      hold: async () => true,
      release: async () => undefined,
      nextUpdate: async () => undefined,
      take: async () => true,
    },
    handle: async (incoming, update) => {
      handled.push(update);
      await handling(incoming, update);
    },
    tellLeft: async () => undefined,
    observer: {
      conflict: () => undefined,
      tokenRefused: () => undefined,
      skipped: () => undefined,
      failed: () => undefined,
    },
    times: { betweenEmpty: 200, afterFailure: 10 },
  });
});
afterEach(async () => await poller.stop());

test("one chat waits for no other, and a press for nothing that was asked", async () => {
  let end = (): void => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  handling = async ({ chatId, kind }) => {
    if (chatId === "1" && kind === "message") await ended;
  };
  replies = [told(message(1, 1), message(1, 2), message(2, 3), pressed(1, 4), {}, message(3, 5))];
  poller.start();
  await waitUntil("the others are handled", () => handled.length === 4);
  expect(handled).toEqual([1, 3, 4, 5]);
  end();
  await waitUntil("it is its turn", () => handled.includes(2));
});

test("empty answers that come at once are not asked for without a pause", async () => {
  replies = Array.from({ length: 100 }, () => told());
  const begun = performance.now();
  poller.start();
  await waitUntil("it has asked again", () => polls === 2);
  expect(performance.now() - begun).toBeGreaterThanOrEqual(150);
});

test("a wish for a pause of more than a minute is heeded, and stopping is not held up by it", async () => {
  const description = "Too Many Requests";
  replies = [{ kind: "refused", status: 429, description, retryAfterMs: 70_000 }, told()];
  const { setTimeout: real } = globalThis;
  const waits: (number | undefined)[] = [];
  globalThis.setTimeout = ((run: () => void, ms?: number) => {
    waits.push(ms);
    return real(run, ms);
  }) as typeof setTimeout;
  poller.start();
  await waitUntil("it waits", () => waits.includes(70_000)).finally(() => {
    globalThis.setTimeout = real;
  });
  expect(polls).toBe(1);
});
