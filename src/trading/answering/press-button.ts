import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Caller } from "../people/caller.ts";
import { carryOut, type CarryOutDeps } from "./carry-out.ts";
import { inWords, type InWordsDeps, NOT_DONE } from "./in-words.ts";
import { fingerprint, idsOf, makeOffer, type MakeOfferDeps, readHeldNow } from "./offers.ts";
import type { AnswerStore, BotChats, BotId, Incoming, Offer, Reply } from "./ports.ts";
import { type Asker, askerOf, destinationsOf, type WhoAsksDeps } from "./who-asks.ts";

export interface PressDeps
  extends Omit<MakeOfferDeps, "gateway">, Omit<CarryOutDeps, "gateway">, WhoAsksDeps, InWordsDeps {
  readonly gateway: MakeOfferDeps["gateway"] & CarryOutDeps["gateway"];
  readonly accounts: Pick<AccountDirectory, "of" | "refresh">;
  readonly store: Pick<AnswerStore, "offer" | "begin" | "end" | "begun">;
  /** By the store's clock, Unix ms. */
  readonly now: () => Promise<number>;
}

export interface Asked {
  readonly bot: BotId;
  readonly chats: BotChats;
  readonly requestId: string;
}

type Press = Extract<Incoming, { kind: "press" }>;

const NONCE = /^[\w-]{16,64}$/;
const GONE = "This button was used, or is older than 30 seconds. Nothing was done";
const WORKING: Reply = { title: "Working on it", lines: ["What comes of it is told here"] };
const INTERRUPTED: Reply = {
  title: "The gateway was interrupted at this",
  lines: ["Whether it was done is not known here. Look at /status and /positions, and ask anew"],
};
const NO_LONGER: Reply = {
  title: "Questions are no longer answered here. Nothing was done",
  lines: [],
};

/** What a button does once it is pressed, once, and what is said of it. */
export class ButtonPresses {
  readonly #deps: PressDeps;

  constructor(deps: PressDeps) {
    this.#deps = deps;
  }

  /** Throws `StoreError`. */
  async press(asked: Asked, asker: Asker, press: Press): Promise<void> {
    const { store } = this.#deps;
    const { bot, chats } = asked;
    const { caller, stored } = asker;
    const { destination } = stored;
    const { chatId, personId, messageId, pressId, data } = press;
    const of = { destinationId: destination.id, nonce: data };
    const offer = NONCE.test(data) ? await store.begin(bot, of, messageId) : undefined;
    const isOwn =
      offer?.userId === destination.userId &&
      offer.chatId === chatId &&
      offer.personId === personId;
    if (offer === undefined || !isOwn) {
      if (offer !== undefined) await store.end(bot, data);
      await chats.answerPress(pressId, GONE);
      return;
    }
    // An exit waits for no words: both go their way at once.
    let working: Promise<unknown> | undefined;
    const begins = () => {
      working = Promise.all([
        chats.answerPress(pressId, "Working on it"),
        chats.edit(chatId, messageId, WORKING),
      ]);
    };
    const reply = await inWords(
      this.#deps,
      caller,
      async () => await this.#act(asked, asker, press, offer, begins),
      () => (working === undefined ? NOT_DONE : "Not known what came of it"),
    );
    await (working ?? chats.answerPress(pressId));
    const isTold = await chats.edit(chatId, messageId, reply);
    if (!isTold) await chats.send(chatId, reply);
    await store.end(bot, data);
  }

  /** Says of what another process began that nobody knows how it ended. */
  async tellLeft({ bot, chats }: Omit<Asked, "requestId">): Promise<void> {
    const { store } = this.#deps;
    for (const { nonce, offer, messageId } of await store.begun(bot)) {
      await chats.edit(offer.chatId, messageId, INTERRUPTED);
      await store.end(bot, nonce);
    }
  }

  /** Asks the store alone, and no broker, before it carries out: one that is slow delays nobody else's exit. */
  async #act(
    { bot }: Asked,
    { caller }: Asker,
    press: Press,
    offer: Offer,
    begins: () => void,
  ): Promise<Reply> {
    const { accounts, views, now } = this.#deps;
    const { act } = offer;
    if (act.kind === "flatten") await accounts.refresh();
    const own = accounts.of(caller.userId);
    const held = act.kind === "flatten" ? await readHeldNow(views, idsOf(act.of, own), own) : [];
    if (!isSame(fingerprint(held), offer.seen)) return await this.#askAgain(bot, caller, offer);
    const [receivedAt, all] = await Promise.all([now(), destinationsOf(this.#deps, bot)]);
    const still = askerOf(all, press, { receivedAt, requestId: caller.requestId });
    if (still?.stored.destination.id !== offer.destinationId) return NO_LONGER;
    begins();
    const holding = [...new Set(held.map(({ accountId }) => accountId))];
    return await carryOut(this.#deps, still.caller, { act, nonce: press.data, holding, own });
  }

  async #askAgain(bot: BotId, caller: Caller, offer: Offer): Promise<Reply> {
    const { of } = offer.act;
    const own = this.#deps.accounts.of(caller.userId);
    const name = own.find(({ accountId }) => of !== "all" && of.includes(accountId))?.name;
    const reply = await makeOffer(this.#deps, bot, caller, offer, name ?? "all accounts");
    return {
      ...reply,
      lines: ["The position has changed since. Nothing was done", ...reply.lines],
    };
  }
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, n) => line === other[n]);
