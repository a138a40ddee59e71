import type { AccountEnvironment } from "../environment.ts";
import type { AccountId, UserId } from "../ids.ts";
import type { Brand } from "../brand.ts";
import type { Severity } from "../severity.ts";
import type { EventType } from "./event.ts";

/** Somewhere that events are told: `ds_` and letters and digits. */
export type DestinationId = Brand<string, "DestinationId">;

export const CHANNEL_KINDS = [
  "webhook",
  "discord",
  "telegram",
  "slack",
  "ntfy",
  "pushover",
  "email",
  "heartbeat",
] as const;
export type ChannelKind = (typeof CHANNEL_KINDS)[number];

/**
 * What a channel of each kind is told. Whatever is a secret, or holds one, is sealed, and never shown
 * again.
 */
export interface ChannelSettings {
  /** Standard Webhooks. The secret is ours: made with the destination, shown once. */
  readonly webhook: { readonly url: string };
  /** The address of a channel's webhook, which is a secret. */
  readonly discord: { readonly url: string };
  readonly slack: { readonly url: string };
  /** Without a chat, it is linked by a code that its owner sends to the bot. */
  readonly telegram: { readonly botToken: string; readonly chatId?: string };
  readonly ntfy: { readonly server: string; readonly topic: string; readonly token?: string };
  readonly pushover: { readonly appToken: string; readonly userKey: string };
  readonly email: {
    readonly host: string;
    readonly port: number;
    readonly user?: string;
    readonly password?: string;
    readonly from: string;
    readonly to: string;
  };
  /** Asked each minute while all is well: where that stays out, an outside watcher raises its alarm. */
  readonly heartbeat: { readonly url: string };
}

/** Which of the settings are secrets. */
export const SECRET_SETTINGS = {
  webhook: [],
  discord: ["url"],
  slack: ["url"],
  telegram: ["botToken"],
  ntfy: ["topic", "token"],
  pushover: ["appToken", "userKey"],
  email: ["password"],
  heartbeat: ["url"],
} as const satisfies { readonly [Kind in ChannelKind]: readonly (keyof ChannelSettings[Kind])[] };

/**
 * Which events, and how they are told. What is left out holds for all. The first rule that fits counts.
 * What is critical is made silent, or left out, only by a rule that names accounts or an environment.
 */
export interface Rule {
  readonly types?: readonly EventType[];
  /** At least so severe. */
  readonly severity?: Severity;
  readonly accounts?: readonly AccountId[];
  readonly environment?: AccountEnvironment;
  readonly tell: "on" | "silent" | "off";
}

/** Times of day, `HH:MM`, by the clocks of an IANA zone. What is not critical waits for their end. */
export interface QuietHours {
  readonly from: string;
  readonly to: string;
  readonly zone: string;
}

export interface Destination {
  readonly id: DestinationId;
  readonly userId: UserId;
  readonly name: string;
  readonly kind: ChannelKind;
  readonly rules: readonly Rule[];
  readonly quietHours?: QuietHours;
  /** When the day is summed up, by the clocks of an IANA zone; absent: never. */
  readonly summary?: { readonly at: string; readonly zone: string };
  /** One event after another, none before all earlier ones were taken or given up. */
  readonly inOrder?: true;
  /** Telegram: a person who was linked by a code may ask, and act, there. */
  readonly answers?: true;
  readonly createdAt: number;
  /** Why nothing is told there until a person switches it on again. */
  readonly disabled?: { readonly reason: string; readonly at: number };
}
