import type {
  AnswerStore,
  BegunAct,
  BotChats,
  BotId,
  Incoming,
  Offer,
  Reply,
} from "../../../../src/trading/answering/ports.ts";
import { type AnswersKit, createAnswersKit } from "./answers-kit.ts";

export const BOT = "bot" as BotId;
export const ME = 5;

export let kit: AnswersKit;
export let offers: Map<string, Offer>;
export let begun: Map<string, BegunAct>;
/** What stands in the chat, by message. */
export let chat: Reply[];
export let toasts: (string | undefined)[];
/** What does not arrive, and what strangers wait for. */
export const faults = { isSilent: false, isEditLost: false, strangersAnswered: Promise.resolve() };

export const store: AnswerStore = {
  hold: async () => true,
  release: async () => undefined,
  nextUpdate: async () => undefined,
  take: async () => true,
  offer: async (_, nonce, offer) => void offers.set(`${offer.destinationId} ${nonce}`, offer),
  begin: async (_, { destinationId, nonce }, messageId) => {
    const offer = offers.get(`${destinationId} ${nonce}`);
    if (offer === undefined) return undefined;
    offers.delete(`${destinationId} ${nonce}`);
    begun.set(nonce, { nonce, offer, messageId });
    return offer;
  },
  keepOutcome: async (_, nonce, outcome) => {
    const act = begun.get(nonce);
    if (act !== undefined) begun.set(nonce, { ...act, outcome });
  },
  end: async (_, nonce) => void begun.delete(nonce),
  begun: async () => [...begun.values()],
};

export const chats: BotChats = {
  send: async (_, reply) => {
    if (faults.isSilent) return undefined;
    chat.push(reply);
    return chat.length - 1;
  },
  sendOnce: async (_, reply) => {
    chat.push(reply);
    await faults.strangersAnswered;
  },
  edit: async (_, id, reply) => {
    if (faults.isSilent || faults.isEditLost) return false;
    chat[id] = reply;
    return true;
  },
  answerPress: async (_, words) => void toasts.push(words),
};

/** Before each test: modules are loaded once for many files. */
export function emptyChat(): void {
  kit = createAnswersKit({ store, bot: BOT, person: ME });
  [offers, begun, chat, toasts] = [new Map(), new Map(), [], []];
  const strangersAnswered = Promise.resolve();
  Object.assign(faults, { isSilent: false, isEditLost: false, strangersAnswered });
}

export const place = { chatId: String(ME), personId: String(ME), isPrivate: true };

export const tell = async (incoming: Incoming) =>
  await kit.answers.handle({ bot: BOT, chats, requestId: "telegram-1" }, incoming);
export const write = async (text: string, from: Partial<typeof place> = {}) =>
  await tell({ ...place, ...from, kind: "message", at: Date.now(), text });
export const press = async (data: string, from: Partial<typeof place> = {}) =>
  await tell({ ...place, ...from, kind: "press", pressId: "p", messageId: chat.length - 1, data });
export const button = () => chat.at(-1)?.button?.data ?? "";
export const said = () => [chat.at(-1)?.title, ...(chat.at(-1)?.lines ?? [])].join("\n");

export const never = async () => await new Promise<never>(() => undefined);

export const fails = async () => {
  throw new Error("with a secret");
};
