// The goal: what is particular to one service is as its documents ask.
// The method: the look-alike of the services, and what it was asked.
import assert from "node:assert/strict";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { ChannelKind } from "../../../src/domain/notify/destination.ts";
import type { GatewayEvent } from "../../../src/domain/notify/event.ts";
import type { Severity } from "../../../src/domain/severity.ts";
import { transportOptions } from "../../../src/notify/email.ts";
import { openChannels } from "../../../src/notify/open-channels.ts";
import type { OpenedSettings } from "../../../src/trading/notify/ports.ts";
import { channelsUnderTest, eventOf, openOn } from "../../conformance/channel-kit.ts";
import { readMail } from "../../conformance/read-mail.ts";
import type { Behaviour } from "../../simulators/notify/behaviour.ts";
import { type NotifySimulator, startNotifySimulator } from "../../simulators/notify/start.ts";
import { BLOCKED_CHAT, BOT_TOKEN, CHAT, MOVED_CHAT } from "../../simulators/notify/telegram.ts";

const signal = new AbortController().signal;

let simulator: NotifySimulator;

beforeAll(async () => {
  simulator = await startNotifySimulator();
  return simulator.stop;
});

const destination = <Kind extends ChannelKind>(kind: Kind) => {
  const found = channelsUnderTest(simulator).find((one) => one.kind === kind)?.to;
  assert(found?.kind === kind);
  return found as Extract<OpenedSettings, { kind: Kind }>;
};

async function send(to: OpenedSettings, event: GatewayEvent = eventOf(), isSilent = false) {
  const { channels } = openOn(simulator);
  return await channels[to.kind].send({ event, count: 1, isSilent }, to, { signal });
}

const severe = (severity: Severity): GatewayEvent => ({ ...eventOf(), severity });

const seen = async (kind: ChannelKind, last = 1) => (await simulator.seen(kind)).slice(-last);

const bodies = async (kind: ChannelKind, last = 1) =>
  (await seen(kind, last)).map(({ body }) => JSON.parse(body) as Record<string, unknown>);

const turn = async (kind: ChannelKind, behaviour: Behaviour, times?: number) => {
  onTestFinished(() => simulator.turn(kind, { as: "documented" }));
  await simulator.turn(kind, behaviour, times);
};

const SEVERITIES = ["critical", "warning", "info"] as const;

test("Discord is asked to say what became of the message, and to call nobody", async () => {
  await send(destination("discord"));
  const [request] = await seen("discord");
  expect(request?.path).toMatch(/\?wait=true$/);
  const [body] = await bodies("discord");
  expect(body).toMatchObject({ allowed_mentions: { parse: [] } });
  expect(body).not.toHaveProperty("content");
});

test("Discord leads to an address as it was, and reads no markdown around it", async () => {
  const address = "https://runbook.example/a_b/runbook.html?x=1#redis-is_slow";
  const message = `_Slow_ [x](${address}) xhttp://a_b`;
  await send(destination("discord"), { ...eventOf(), message });
  const [body] = await bodies("discord");
  const [embed] = (body?.["embeds"] ?? []) as readonly { readonly description: string }[];
  expect(embed?.description.split("\n")[0]).toBe(`\\_Slow\\_ \\[x\\](${address}) xhttp://a\\_b`);
});

test("an answer of Discord without a message is no success", async () => {
  await turn("discord", { as: "answering", status: 204 });
  expect(await send(destination("discord"))).toMatchObject({ kind: "failed", status: 204 });
});

test("ntfy is told the severity, and the token in a header alone", async () => {
  const to = destination("ntfy");
  for (const severity of SEVERITIES) await send(to, severe(severity));
  await send(to, severe("critical"), true);
  const asked = await bodies("ntfy", 4);
  expect(asked.map(({ priority }) => priority)).toEqual([5, 4, 3, 2]);
  const [request] = await seen("ntfy");
  assert(to.settings.token !== undefined);
  expect(request?.headers["authorization"]).toBe(`Bearer ${to.settings.token}`);
  expect(request?.body).not.toContain(to.settings.token);
});

