import { expect, test } from "vitest";
import { firstUpdateIn, readUpdates } from "../../../src/notify/telegram-updates.ts";

const chat = { id: 5, type: "private" };
const from = { id: 6, is_bot: false, first_name: "x" };
const message = { message_id: 1, date: 10, chat, from, text: "/help" };
const place = { chatId: "5", personId: "6", isPrivate: true };

test("a message and a press say who did what, and where", () => {
  const press = { id: "p", from, message: { message_id: 7, chat }, data: "x" };
  expect(
    readUpdates([
      { update_id: 1, message },
      { update_id: 2, callback_query: press },
    ]),
  ).toEqual([
    { id: 1, incoming: { ...place, kind: "message", at: 10_000, text: "/help" } },
    { id: 2, incoming: { ...place, kind: "press", pressId: "p", messageId: 7, data: "x" } },
  ]);
});

test.each([
  ["a group's", { message: { ...message, chat: { id: -5, type: "group" } } }, false],
  ["one without a kind of chat", { message: { ...message, chat: { id: 5 } } }, false],
])("%s message is not private", (_, update, isPrivate) => {
  const [read] = readUpdates([{ update_id: 1, ...update }]) ?? [];
  expect(read?.incoming?.isPrivate).toBe(isPrivate);
});

test.each([
  ["an edit", { edited_message: message }],
  ["a post of a channel", { channel_post: message }],
  ["a message without a sender", { message: { ...message, from: undefined } }],
  ["a picture", { message: { ...message, text: undefined } }],
  ["a person's number that is none", { message: { ...message, from: { id: "6" } } }],
  ["a press without data", { callback_query: { id: "p", from, message: { message_id: 7, chat } } }],
  ["a press on no message", { callback_query: { id: "p", from, data: "x" } }],
])("%s asks nothing, and is passed all the same", (_, update) => {
  expect(readUpdates([{ update_id: 9, ...update }])).toEqual([{ id: 9 }]);
});

test("a message says when Telegram told of it", () => {
  const [read] = readUpdates([{ update_id: 1, message }], 12_000) ?? [];
  expect(read?.incoming).toMatchObject({ at: 10_000, heardAt: 12_000 });
});

test("what has no number is left out alone", () => {
  const strange = [{}, { update_id: "1" }, 1, null, { update_id: 1.5 }];
  expect(readUpdates([...strange, { update_id: 2, message }])).toMatchObject([{ id: 2 }]);
});

test.each([undefined, null, {}, "x"])("%j are no updates", (result) => {
  expect(readUpdates(result)).toBeUndefined();
});

test.each([
  ['{"ok":true,"result":[{"update_id":12,"message":{"te', 12],
  ['{"ok":true,"result":[{"message":{"text":"{\\"update_id\\":12,"', undefined],
  ["<html>", undefined],
])("the first update in %s is %s", (text, id) => {
  expect(firstUpdateIn(text)).toBe(id);
});
