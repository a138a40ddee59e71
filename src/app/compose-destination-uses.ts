import type { Config } from "../../config/index.ts";
import type { DestinationQueue } from "../../queues/destination-queue.ts";
import { type ChannelDeps, type OpenedChannels, openChannels } from "../notify/open-channels.ts";
import type { DestinationUses } from "../trading/notify/destination-uses.ts";
import {
  createDestinationUses,
  type DestinationUsesDeps,
} from "../trading/notify/manage-destinations.ts";
import { newDestinationId, newLinkCode, newSigningSecret } from "./new-ids.ts";

/** `services` are other places for the services, for tests. */
export const openConfiguredChannels = (
  { NOTIFY_ALLOW_PRIVATE }: Config,
  services?: Partial<ChannelDeps>,
): OpenedChannels =>
  openChannels({
    privateNetworks: NOTIFY_ALLOW_PRIVATE?.split(",") ?? [],
    now: Date.now,
    ...services,
  });

/** What callers and the command line may ask about destinations. */
export function composeDestinationUses({
  destinations,
  notices,
  outbox,
  accounts,
  intents,
  secrets,
  opened: { channels, whyRefused },
  queue: { ring },
}: Pick<
  DestinationUsesDeps,
  "destinations" | "notices" | "outbox" | "accounts" | "intents" | "secrets"
> & {
  readonly opened: OpenedChannels;
  readonly queue: Pick<DestinationQueue, "ring">;
}): DestinationUses {
  return createDestinationUses({
    destinations,
    notices,
    outbox,
    accounts,
    intents,
    secrets,
    channels,
    whyForbidden: async (kind, settings) => {
      // Their schema has seen that the settings are of the kind.
      const where = { kind, settings } as unknown as Parameters<typeof whyRefused>[0];
      const message = await whyRefused(where);
      return message === undefined ? undefined : { path: "settings", message };
    },
    newDestinationId,
    newSigningSecret,
    newLinkCode,
    ring,
    elapsed: () => performance.now(),
  });
}
