import { beforeEach, describe, expect, test } from "vitest";
import { userId } from "../../../../src/domain/ids.ts";
import { isListening } from "../../../../src/trading/answering/who-asks.ts";
import { destinationOf } from "./answers-kit.ts";
import {
  ME,
  write,
  press,
  button,
  said,
  kit,
  offers,
  begun,
  chat,
  toasts,
  faults,
  never,
  emptyChat,
} from "./bot-chat.ts";

beforeEach(emptyChat);

describe("who is not answered", () => {
  test.each([
    ["another person in the same chat", { personId: "6" }],
    ["the same person in another chat", { chatId: "7" }],
    ["a group", { isPrivate: false }],
  ])("%s", async (_, from) => {
    await write("/status", from);
    await write("/kill", from);
    expect(chat).toEqual([]);
    expect(kit.ignored.count).toBe(2);
  });

  test.each([
    ["a destination that does not answer", { answers: undefined }],
    ["one that is switched off", { disabled: { reason: "x", at: 1 } }],
  ])("%s", async (_, changed) => {
    const [one = destinationOf(ME)] = kit.destinations;
    const { answers: __, ...rest } = one.destination;
    const answers = "answers" in changed ? {} : { answers: true as const };
    const disabled = "disabled" in changed ? { disabled: changed.disabled } : {};
    kit.destinations[0] = { ...one, destination: { ...rest, ...answers, ...disabled } };
    await write("/status");
    expect(chat).toEqual([]);
  });

  test("a person whom two users have linked: it is not certain whose accounts are meant", async () => {
    const other = destinationOf(ME, "ds_2");
    kit.destinations.push({
      ...other,
      destination: { ...other.destination, userId: userId("u_2") },
    });
    await write("/kill");
    expect(chat).toEqual([]);
  });
});

test.each([
  ["one that waits for a link", { link: { hash: "x", until: 100 } }, 99, true],
  ["one whose link is too old", { link: { hash: "x", until: 100 } }, 100, false],
  ["one without a person", {}, 1, false],
])("%s is asked or not", (_, more, now, is) => {
  const { person: __, ...rest } = destinationOf(ME);
  expect(isListening({ ...rest, ...more }, now)).toBe(is);
});

describe("a link", () => {
  const code = "the-code-itself";
  beforeEach(() => {
    const { person: _, settings: __, ...rest } = destinationOf(ME);
    const link = { hash: `hash of ${code}`, until: Date.now() + 60_000, mayAsk: true } as const;
    kit.destinations[0] = { ...rest, settings: { botToken: "sealed" }, link };
  });

  test("stores who sent the code, and where", async () => {
    await write(`/start ${code}`);
    expect(kit.destinations[0]).toMatchObject({ person: "5", settings: { chatId: "5" } });
    expect(kit.destinations[0]?.link).toBeUndefined();
    expect(said()).toContain("Linked");
    await write(`/start ${code}`, { chatId: "6", personId: "6" });
    expect(kit.destinations[0]).toMatchObject({ person: "5" });
  });

  test.each([
    ["wrong", "another-code", 0],
    ["too old", code, 120_000],
  ])("that is %s is refused with the same words", async (_, given, laterMs) => {
    const now = Date.now() + laterMs;
    kit.clock.now = () => now;
    await write(`/start ${given}`);
    expect(said()).toContain("This code is not valid");
    expect(kit.destinations[0]?.person).toBeUndefined();
  });

  test("is tried five times in a chat, also with the right code", async () => {
    for (let n = 0; n < 5; n += 1) await write("/start no-such-code");
    await write(`/start ${code}`);
    expect(chat).toHaveLength(5);
    expect(kit.destinations[0]?.person).toBeUndefined();
    await write(`/start ${code}`, { chatId: "8", personId: "8" });
    expect(kit.destinations[0]?.person).toBe("8");
  });

  test("that is wrong is answered twenty times a minute for all chats, and waited for by nobody", async () => {
    faults.strangersAnswered = never();
    for (let n = 0; n < 30; n += 1) await write("/start no-such-code", { chatId: `c${n}` });
    expect(chat).toHaveLength(20);
    await write(`/start ${code}`);
    expect(said()).toContain("Linked");
  });

  test("that a key made which may not ask only tells there", async () => {
    const [one = destinationOf(ME)] = kit.destinations;
    const link = { hash: `hash of ${code}`, until: Date.now() + 60_000 };
    kit.destinations[0] = { ...one, link, person: "4" };
    await write(`/start ${code}`);
    expect(kit.destinations[0]?.settings["chatId"]).toBe("5");
    expect(kit.destinations[0]?.person).toBeUndefined();
    expect(said()).toContain("Questions are not answered");
    await write("/status");
    expect(chat).toHaveLength(1);
  });

  test("of a second user is refused in words, and changes nothing for the first", async () => {
    const first = destinationOf(ME, "ds_0");
    const before = { ...first, destination: { ...first.destination, userId: userId("u_2") } };
    kit.destinations.push(before);
    const [waiting] = kit.destinations;
    await write(`/start ${code}`);
    expect(said()).toContain("already answers you for another user");
    expect(kit.destinations).toEqual([waiting, before]);
    await write("/help");
    expect(said()).toContain("What you can ask");
  });

  test("counts in a private chat only", async () => {
    await write(`/start ${code}`, { isPrivate: false });
    expect(kit.destinations[0]?.person).toBeUndefined();
  });
});

