import type { ChannelKind } from "../domain/notify/destination.ts";
import type { Channel, Delivery, Notice, OpenedSettings } from "../trading/notify/ports.ts";
import { withTimeLimit } from "./time-limit.ts";

export type Opened<Kind extends ChannelKind> = Extract<OpenedSettings, { readonly kind: Kind }>;

export interface ChannelParts<Kind extends ChannelKind> {
  readonly kind: Kind;
  readonly gapMs: number;
  readonly deliver: (notice: Notice, to: Opened<Kind>, signal: AbortSignal) => Promise<Delivery>;
}

/** As the port asks: everything that is tried for one message. */
export const LIMIT_MS = 15_000;

/** Keeps what the port promises of all channels: a time limit, and that nothing is thrown. */
export function createChannel<Kind extends ChannelKind>(
  { kind, gapMs, deliver }: ChannelParts<Kind>,
  limitMs = LIMIT_MS,
): Channel {
  return {
    kind,
    gapMs,
    send: async (notice, to, { signal }) => {
      if (!isOf(kind, to)) {
        return { kind: "unacceptable", reason: "The settings belong to another kind of channel" };
      }
      try {
        const ended = await withTimeLimit({ signal, limitMs }, (inner) =>
          deliver(notice, to, inner),
        );
        return "stoppedBy" in ended ? { kind: "failed", reason: REASONS[ended.stoppedBy] } : ended;
      } catch (error) {
        // Its words may hold anything.
        const name = error instanceof Error ? error.constructor.name : "unknown";
        return { kind: "failed", reason: `The gateway could not tell it (${name})` };
      }
    },
  };
}

const REASONS = {
  limit: "There was no answer in time",
  signal: "It was given up before an answer came",
} as const;

const isOf = <Kind extends ChannelKind>(kind: Kind, to: OpenedSettings): to is Opened<Kind> =>
  to.kind === kind;
