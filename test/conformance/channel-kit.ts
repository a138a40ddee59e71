import assert from "node:assert/strict";
import type { ChannelKind } from "../../src/domain/notify/destination.ts";
import type { GatewayEvent } from "../../src/domain/notify/event.ts";
import { accountId, connectionId, type UserId } from "../../src/domain/ids.ts";
import { type ChannelDeps, openChannels } from "../../src/notify/open-channels.ts";
import type { OpenedSettings } from "../../src/trading/notify/ports.ts";
import type { Seen } from "../simulators/notify/behaviour.ts";
import { DISCORD_PATH } from "../simulators/notify/discord.ts";
import { MAIL_LOGIN } from "../simulators/notify/mail.ts";
import { NTFY_TOKEN, TOPIC } from "../simulators/notify/ntfy.ts";
import { APP_TOKEN, USER_KEY } from "../simulators/notify/pushover.ts";
import { HOOK_PATH, PING_PATH } from "../simulators/notify/receivers.ts";
import { SLACK_PATH } from "../simulators/notify/slack.ts";
import type { NotifySimulator } from "../simulators/notify/start.ts";
import { BOT_TOKEN, CHAT } from "../simulators/notify/telegram.ts";
import { readMail } from "./read-mail.ts";

export const ACCOUNT = accountId("DEMO7654321");

/** Something that happened in an account, in words that name its number. */
export function eventOf(parts: { readonly message?: string; readonly advice?: string } = {}) {
  return {
    id: "ev_1aB-2",
    type: "order.rejected",
    userId: "u1" as UserId,
    at: Date.UTC(2026, 10, 26, 15, 4, 5),
    severity: "warning",
    accountId: ACCOUNT,
    connectionId: connectionId("tradovate-1"),
    environment: "live",
    message: `Buy 2 ESZ6 in ${ACCOUNT} was rejected`,
    facts: { symbol: "ESZ6", action: "buy", qty: 2, source: "webhook", reason: "No margin" },
    ...parts,
  } as const satisfies GatewayEvent;
}

/** What a person, or a program, got to see. */
export interface Told {
  readonly title: string;
  readonly text: string;
  /** Undefined where the channel knows no difference. */
  readonly isSilent?: boolean;
}

/** A channel before a look-alike of its service. */
export interface ChannelUnderTest {
  readonly kind: ChannelKind;
  readonly to: OpenedSettings;
  /** What no reason may hold. */
  readonly secrets: readonly string[];
  /** As the service shows it: markup that it would render is undone. Undefined where it shows nothing. */
  readonly told?: (seen: Seen) => Told;
  /** Settings whose secret is wrong in each way, as the service says it is. */
  readonly refused: readonly OpenedSettings[];
  readonly isForPrograms?: true;
  readonly hasSilence?: true;
  /** It has a way to say when to come again. */
  readonly saysWhen?: true;
  /** What it answers is a success whoever answers it. */
  readonly takesAnySuccess?: true;
  /** It has refusals that concern one message. */
  readonly refusesSingly?: true;
  readonly isHttp?: true;
}

/** The channels as the gateway opens them, with the services' addresses on this machine. */
export function openOn(simulator: NotifySimulator, deps: Partial<ChannelDeps> = {}) {
  const { url, certificate } = simulator;
  return openChannels({
    privateNetworks: ["127.0.0.1"],
    now: Date.now,
    bases: { discord: url, slack: url, telegram: url, pushover: url },
    trusted: certificate,
    ...deps,
  });
}

/** Of Standard Webhooks' own example. */
export const SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

const json = ({ body }: Seen): unknown => JSON.parse(body);
const secrets: readonly string[] = [];

