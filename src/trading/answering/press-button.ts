import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Caller } from "../people/caller.ts";
import { carryOut, type CarryOutDeps } from "./carry-out.ts";
import { labelsOf } from "./account-labels.ts";
import { inWords, type InWordsDeps, NOT_DONE } from "./in-words.ts";
import { fingerprint, idsOf, makeOffer, type MakeOfferDeps, readHeldNow } from "./offers.ts";
import type { AnswerStore, BotChats, BotId, Incoming, Offer, Reply } from "./ports.ts";
import { type Asker, askerOf, destinationsOf, type WhoAsksDeps } from "./who-asks.ts";

export interface PressDeps
  extends Omit<MakeOfferDeps, "gateway">, Omit<CarryOutDeps, "gateway">, WhoAsksDeps, InWordsDeps {
  readonly gateway: MakeOfferDeps["gateway"] & CarryOutDeps["gateway"];
  readonly accounts: Pick<AccountDirectory, "of" | "refresh">;
  readonly store: Pick<AnswerStore, "offer" | "begin" | "keepOutcome" | "end" | "begun">;
  /** By the store's clock, Unix ms. */
  readonly now: () => Promise<number>;
}

export interface Asked {
  readonly bot: BotId;
  readonly chats: BotChats;
  readonly requestId: string;
}

type Press = Extract<Incoming, { kind: "press" }>;

/** Whoever waits for an outcome longer has looked for themselves. */
const NOTE_MS = 24 * 60 * 60_000;
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
  /** What this process is at: nobody has interrupted it. */
  readonly #working = new Set<string>();

  constructor(deps: PressDeps) {
    this.#deps = deps;
  }

  /** Throws `StoreError`. */
  async press(asked: Asked, asker: Asker, press: Press): Promise<void> {
    const { store } = this.#deps;
    const { bot, chats } = asked;
    const { destination } = asker.stored;
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
    this.#working.add(data);
    try {
      await this.#carryOut(asked, asker, press, offer);
    } finally {
      this.#working.delete(data);
    }
  }

  async #carryOut(asked: Asked, asker: Asker, press: Press, offer: Offer): Promise<void> {
    const { store, observer } = this.#deps;
    const { bot, chats } = asked;
    const { chatId, messageId, pressId, data } = press;
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
      asker.caller,
      async () => await this.#act(asked, asker, press, offer, begins),
      () => (working === undefined ? NOT_DONE : "Not known what came of it"),
    );
    const { button: _, ...outcome } = reply;
    const kept = store.keepOutcome(bot, data, outcome).catch(observer.failed);
    await (working ?? chats.answerPress(pressId));
    const isKnown = await isSaid(chats, { chatId, messageId }, reply);
    await kept;
    if (isKnown) await store.end(bot, data);
  }

  /**
   * Says what came of acts that nobody was told of: what another process began, and what did not arrive.
   * Each is tried as long as its note lives.
   */
  async tellLeft({ bot, chats }: Omit<Asked, "requestId">): Promise<void> {
    const { store, now } = this.#deps;
    const all = await store.begun(bot);
    if (all.length === 0) return;
    const at = await now();
    for (const { nonce, offer, messageId, begunAt, outcome = INTERRUPTED } of all) {
      if (this.#working.has(nonce)) continue;
      const isOver = begunAt !== undefined && at - begunAt > NOTE_MS;
      const where = { chatId: offer.chatId, messageId };
      if (isOver || (await isSaid(chats, where, outcome))) await store.end(bot, nonce);
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
    const [id] = of === "all" ? [] : of;
    const name = id === undefined ? "all accounts" : labelsOf(own)(id);
    const reply = await makeOffer(this.#deps, bot, caller, offer, name);
    return {
      ...reply,
      lines: ["The position has changed since. Nothing was done", ...reply.lines],
    };
  }
}

/** In the button's message, or below it where that is gone. */
async function isSaid(
  { edit, send }: BotChats,
  { chatId, messageId }: { readonly chatId: string; readonly messageId: number },
  reply: Reply,
): Promise<boolean> {
  return (await edit(chatId, messageId, reply)) || (await send(chatId, reply)) !== undefined;
}

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, n) => line === other[n]);