test("a topic that ntfy would not take is not sent there", async () => {
  const to = destination("ntfy");
  const settings = { ...to.settings, topic: "a topic/../x" };
  expect(await send({ ...to, settings })).toMatchObject({ kind: "unacceptable" });
});

test("Pushover is told the severity; nothing repeats until it is acknowledged", async () => {
  const to = destination("pushover");
  for (const severity of SEVERITIES) await send(to, severe(severity));
  await send(to, severe("critical"), true);
  const forms = (await seen("pushover", 4)).map(({ body }) => new URLSearchParams(body));
  expect(forms.map((form) => form.get("priority"))).toEqual(["1", "0", "-1", "-2"]);
  expect(forms[0]?.get("timestamp")).toBe(String(eventOf().at / 1_000));
});

test("a fault of Pushover that is no refusal is tried again", async () => {
  await turn("pushover", { as: "answering", status: 400, body: "<html>" });
  expect(await send(destination("pushover"))).toMatchObject({ kind: "failed", status: 400 });
});

describe("Telegram", () => {
  const chat = (chatId?: string): OpenedSettings => ({
    kind: "telegram",
    settings: { botToken: BOT_TOKEN, ...(chatId !== undefined && { chatId }) },
    secrets: [],
  });

  test("is not asked before a chat is linked", async () => {
    const before = await simulator.seen("telegram");
    const reason = "The chat is not linked yet";
    expect(await send(chat())).toEqual({ kind: "failed", reason });
    expect(await simulator.seen("telegram")).toEqual(before);
  });

  test("gets a message without its markup that it could not read with it", async () => {
    const body = JSON.stringify({ ok: false, description: "Bad Request: can't parse entities: x" });
    await turn("telegram", { as: "answering", status: 400, body }, 1);
    expect(await send(chat(CHAT))).toEqual({ kind: "delivered", status: 200 });
    const [first, second] = await bodies("telegram", 2);
    expect(first).toHaveProperty("entities");
    expect(second).not.toHaveProperty("entities");
    expect(second?.["text"]).toBe(first?.["text"]);
  });

  test("gets it once more only", async () => {
    const body = JSON.stringify({ ok: false, description: "Bad Request: can't parse entities: x" });
    await turn("telegram", { as: "answering", status: 400, body });
    const before = (await simulator.seen("telegram")).length;
    expect(await send(chat(CHAT))).toMatchObject({ kind: "unacceptable", status: 400 });
    expect(await simulator.seen("telegram")).toHaveLength(before + 2);
  });

  test("tells where a group has moved to, and gets the message there", async () => {
    expect(await send(chat(MOVED_CHAT))).toEqual({ kind: "delivered", status: 200 });
  });

  test("is given up where the bot was blocked", async () => {
    expect(await send(chat(BLOCKED_CHAT))).toMatchObject({ kind: "gone", status: 403 });
  });

  test("makes the title bold, whatever is in it", async () => {
    await send(chat(CHAT), severe("critical"));
    const [body] = await bodies("telegram");
    const title = "Critical: Rejected by the broker";
    expect(body?.["entities"]).toEqual([{ type: "bold", offset: 0, length: title.length }]);
    expect(String(body?.["text"]).startsWith(`${title}\n`)).toBe(true);
    expect(body).not.toHaveProperty("parse_mode");
  });

  test("is asked by the layer below whatever a bot has to ask", async () => {
    const { telegram } = openOn(simulator);
    const ok = (result: unknown) => ({ kind: "ok", status: 200, result });
    const keyboard = { inline_keyboard: [[{ text: "Flatten", callback_data: "n1" }]] };
    const asked = { chat_id: CHAT, text: "Sure?", reply_markup: keyboard };
    const sent = await telegram(BOT_TOKEN, "sendMessage", asked, signal);
    expect(sent).toMatchObject({ kind: "ok", result: { message_id: expect.any(Number) } });
    const { message_id } = (sent as { readonly result: { readonly message_id: number } }).result;
    const edited = { chat_id: CHAT, message_id, text: "Done" };
    expect(await telegram(BOT_TOKEN, "editMessageText", edited, signal)).toMatchObject({
      kind: "ok",
      result: { message_id },
    });
    // Nobody has pressed that.
    const answer = { callback_query_id: "1", text: "Done", show_alert: false };
    expect(await telegram(BOT_TOKEN, "answerCallbackQuery", answer, signal)).toMatchObject({
      kind: "refused",
      status: 400,
    });
    const poll = { offset: 3, timeout: 0, allowed_updates: ["message"] } as const;
    expect(await telegram(BOT_TOKEN, "getUpdates", poll, signal)).toMatchObject(ok([]));

    await turn("telegram", { as: "throttling", seconds: 3 });
    expect(await telegram(BOT_TOKEN, "getUpdates", poll, signal)).toMatchObject({
      kind: "refused",
      status: 429,
      retryAfterMs: 3_000,
    });
  });
});

