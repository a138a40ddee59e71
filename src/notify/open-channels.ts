import type { Channels, OpenedSettings } from "../trading/notify/ports.ts";
import { createAllowedAddresses, type ResolveName } from "./allowed-addresses.ts";
import { createDiscord } from "./discord.ts";
import { createEmail } from "./email.ts";
import { createGuardedConnection } from "./guarded-connection.ts";
import { createGuardedRequest } from "./guarded-request.ts";
import { createHeartbeat } from "./heartbeat.ts";
import { createNtfy } from "./ntfy.ts";
import { createPushover } from "./pushover.ts";
import { type ServiceBases, whyNotOfService } from "./service-address.ts";
import { createSlack } from "./slack.ts";
import { createTelegramApi, type TelegramApi } from "./telegram-api.ts";
import { createTelegram } from "./telegram.ts";
import { createWebhook } from "./webhook.ts";

export interface ChannelDeps {
  /** Networks and addresses that may be called although they are private, and without TLS. */
  readonly privateNetworks: readonly string[];
  readonly now: () => number;
  /** For tests: other places for the services, a resolver, a certificate, and less patience. */
  readonly bases?: ServiceBases;
  readonly resolve?: ResolveName;
  readonly trusted?: string;
  readonly limitMs?: number;
}

/** What a destination's settings say of where it lies. */
type Whereabouts = OpenedSettings extends infer Each
  ? Each extends OpenedSettings
    ? Pick<Each, "kind" | "settings">
    : never
  : never;

export interface OpenedChannels {
  readonly channels: Channels;
  /** What a bot is asked beside messages. */
  readonly telegram: TelegramApi;
  /** Why a URL may not be called, in words that do not repeat it. */
  readonly whyForbidden: (url: string) => Promise<string | undefined>;
  /** The same for whatever a destination of any kind names. */
  readonly whyRefused: (destination: Whereabouts) => Promise<string | undefined>;
}

export function openChannels(deps: ChannelDeps): OpenedChannels {
  const { privateNetworks, now, bases = {}, resolve, trusted, limitMs } = deps;
  const addresses = createAllowedAddresses({ privateNetworks, ...(resolve && { resolve }) });
  const request = createGuardedRequest({ addresses, ...(trusted !== undefined && { trusted }) });
  const telegram = createTelegramApi({ request, base: bases.telegram });
  const connect = createGuardedConnection(addresses);
  return {
    telegram,
    whyForbidden: addresses.whyForbidden,
    whyRefused: async ({ kind, settings }) => {
      switch (kind) {
        case "webhook":
        case "heartbeat":
          return await addresses.whyForbidden(settings.url);
        case "ntfy":
          return await addresses.whyForbidden(settings.server);
        case "discord":
        case "slack":
          return whyNotOfService(kind, settings.url);
        case "email":
          return await addresses.whyForbidden(mailServer(settings));
        case "telegram":
        case "pushover":
          return undefined;
      }
    },
    channels: {
      webhook: createWebhook({ request, now }, limitMs),
      discord: createDiscord({ request, base: bases.discord }, limitMs),
      telegram: createTelegram(telegram, limitMs),
      slack: createSlack({ request, base: bases.slack }, limitMs),
      ntfy: createNtfy(request, limitMs),
      pushover: createPushover({ request, base: bases.pushover, now }, limitMs),
      email: createEmail({ connect, trusted }, limitMs),
      heartbeat: createHeartbeat(request, limitMs),
    },
  };
}

/** As the check of addresses reads it; mail is always sent with TLS. */
const mailServer = ({ host, port }: { readonly host: string; readonly port: number }): string =>
  `https://${host.includes(":") ? `[${host}]` : host}:${port}/`;
