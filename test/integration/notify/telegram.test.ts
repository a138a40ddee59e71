// The goal: who was linked may ask and act by Telegram, once for each press, and nobody else at all.
// The whole gateway, against a look-alike of the Bot API in a process of its own.
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { BOT_TOKEN } from "../../simulators/notify/telegram.ts";
import { frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { TelegramPerson } from "../../support/telegram-person.ts";
import { waitUntil } from "../../support/wait.ts";

const ES = frontMonth("ES");

let services: NotifySimulator;
let gateway: TestGateway;
let destination: string;
let owner: TelegramPerson;
let stranger: TelegramPerson;

let bought = 0;

const polls = async () =>
  (await services.seen("telegram")).filter(({ path }) => path.endsWith("/getUpdates")).length;

async function changed(change: object) {
  const reply = await gateway.api.patch(`/v1/destinations/${destination}`, change);
  expect(reply.status).toBe(200);
}

const codeOf = async (): Promise<string> => {
  const reply = await gateway.api.post(`/v1/destinations/${destination}/link`, {});
  expect(reply.status).toBe(200);
  return reply.body.code as string;
};

/** All that was written before is answered once this is. */
async function untilAnswered(person = owner) {
  const before = (await person.shown()).length;
  await person.write("/help");
  await waitUntil("help is shown", async () => (await person.shown()).length > before);
}

async function buy(qty: number) {
  const held = (await gateway.broker.positions("paper-1"))[ES.code] ?? 0;
  const reply = await gateway.alert({ symbol: "ES", action: "buy", qty, id: `buy-${++bought}` });
  expect(reply.status).toBeLessThan(300);
  const isHeld = async () => {
    const { body } = await gateway.api.get("/v1/accounts/paper-1/positions");
    return (
      body.positions?.[0]?.qty === held + qty || JSON.stringify(body).includes(`:${held + qty}`)
    );
  };
  await waitUntil("it is held", isHeld);
}

const heldNow = async () => (await gateway.broker.positions("paper-1"))[ES.code] ?? 0;

beforeAll(async () => {
  services = await startNotifySimulator();
  gateway = await startGateway({
    settings: { NOTIFY_ALLOW_PRIVATE: "127.0.0.0/8" },
    services: { bases: { telegram: services.url } },
  });
  owner = new TelegramPerson(services, 5_001);
  stranger = new TelegramPerson(services, 6_006);
});

afterAll(async () => {
  await gateway.stop();
  await services.stop();
});

test("nothing is polled before there is something to hear", async () => {
  const reply = await gateway.api.post("/v1/destinations", {
    name: "my phone",
    kind: "telegram",
    settings: { botToken: BOT_TOKEN },
    rules: [{ tell: "off" }],
  });
  expect(reply.status).toBe(201);
  destination = reply.body.id as string;
  await sleep(3_000);
  expect(await polls()).toBe(0);
});

test("a code links its sender's chat, once; a stranger's code is refused", async () => {
  const code = await codeOf();
  const group = new TelegramPerson(services, 5_001, { id: -77, type: "group" });
  await group.write(`/start ${code}`);
  await stranger.write("/start AAAAAAAAAAAAAAAA");
  await stranger.untilShown("This code is not valid");
  await owner.write(`/start ${code}`);
  await owner.untilShown("Linked");
  expect(await group.shown()).toEqual([]);
  await waitUntil("it is linked", async () => {
    const { body } = await gateway.api.get(`/v1/destinations/${destination}`);
    return body.linked === true;
  });
});

test("off by default: a linked person is not answered either", async () => {
  const before = (await owner.shown()).length;
  await owner.write("/status");
  await owner.write("/kill");
  await sleep(3_000);
  expect(await owner.shown()).toHaveLength(before);
});

describe("once it answers", () => {
  beforeAll(async () => {
    await changed({ answers: true });
    await untilAnswered();
  });

  test("a used code is refused, and guesses are few", async () => {
    const code = await codeOf();
    await owner.write(`/start ${code}`);
    await owner.untilShown("Linked");
    for (let n = 0; n < 8; n += 1) await stranger.write(`/start ${code}`);
    // One of them was before. Each chat has a turn of its own.
    const shown = async () => (await stranger.shown()).length;
    await waitUntil("the stranger is refused five times", async () => (await shown()) >= 5);
    await untilAnswered();
    expect(await shown()).toBe(5);
  });

  test("a stranger, a group and an edited message get nothing", async () => {
    const before = (await services.shown()).length;
    const group = new TelegramPerson(services, 5_001, { id: -78, type: "supergroup" });
    await stranger.write("/status");
    await stranger.write("/kill");
    await group.write("/status");
    await services.write({ edited_message: owner.message("/status") });
    await services.write({ channel_post: owner.message("/status") });
    await services.write({ message: { ...owner.message("/status"), from: undefined } });
    await services.write({ message: { ...stranger.message("/status"), chat: owner.chat } });
    await untilAnswered();
    expect(await services.shown()).toHaveLength(before + 1);
    expect(gateway.log.filter((line) => line.includes("was ignored"))).toHaveLength(1);
  });

  test.each([
    ["/status", "Connections: 1 of 1 up"],
    ["/status@MyBot", "Kill switch: off"],
    ["/positions", "Nothing is held"],
    ["/pnl", "Nothing was traded"],
    ["/alerts", "There are none"],
    ["/connections", "up"],
    ["/kill off", "only switched on"],
    ["/pause paper-1 off", "only switched on"],
    ["/resume", "no such command"],
    ["/flatten", "Name an account"],
    ["/flatten nobody", "No account of yours"],
    ["/flatten paper-1", "nothing to flatten"],
  ])("%s is answered: %s", async (asked, words) => {
    await owner.write(asked);
    const { text } = await owner.untilShown(words);
    expect(text.length).toBeLessThan(4_096);
  });

  test("what was asked long ago is not carried out", async () => {
    await services.write({ message: owner.message("/kill", 600) });
    const { button } = await owner.untilShown("That was asked 10 min ago");
    expect(button).toBeUndefined();
  });

  test("two presses are one flatten, and a third one nothing", async () => {
    await buy(2);
    await owner.write("/positions");
    await owner.untilShown("long 2");
    const { orders } = await gateway.broker.filled("paper-1");
    await owner.write("/flatten paper-1");
    const shown = await owner.untilShown("Flatten Paper 1?");
    expect(shown.button).toBeDefined();
    const button = shown.button ?? "";
    await services.write(
      stranger.callback(button, shown.id),
      owner.callback(button, shown.id),
      owner.callback(button, shown.id),
    );
    await owner.untilShown("closed long 2");
    await owner.press(shown);
    await waitUntil("it is said", async () => (await owner.toasts()).length === 3);
    expect(await owner.toasts()).toEqual([
      "Working on it",
      expect.stringContaining("Nothing was done"),
      expect.stringContaining("Nothing was done"),
    ]);
    expect(await stranger.toasts()).toEqual([]);
    expect(await heldNow()).toBe(0);
    expect((await gateway.broker.filled("paper-1")).orders).toBe(orders + 1);
    expect(await services.shown()).not.toContainEqual(expect.objectContaining({ button }));
    const [audit = "{}"] = gateway.log.filter((line) => line.includes("A flatten was asked for"));
    expect(JSON.parse(audit)).toMatchObject({ accountId: "paper-1", credentialId: destination });
  });

  test("updates that are told again are not handled again", async () => {
    const before = await services.shown();
    await services.tellAgain();
    await sleep(3_000);
    await untilAnswered();
    expect(await services.shown()).toHaveLength(before.length + 1);
  });

  test("a position that has changed is asked about again", async () => {
    await buy(1);
    await owner.write("/flatten all");
    const first = await owner.untilShown("Flatten all accounts?");
    await buy(1);
    await owner.press(first);
    const second = await owner.untilShown("The position has changed");
    expect(second.id).toBe(first.id);
    expect(second.button).not.toBe(first.button);
    expect(await heldNow()).toBe(2);
    await owner.press(first);
    await owner.press(second);
    await waitUntil("it is flat", async () => (await heldNow()) === 0);
    await owner.untilShown("closed long 2");
  });

  test("a button is gone after its time", async () => {
    const asked = performance.now();
    await owner.write("/kill");
    const shown = await owner.untilShown("Switch the kill switch on: all accounts?");
    const key = (await gateway.redis.keys(`*:offer:*:${shown.button}`))[0] ?? "";
    const left = await gateway.redis.pttl(key);
    expect(left).toBeGreaterThan(29_000 - (performance.now() - asked));
    expect(left).toBeLessThanOrEqual(30_000);
    await gateway.redis.pexpire(key, 1);
    await waitUntil("it is gone", async () => (await gateway.redis.exists(key)) === 0);
    const before = (await owner.toasts()).length;
    await owner.press(shown);
    await waitUntil("it is said", async () => (await owner.toasts()).length > before);
    const { body } = await gateway.api.get("/v1/kill-switch");
    expect(body.active).toBe(false);
  });

  test("pause stops one account, and kill all of them; exits pass", async () => {
    await buy(1);
    await owner.write("/pause paper-1");
    await owner.press(await owner.untilShown("Switch the kill switch on: Paper 1?"));
    await owner.untilShown("Paper 1: on");
    const paused = await gateway.api.get("/v1/kill-switch");
    expect(paused.body).toMatchObject({ active: false, accounts: [{ accountId: "paper-1" }] });
    await owner.write("/kill all");
    await owner.press(await owner.untilShown("Switch the kill switch on: all accounts?"));
    await owner.untilShown("All accounts: on");
    expect((await gateway.api.get("/v1/kill-switch")).body.active).toBe(true);
    await owner.write("/flatten paper-1");
    await owner.press(await owner.untilShown("Flatten Paper 1?"));
    await waitUntil("it is flat", async () => (await heldNow()) === 0);
    expect(gateway.log.filter((line) => line.includes("Kill switch changed"))).toHaveLength(2);
    await gateway.api.put("/v1/kill-switch", { active: false });
    await gateway.api.put("/v1/kill-switch", { active: false, accountId: "paper-1" });
  });

  test("a conflict and a wish for fewer calls only delay it", async () => {
    const body = JSON.stringify({ ok: false, error_code: 409, description: "Conflict: webhook" });
    await services.turn("telegram", { as: "answering", status: 409, body }, 1);
    await owner.write("/connections");
    await untilAnswered();
    await services.turn("telegram", { as: "throttling", seconds: 1 }, 1);
    await untilAnswered();
    expect((await owner.shown()).at(-1)?.text).toContain("What you can ask");
  });

  test("a key that looks after destinations alone cannot get at accounts by one", async () => {
    const { api } = await gateway.createKey("notify");
    const path = `/v1/destinations/${destination}`;
    await changed({ answers: false });
    expect((await api.patch(path, { answers: true })).status).toBe(403);
    await changed({ answers: true });
    const { body } = await api.post(`${path}/link`, {});
    const thief = new TelegramPerson(services, 7_007);
    await thief.write(`/start ${body.code}`);
    await thief.untilShown("Questions are not answered");
    await thief.write("/status");
    await owner.write("/status");
    await sleep(3_000);
    expect(await thief.shown()).toHaveLength(1);
    await owner.write(`/start ${await codeOf()}`);
    await owner.untilShown("Linked");
  });

  test("another bot, or a chat that was typed, is linked to nobody", async () => {
    const linked = async () => {
      const { body } = await gateway.api.get(`/v1/destinations/${destination}`);
      return body.linked as boolean;
    };
    await waitUntil("it is linked", linked);
    await changed({ settings: { chatId: String(owner.id) } });
    const before = (await owner.shown()).length;
    await owner.write("/status");
    await sleep(3_000);
    expect(await owner.shown()).toHaveLength(before);
    await changed({ settings: { botToken: "987654321:AAH-another_bot_of_somebody_0123456789" } });
    expect(await linked()).toBe(false);
    await changed({ settings: { botToken: BOT_TOKEN } });
    expect(await linked()).toBe(false);
    await owner.write(`/start ${await codeOf()}`);
    await owner.untilShown("Linked");
  });

  test("no secret is in the log", () => {
    const secret = BOT_TOKEN.split(":")[1] ?? "";
    expect(gateway.log.filter((line) => line.includes(secret))).toEqual([]);
  });

  test("once its destination is deleted, nothing is polled", async () => {
    const reply = await gateway.api.delete(`/v1/destinations/${destination}`);
    expect(reply.status).toBe(204);
    const holders = async () => await gateway.redis.keys("*:bot:*:holder");
    await waitUntil("the bot is let go", async () => (await holders()).length === 0);
    // The look-alike notes a call that was given up only once it would have answered.
    await owner.write("/status");
    const [before, shown] = [await polls(), await owner.shown()];
    await owner.write("/status");
    await sleep(3_000);
    expect(await polls()).toBe(before);
    expect(await owner.shown()).toEqual(shown);
  });
});
