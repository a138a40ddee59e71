import type { ChannelKind, ChannelSettings } from "../../domain/notify/destination.ts";
import type { GatewayEvent } from "../../domain/notify/event.ts";

/** One event, or several equal ones, as it is to be told now. */
export interface Notice {
  readonly event: GatewayEvent;
  /** So many equal ones are told as this one; 1 on channels that are read by programs. */
  readonly count: number;
  /** Without a sound, where the channel has one. */
  readonly isSilent: boolean;
}

/** What came of one attempt. `status` is the HTTP or SMTP status where there was an answer. */
export type Delivery =
  | { readonly kind: "delivered"; readonly status?: number }
  /** It may work later: no answer, a fault, too many requests. `retryAfterMs` is the receiver's wish. */
  | {
      readonly kind: "failed";
      readonly reason: string;
      readonly status?: number;
      readonly retryAfterMs?: number;
    }
  /** This one will never be taken; others may be. */
  | { readonly kind: "unacceptable"; readonly reason: string; readonly status?: number }
  /** Nothing will be taken any more: gone, blocked, or its secret is refused. */
  | { readonly kind: "gone"; readonly reason: string; readonly status?: number };

/** What a channel is opened with: its settings in plain text, and the secrets it signs with. */
export type OpenedSettings = {
  [Kind in ChannelKind]: {
    readonly kind: Kind;
    readonly settings: ChannelSettings[Kind];
    /** Of signed webhooks: the secrets (`whsec_…`) to sign with, the newest first. */
    readonly secrets: readonly string[];
  };
}[ChannelKind];

/**
 * Brings one message somewhere. It keeps nothing between two calls, never throws, and never says of a
 * secret or of an address what it is: `reason` is in words for the destination's owner.
 */
export interface Channel {
  readonly kind: ChannelKind;
  /** Between two messages, ms, as its limits ask. */
  readonly gapMs: number;
  /** Ends within 15 s, or with the signal. */
  readonly send: (
    notice: Notice,
    to: OpenedSettings,
    options: { readonly signal: AbortSignal },
  ) => Promise<Delivery>;
}

export type Channels = { readonly [Kind in ChannelKind]: Channel };
