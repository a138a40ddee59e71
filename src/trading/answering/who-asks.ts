import type { CredentialId } from "../../domain/ids.ts";
import type { DestinationStore, StoredDestination } from "../notify/destination-store.ts";
import type { Caller } from "../people/caller.ts";
import type { BotId, Incoming } from "./ports.ts";

export interface WhoAsksDeps {
  readonly destinations: Pick<DestinationStore, "all">;
  /** Which bot a destination's token is of; undefined where it has none that can be read. */
  readonly botOf: (stored: StoredDestination) => Promise<BotId | undefined>;
}

/** A person who may ask, and what they ask with. */
export interface Asker {
  readonly stored: StoredDestination;
  readonly caller: Caller;
}

/** The destinations that this bot serves, as they are now. Throws `StoreError`. */
export async function destinationsOf(
  { destinations, botOf }: WhoAsksDeps,
  bot: BotId,
): Promise<readonly StoredDestination[]> {
  const all = await destinations.all();
  const bots = await Promise.all(all.map(botOf));
  return all.filter((_, n) => bots[n] === bot);
}

/** Whether anything that is written to the destination's bot could matter. */
export function isListening(
  { destination: { kind, answers, disabled }, link, person }: StoredDestination,
  now: number,
): boolean {
  if (kind !== "telegram") return false;
  if (link !== undefined && now < link.until) return true;
  return answers === true && disabled === undefined && person !== undefined;
}

/** Undefined where it is nobody who may ask, or where it is not certain for which user they do. */
export function askerOf(
  all: readonly StoredDestination[],
  { chatId, personId }: Incoming,
  asked: Pick<Caller, "receivedAt" | "requestId">,
): Asker | undefined {
  const own = all.filter(
    ({ destination: { answers, disabled }, person, settings }) =>
      answers === true &&
      disabled === undefined &&
      person === personId &&
      settings["chatId"] === chatId,
  );
  const [stored] = own;
  if (stored === undefined) return undefined;
  const { id, userId } = stored.destination;
  if (own.some(({ destination }) => destination.userId !== userId)) return undefined;
  // Without `manage`: no guard can be loosened, whatever is asked.
  const scopes = ["read", "trade"] as const;
  const credentialId = id as string as CredentialId;
  return { stored, caller: { ...asked, userId, credentialId, scopes } };
}