describe("mail", () => {
  test("is sent with TLS from the first byte at 465, and insists on it elsewhere", () => {
    const { settings } = destination("email");
    expect(transportOptions({ ...settings, port: 465 })).toMatchObject({ secure: true });
    expect(transportOptions(settings)).toMatchObject({
      secure: false,
      requireTLS: true,
      connectionTimeout: 10_000,
      greetingTimeout: 10_000,
      dnsTimeout: 5_000,
      socketTimeout: 20_000,
      disableFileAccess: true,
      disableUrlAccess: true,
    });
  });

  test("is not sent where the server offers no TLS", async () => {
    await turn("email", { as: "without TLS" });
    const before = await simulator.seen("email");
    expect(await send(destination("email"))).toMatchObject({
      kind: "failed",
      reason: expect.stringContaining("TLS"),
    });
    expect(await simulator.seen("email")).toEqual(before);
  });

  test("is not sent where the certificate is not trusted", async () => {
    const { channels } = openChannels({ privateNetworks: ["127.0.0.1"], now: Date.now });
    const notice = { event: eventOf(), count: 1, isSilent: false };
    const delivery = await channels.email.send(notice, destination("email"), { signal });
    const reason = expect.stringMatching(/^The certificate is not trusted/);
    expect(delivery).toEqual({ kind: "failed", reason });
  });

  test("has no headers but ours, whatever is told", async () => {
    const injected = "Subject: x\r\nBcc: other@example.com\r\n\r\n.\r\nRCPT TO:<other@example.com>";
    await send(destination("email"), { ...severe("critical"), message: injected });
    const [request] = await seen("email");
    const { headers, text } = readMail(request?.body ?? "");
    const ours = `auto-submitted content-transfer-encoding content-type date from importance
      message-id mime-version subject to x-msmail-priority x-priority`;
    expect([...headers.keys()].toSorted()).toEqual(ours.split(/\s+/));
    expect(headers.get("to")).toBe("trader@example.com");
    expect(headers.get("message-id")).toBe(`<${eventOf().id}@example.com>`);
    expect(request?.path).toBe("trader@example.com");
    expect(text).toContain("Bcc: other@example.com");
  });

  test.each([
    "trader@example.com, other@example.com",
    "trader@example.com\r\nBcc: other@example.com",
    "Trader <trader@example.com>",
    "group: trader@example.com;",
    "trader",
    "",
  ])("to %j is not sent: it is not one address", async (address) => {
    const to = destination("email");
    for (const name of ["from", "to"] as const) {
      const settings = { ...to.settings, [name]: address };
      expect(await send({ ...to, settings })).toMatchObject({ kind: "unacceptable" });
    }
  });

  test.each([
    [421, "failed"],
    [450, "failed"],
    [452, "failed"],
    [550, "gone"],
    [553, "gone"],
  ])("whose recipient is answered %i: %s", async (status, kind) => {
    await turn("email", { as: "answering", status, body: "No trader@example.com here" });
    expect(await send(destination("email"))).toMatchObject({ kind, status });
  });
});
