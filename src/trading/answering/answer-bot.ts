import type { CredentialId } from "../../domain/ids.ts";
import { GatewayError } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { Gateway } from "../gateway.ts";
import type { DestinationStore, StoredDestination } from "../notify/destination-store.ts";
import type { Caller } from "../people/caller.ts";
import { carryOut, type CarryOutDeps } from "./carry-out.ts";
import { findAccount, findAccounts, type Found } from "./find-accounts.ts";
import { linkChat, type LinkChatDeps, LinkTries } from "./link-chat.ts";
import { fingerprint, MOST_ACCOUNTS, type OfferDeps, preview, readHeld } from "./offers.ts";
import type { Act, AnswerStore, BotChats, BotId, Incoming, Offer, Reply } from "./ports.ts";
import { type Command, readCommand, readLinkCode } from "./read-command.ts";
import { show, type ShowDeps } from "./show.ts";
import { masked, spanText } from "./words.ts";

export interface BotAnswersDeps
  extends Omit<LinkChatDeps, "destinations">, Omit<CarryOutDeps, "gateway"> {
  readonly gateway: Pick<Gateway, "listConnections"> &
    ShowDeps["gateway"] &
    OfferDeps["gateway"] &
    CarryOutDeps["gateway"];
  readonly describe: ShowDeps["describe"];
  readonly destinations: Pick<DestinationStore, "all" | "change">;
  readonly accounts: Pick<AccountDirectory, "of" | "refresh">;
  readonly store: Pick<AnswerStore, "offer" | "begin" | "end" | "begun">;
  /** Which bot a destination's token is of; undefined where it has none that can be read. */
  readonly botOf: (stored: StoredDestination) => Promise<BotId | undefined>;
  /** By the store's clock, Unix ms. */
  readonly now: () => Promise<number>;
  /** Random, at most 64 bytes. */
  readonly newNonce: () => string;
  readonly observer: AnswersObserver;
}

export interface AnswersObserver {
  /** Somebody wrote who may not ask. */
  readonly ignored: (bot: BotId) => void;
  readonly linked: (stored: StoredDestination) => void;
  readonly failed: (error: unknown) => void;
}

interface Asked {
  readonly bot: BotId;
  readonly chats: BotChats;
  readonly requestId: string;
}

/** A person who may ask, and what they ask with. */
interface Asker {
  readonly stored: StoredDestination;
  readonly caller: Caller;
}

const OFFER_MS = 30_000;
/** What was asked while nobody listened is not answered as if it were asked now. */
const STALE_MS = 2 * 60_000;
const NONCE = /^[\w-]{16,64}$/;
const GONE = "This button was used, or is older than 30 seconds. Nothing was done";

/**
 * What bots answer: to the person who was linked, in their own chat, where a destination answers. To
 * everybody else they are silent, but for a code that does not link.
 */
export class BotAnswers {
  readonly #deps: BotAnswersDeps;
  readonly #tries = new LinkTries();

  constructor(deps: BotAnswersDeps) {
    this.#deps = deps;
  }

  /** Throws `StoreError`. */
  async handle(asked: Asked, incoming: Incoming): Promise<void> {
    const { observer, now } = this.#deps;
    const code = incoming.kind === "message" ? readLinkCode(incoming.text) : undefined;
    if (!incoming.isPrivate) return observer.ignored(asked.bot);
    const at = await now();
    const all = await this.#destinationsOf(asked.bot);
    if (code !== undefined) return await this.#link(asked, incoming, { code, now: at, all });
    const asker = askerOf(all, incoming, { receivedAt: at, requestId: asked.requestId });
    if (asker === undefined) return observer.ignored(asked.bot);
    if (incoming.kind === "press") return await this.#press(asked, asker, incoming);
    const command = readCommand(incoming.text);
    if (command === undefined) return;
    const reply = await this.#answer(asked, asker, incoming, command);
    await asked.chats.send(incoming.chatId, reply);
  }

  /** Says of what another process began that nobody knows how it ended. */
  async tellInterrupted({ bot, chats }: Omit<Asked, "requestId">): Promise<void> {
    const { store } = this.#deps;
    for (const { nonce, offer, messageId } of await store.begun(bot)) {
      await chats.edit(offer.chatId, messageId, INTERRUPTED);
      await store.end(bot, nonce);
    }
  }