describe("a button", () => {
  beforeEach(async () => {
    kit.hold({ ES: 2 });
    await write("/flatten one");
  });

  test("sends nothing but a nonce of at most 64 bytes", () => {
    expect(button()).toMatch(/^[\w-]{16,64}$/);
    expect(said()).toContain("One: long 2 ES");
  });

  test("flattens once, under a key of its own", async () => {
    const nonce = button();
    await Promise.all([press(nonce), press(nonce)]);
    expect([kit.flattened, kit.keys]).toEqual([["one"], [`telegram:${nonce}`]]);
    expect(said()).toContain("closed long 2 ES");
    expect(begun.size).toBe(0);
    expect(chat.at(-1)?.button).toBeUndefined();
  });

  test.each([
    ["another person", { personId: "6" }],
    ["another chat", { chatId: "6" }],
    ["a group", { isPrivate: false }],
  ])("does nothing for %s, and stays", async (_, from) => {
    const nonce = button();
    await press(nonce, from);
    expect([kit.flattened, toasts]).toEqual([[], []]);
    await press(nonce);
    expect(kit.flattened).toEqual(["one"]);
  });

  test("of another destination does nothing", async () => {
    const nonce = button();
    const other = destinationOf(6, "ds_2");
    kit.destinations.push(other);
    await press(nonce, { chatId: "6", personId: "6" });
    expect(kit.flattened).toEqual([]);
    expect(toasts).toEqual([expect.stringContaining("Nothing was done")]);
  });

  test("that was made for somebody who is linked no more does nothing", async () => {
    const nonce = button();
    const key = `ds_1 ${nonce}`;
    const offer = offers.get(key);
    if (offer !== undefined) offers.set(key, { ...offer, personId: "4" });
    await press(nonce);
    expect([kit.flattened, begun.size]).toEqual([[], 0]);
  });

  test.each(["", "x", "flatten one", "../../etc", "a".repeat(65), "x".repeat(24)])(
    "that nobody made does nothing: %j",
    async (data) => {
      await press(data);
      expect(kit.flattened).toEqual([]);
      expect(toasts).toEqual([expect.stringContaining("Nothing was done")]);
    },
  );

  test.each([{ ES: 3 }, { ES: -2 }, { NQ: 2 }, { ES: 2, NQ: 1 }, {}])(
    "asks again where %j is held by then",
    async (held) => {
      kit.hold(held);
      await press(button());
      expect(kit.flattened).toEqual([]);
      expect(said()).toContain("The position has changed");
    },
  );

  test("is nobody's once answers are switched off", async () => {
    const nonce = button();
    const [one = destinationOf(ME)] = kit.destinations;
    const { answers: _, ...destination } = one.destination;
    kit.destinations[0] = { ...one, destination };
    await press(nonce);
    expect([kit.flattened, toasts]).toEqual([[], []]);
  });
});