export function channelsUnderTest(simulator: NotifySimulator): readonly ChannelUnderTest[] {
  const { url, mailPort } = simulator;
  const mail = {
    host: "127.0.0.1",
    port: mailPort,
    ...MAIL_LOGIN,
    from: "gateway@example.com",
    to: "trader@example.com",
  };
  const discord = `https://discord.com${DISCORD_PATH}`;
  const slack = `https://hooks.slack.com${SLACK_PATH}`;
  return [
    {
      kind: "webhook",
      to: { kind: "webhook", settings: { url: `${url}${HOOK_PATH}` }, secrets: [SECRET] },
      secrets: [SECRET.slice(6), HOOK_PATH, url],
      told: (seen) => {
        const { type, data } = json(seen) as { type: string; data: { message: string } };
        return { title: type, text: data.message };
      },
      refused: [],
      isForPrograms: true,
      saysWhen: true,
      takesAnySuccess: true,
      isHttp: true,
    },
    {
      kind: "discord",
      to: { kind: "discord", settings: { url: discord }, secrets },
      secrets: [DISCORD_PATH, "1143"],
      told: (seen) => {
        const body = json(seen) as {
          embeds: readonly { title: string; description: string }[];
          flags?: number;
        };
        const [embed] = body.embeds;
        return {
          title: unescaped(embed?.title),
          text: unescaped(embed?.description),
          isSilent: body.flags === 4_096,
        };
      },
      refused: [{ kind: "discord", settings: { url: `${discord}x` }, secrets }],
      hasSilence: true,
      saysWhen: true,
      refusesSingly: true,
      isHttp: true,
    },
    {
      kind: "telegram",
      to: { kind: "telegram", settings: { botToken: BOT_TOKEN, chatId: CHAT }, secrets },
      secrets: [BOT_TOKEN, BOT_TOKEN.slice(10), CHAT],
      told: (seen) => {
        const body = json(seen) as {
          text: string;
          entities?: readonly { length: number }[];
          disable_notification?: boolean;
        };
        const end = body.entities?.[0]?.length ?? body.text.indexOf("\n");
        return {
          title: body.text.slice(0, end),
          text: body.text.slice(end + 1),
          isSilent: body.disable_notification === true,
        };
      },
      refused: [
        { kind: "telegram", settings: { botToken: `${BOT_TOKEN}x`, chatId: CHAT }, secrets },
        { kind: "telegram", settings: { botToken: "../x", chatId: CHAT }, secrets },
        { kind: "telegram", settings: { botToken: BOT_TOKEN, chatId: "1" }, secrets },
      ],
      hasSilence: true,
      saysWhen: true,
      refusesSingly: true,
      isHttp: true,
    },
    {
      kind: "slack",
      to: { kind: "slack", settings: { url: slack }, secrets },
      secrets: [SLACK_PATH, "T0001"],
      told: (seen) => {
        const { text, blocks } = json(seen) as {
          text: string;
          blocks: readonly { text: { text: string } }[];
        };
        return { title: unentitled(text), text: unentitled(blocks[1]?.text.text) };
      },
      refused: [{ kind: "slack", settings: { url: `${slack}x` }, secrets }],
      saysWhen: true,
      refusesSingly: true,
      isHttp: true,
    },
    {
      kind: "ntfy",
      to: { kind: "ntfy", settings: { server: url, topic: TOPIC, token: NTFY_TOKEN }, secrets },
      secrets: [TOPIC, NTFY_TOKEN, url],
      told: (seen) => {
        const body = json(seen) as { title: string; message: string; priority: number };
        return { title: body.title, text: body.message, isSilent: body.priority <= 2 };
      },
      refused: [
        { kind: "ntfy", settings: { server: url, topic: "other", token: NTFY_TOKEN }, secrets },
        { kind: "ntfy", settings: { server: url, topic: TOPIC, token: "tk_other" }, secrets },
        { kind: "ntfy", settings: { server: url, topic: TOPIC }, secrets },
      ],
      hasSilence: true,
      saysWhen: true,
      refusesSingly: true,
      isHttp: true,
    },
    {
      kind: "pushover",
      to: { kind: "pushover", settings: { appToken: APP_TOKEN, userKey: USER_KEY }, secrets },
      secrets: [APP_TOKEN, USER_KEY],
      told: ({ body }) => {
        const form = new URLSearchParams(body);
        return {
          title: form.get("title") ?? "",
          text: form.get("message") ?? "",
          isSilent: form.get("priority") === "-2",
        };
      },
      refused: [
        { kind: "pushover", settings: { appToken: "x", userKey: USER_KEY }, secrets },
        { kind: "pushover", settings: { appToken: APP_TOKEN, userKey: "x" }, secrets },
      ],
      hasSilence: true,
      saysWhen: true,
      refusesSingly: true,
      isHttp: true,
    },
    {
      kind: "email",
      to: { kind: "email", settings: mail, secrets },
      secrets: [MAIL_LOGIN.password, mail.host, mail.to],
      told: ({ body }) => {
        const { headers, text } = readMail(body);
        return { title: headers.get("subject") ?? "", text };
      },
      refused: [{ kind: "email", settings: { ...mail, password: "wrong" }, secrets }],
      refusesSingly: true,
    },
    {
      kind: "heartbeat",
      to: { kind: "heartbeat", settings: { url: `${url}${PING_PATH}` }, secrets },
      secrets: [PING_PATH, url],
      refused: [],
      saysWhen: true,
      takesAnySuccess: true,
      isHttp: true,
    },
  ];
}

/** As Discord shows it. Fails where something that it would render is left. */
function unescaped(text = ""): string {
  assert.doesNotMatch(text.replaceAll(/\\[^A-Za-z0-9\s]/g, ""), /[\\*_~`|<>[\]#]/);
  return text.replaceAll(/\\([^A-Za-z0-9\s])/g, "$1");
}

/** As Slack shows it. Fails where a sign is left that it would read. */
function unentitled(text = ""): string {
  assert.doesNotMatch(text, /[<>]|&(?!amp;|lt;|gt;)/);
  return text.replaceAll("&lt;", "<").replaceAll("&gt;", ">").replaceAll("&amp;", "&");
}