  async #destinationsOf(bot: BotId): Promise<readonly StoredDestination[]> {
    const { destinations, botOf } = this.#deps;
    const all = await destinations.all();
    const bots = await Promise.all(all.map(botOf));
    return all.filter((_, n) => bots[n] === bot);
  }

  async #link(
    { bot, chats }: Asked,
    { chatId, personId }: Incoming,
    { code, now, all }: { code: string; now: number; all: readonly StoredDestination[] },
  ): Promise<void> {
    const { observer } = this.#deps;
    if (this.#tries.isOneTooMany(chatId, now)) return observer.ignored(bot);
    const given = { code, now, candidates: all };
    const { reply, linked } = await linkChat(this.#deps, { chatId, personId }, given);
    if (linked !== undefined) observer.linked(linked);
    await chats.send(chatId, reply);
  }

  async #answer(
    { bot }: Asked,
    { stored, caller }: Asker,
    { chatId, personId, at }: Extract<Incoming, { kind: "message" }>,
    command: Command,
  ): Promise<Reply> {
    const age = caller.receivedAt - at;
    if (age > STALE_MS) return { title: `That was asked ${spanText(age)} ago`, lines: [ANEW] };
    return await this.#inWords(caller, async () => {
      switch (command.kind) {
        case "help":
          return HELP;
        case "refused":
          return { title: command.why, lines: [] };
        case "status":
        case "positions":
        case "pnl":
        case "alerts":
        case "connections":
          return await show(this.#deps, caller, command.kind);
        case "flatten":
        case "kill":
        case "pause": {
          const act = await this.#actOf(caller, command);
          if ("title" in act) return act;
          const { id: destinationId, userId } = stored.destination;
          const offer = { destinationId, userId, chatId, personId, act: act.act };
          return await this.#offer(bot, caller, offer, act.name);
        }
      }
    });
  }

  /** What a command means to do; words where that is not clear. */
  async #actOf(
    caller: Caller,
    { kind, of }: Extract<Command, { of: string }>,
  ): Promise<Reply | { readonly act: Act; readonly name: string }> {
    const act = kind === "flatten" ? "flatten" : "stop";
    if (of.toLowerCase() === "all") {
      return { act: { kind: act, of: "all" }, name: "all accounts" };
    }
    const { accounts, gateway } = this.#deps;
    await accounts.refresh();
    const own = accounts.of(caller.userId);
    const found: Found =
      kind === "pause"
        ? findAccounts(of, own, await gateway.listConnections(caller))
        : findAccount(of, own);
    if (found.kind === "unclear") return { title: found.why, lines: [] };
    const ids = found.accounts.map(({ accountId }) => accountId);
    if (ids.length > MOST_ACCOUNTS) {
      return { title: `It has more than ${MOST_ACCOUNTS} accounts: use /kill`, lines: [] };
    }
    return { act: { kind: act, of: ids }, name: found.name };
  }

  async #offer(
    bot: BotId,
    caller: Caller,
    offer: Omit<Offer, "seen">,
    name: string,
  ): Promise<Reply> {
    const { accounts, store, newNonce } = this.#deps;
    const own = accounts.of(caller.userId);
    const { reply, seen } = await preview(this.#deps, caller, { act: offer.act, name, own });
    if (seen === undefined) return reply;
    const nonce = newNonce();
    await store.offer(bot, nonce, { ...offer, seen }, OFFER_MS);
    const text = offer.act.kind === "flatten" ? "Flatten now" : "Switch it on";
    return { ...reply, button: { text, data: nonce } };
  }

  async #press(
    { bot, chats }: Asked,
    { stored: { destination }, caller }: Asker,
    { chatId, personId, messageId, pressId, data }: Extract<Incoming, { kind: "press" }>,
  ): Promise<void> {
    const { store } = this.#deps;
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
    const act = async (): Promise<Reply> => {
      const held =
        offer.act.kind === "flatten" ? await readHeld(this.#deps, caller, offer.act.of) : [];
      if (!isSame(fingerprint(held), offer.seen)) return await this.#askAgain(bot, caller, offer);
      working = Promise.all([
        chats.answerPress(pressId, "Working on it"),
        chats.edit(chatId, messageId, WORKING),
      ]);
      const own = this.#deps.accounts.of(caller.userId);
      const holding = [...new Set(held.map(({ account }) => account.accountId))];
      return await carryOut(this.#deps, caller, { act: offer.act, nonce: data, holding, own });
    };
    const reply = await this.#inWords(caller, act, () =>
      working === undefined ? NOT_DONE : "Not known what came of it",
    );
    await (working ?? chats.answerPress(pressId));
    const isTold = await chats.edit(chatId, messageId, reply);
    if (!isTold) await chats.send(chatId, reply);
    await store.end(bot, data);
  }

  async #askAgain(bot: BotId, caller: Caller, offer: Offer): Promise<Reply> {
    const { of } = offer.act;
    const own = this.#deps.accounts.of(caller.userId);
    const name = own.find(({ accountId }) => of !== "all" && of.includes(accountId))?.name;
    const reply = await this.#offer(bot, caller, offer, name ?? "all accounts");
    return {
      ...reply,
      lines: ["The position has changed since. Nothing was done", ...reply.lines],
    };
  }

  /** Without account numbers, and in words also where it fails. */
  async #inWords(
    caller: Caller,
    answer: () => Promise<Reply>,
    failure = () => NOT_DONE,
  ): Promise<Reply> {
    const { accounts, observer } = this.#deps;
    const reply = await answer().catch((error: unknown): Reply => {
      observer.failed(error);
      const why = error instanceof GatewayError ? error.message : "The gateway failed";
      return { title: failure(), lines: [why] };
    });
    return masked(reply, accounts.of(caller.userId));
  }
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
function askerOf(
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

const isSame = (one: readonly string[], other: readonly string[]): boolean =>
  one.length === other.length && one.every((line, n) => line === other[n]);

const NOT_DONE = "That did not work. Nothing was done";
const ANEW = "Nobody listened then. Ask again";
const WORKING: Reply = { title: "Working on it", lines: ["What comes of it is told here"] };
const INTERRUPTED: Reply = {
  title: "The gateway was interrupted at this",
  lines: ["Whether it was done is not known here. Look at /status and /positions, and ask anew"],
};
const HELP: Reply = {
  title: "What you can ask",
  lines: [
    "/status: whether something needs you",
    "/positions: what is held, and its stop-losses",
    "/pnl: what today has won and cost",
    "/alerts: the newest alerts, and what became of them",
    "/connections: how the connections stand",
    "",
    "Each of these shows what it would do, and waits 30 seconds for its button:",
    "/flatten ACCOUNT, /flatten all: close positions",
    "/kill, /kill ACCOUNT: switch the kill switch on",
    "/pause ACCOUNT, /pause CONNECTION: the same for an account, or for all of a connection",
    "",
    "Nothing is opened from here, and no guard is loosened",
  ],
};
