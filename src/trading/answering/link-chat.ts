import type { DestinationId } from "../../domain/notify/destination.ts";
import type { SecretBox } from "../connections/ports.ts";
import { sealSettings } from "../notify/destination-secrets.ts";
import type { DestinationStore, StoredDestination } from "../notify/destination-store.ts";
import type { Incoming, Reply } from "./ports.ts";

export interface LinkChatDeps {
  readonly destinations: Pick<DestinationStore, "change">;
  readonly secrets: Pick<SecretBox, "seal">;
  /** Whether the hash is the code's, in a time that does not tell how much of it is right. */
  readonly isHashOf: (code: string, hash: string) => boolean;
  readonly ring: (id: DestinationId) => Promise<void>;
}

/** One answer for all: whoever guesses learns nothing of what there is. */
const INVALID: Reply = {
  title: "This code is not valid",
  lines: [
    "It may be mistyped, used before, or older than ten minutes. Make a new one in the console",
  ],
};

/** Else it would be certain for neither of them whose accounts are asked about. */
const OF_ANOTHER: Reply = {
  title: "This bot already answers you for another user",
  lines: [
    "Nothing was changed. Use a bot of your own for each user, or unlink the other one first",
  ],
};

/** Links the chat to the destination whose code it is. Who was linked there before is no more. */
export async function linkChat(
  { destinations, secrets, isHashOf, ring }: LinkChatDeps,
  { chatId, personId }: Pick<Incoming, "chatId" | "personId">,
  {
    code,
    now,
    candidates,
  }: {
    readonly code: string;
    readonly now: number;
    readonly candidates: readonly StoredDestination[];
  },
): Promise<{ readonly reply: Reply; readonly linked?: StoredDestination }> {
  const isMeant = ({ link }: StoredDestination) =>
    link !== undefined && isHashOf(code, link.hash) && now < link.until;
  const [meant] = candidates.filter(isMeant);
  if (meant === undefined) return { reply: INVALID };
  const { destination, link } = meant;
  const isOfAnother = candidates.some(
    (one) =>
      one.person === personId &&
      one.settings["chatId"] === chatId &&
      one.destination.userId !== destination.userId,
  );
  if (link?.mayAsk === true && isOfAnother) return { reply: OF_ANOTHER };
  const sealed = await sealSettings(secrets, destination, { chatId });
  let isLinked = false;
  const after = await destinations.change(destination.id, (one) => {
    isLinked = one.link?.hash === link?.hash && isMeant(one);
    if (!isLinked) return undefined;
    const { link: used, person: _, ...rest } = one;
    const person = used?.mayAsk === true ? { person: personId } : {};
    return { ...rest, ...person, settings: { ...one.settings, ...sealed } };
  });
  if (!isLinked || after === undefined) return { reply: INVALID };
  await ring(destination.id);
  return { reply: welcome(after), linked: after };
}

function welcome({ destination, person }: StoredDestination): Reply {
  const { name, answers, disabled } = destination;
  const isAnswered = answers === true && person !== undefined;
  const asks = isAnswered ? "Send /help to see what you can ask" : "Questions are not answered";
  return {
    title: "Linked",
    lines: [
      `What happens is told here from now on, as "${name}" says. ${asks}`,
      ...(disabled === undefined ? [] : ["It is switched off now: switch it on in the console"]),
    ],
  };
}
