import type { Gateway } from "../gateway.ts";
import type { DestinationStore, StoredDestination } from "../notify/destination-store.ts";
import type { Caller } from "../people/caller.ts";
import { exactly, findAccount, findAccounts, type Found } from "./find-accounts.ts";
import { inWords } from "./in-words.ts";
import { linkChat, type LinkChatDeps } from "./link-chat.ts";
import { makeOffer, MOST_ACCOUNTS } from "./offers.ts";
import type { Act, BotId, Incoming, Reply } from "./ports.ts";
import { type Asked, ButtonPresses, type PressDeps } from "./press-button.ts";
import { type Command, readCommand, readLinkCode } from "./read-command.ts";
import { show, type ShowDeps } from "./show.ts";
import { type Asker, askerOf, destinationsOf } from "./who-asks.ts";
import { Tries } from "./tries.ts";
import { spanText } from "./words.ts";

export interface BotAnswersDeps
  extends Omit<LinkChatDeps, "destinations">, Omit<PressDeps, "gateway" | "destinations"> {
  readonly gateway: Pick<Gateway, "listConnections"> & ShowDeps["gateway"] & PressDeps["gateway"];
  readonly destinations: Pick<DestinationStore, "all" | "change">;
  readonly observer: AnswersObserver;
}

export interface AnswersObserver {
  /** Somebody wrote who may not ask. */
  readonly ignored: (bot: BotId) => void;
  readonly linked: (stored: StoredDestination) => void;
  readonly failed: (error: unknown) => void;
}

type Message = Extract<Incoming, { kind: "message" }>;

/** Of one chat, within the time that a code lives. */
const LINK_TRIES = { most: 5, withinMs: 10 * 60_000 };
/** What one bot says to people who are not linked. */
const STRANGERS = { most: 20, withinMs: 60_000 };
/** What was asked while nobody listened is not answered as if it were asked now. */
const STALE_MS = 2 * 60_000;

/**
 * What bots answer: to the person who was linked, in their own chat, where a destination answers. To
 * everybody else they are silent, but for a code that does not link.
 */
export class BotAnswers {
  readonly #deps: BotAnswersDeps;
  readonly #tries = new Tries(LINK_TRIES);
  readonly #strangers = new Tries(STRANGERS);
  readonly #presses: ButtonPresses;

  constructor(deps: BotAnswersDeps) {
    this.#deps = deps;
    this.#presses = new ButtonPresses(deps);
  }

  /** Throws `StoreError`. */
  async handle(asked: Asked, incoming: Incoming): Promise<void> {
    const { observer, now } = this.#deps;
    const code = incoming.kind === "message" ? readLinkCode(incoming.text) : undefined;
    if (!incoming.isPrivate) return observer.ignored(asked.bot);
    const at = await now();
    const all = await destinationsOf(this.#deps, asked.bot);
    if (code !== undefined) return await this.#link(asked, incoming, { code, now: at, all });
    const asker = askerOf(all, incoming, { receivedAt: at, requestId: asked.requestId });
    if (asker === undefined) return observer.ignored(asked.bot);
    if (incoming.kind === "press") return await this.#presses.press(asked, asker, incoming);
    const { accounts } = this.#deps;
    await accounts.refresh();
    const own = accounts.of(asker.caller.userId);
    const command = readCommand(incoming.text, (name) => exactly(name, own).length > 0);
    if (command === undefined) return;
    const reply = await this.#answer(asked, asker, incoming, command);
    await asked.chats.send(incoming.chatId, withClocks(reply, incoming, at));
  }

  /** Says what came of each act that was begun, where that has not arrived yet. Throws `StoreError`. */
  async tellLeft(at: Omit<Asked, "requestId">): Promise<void> {
    await this.#presses.tellLeft(at);
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
    if (linked === undefined) {
      return this.#answerStranger(bot, now, () => chats.sendOnce(chatId, reply));
    }
    observer.linked(linked);
    await chats.send(chatId, reply);
  }

  /** Not waited for, and not often: nobody whom the bot does not know holds back who is known. */
  #answerStranger(bot: BotId, now: number, send: () => Promise<void>): void {
    const { observer } = this.#deps;
    if (this.#strangers.isOneTooMany(bot, now)) return observer.ignored(bot);
    send().catch(observer.failed);
  }

  async #answer(
    { bot }: Asked,
    { stored, caller }: Asker,
    incoming: Message,
    command: Command,
  ): Promise<Reply> {
    const { chatId, personId } = incoming;
    const old = oldText(incoming, caller.receivedAt);
    if (old !== undefined) return old;
    return await inWords(this.#deps, caller, async () => {
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
          return await makeOffer(this.#deps, bot, caller, offer, act.name);
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
}

/** Where it is not certain to have been asked just now, why, in words. Telegram's clock alone tells that. */
function oldText({ at, heardAt }: Message, now: number): Reply | undefined {
  const age = (heardAt ?? now) - at;
  if (heardAt === undefined && Math.abs(age) > STALE_MS) {
    const isAhead = age > 0 ? "nobody listened then, or " : "";
    return {
      title: `That was sent ${spanText(Math.abs(age))} ${age > 0 ? "before" : "after"} the gateway's time`,
      lines: [`Nothing was done: ${isAhead}the gateway's clock and Telegram's differ. Ask again`],
    };
  }
  if (age <= STALE_MS) return undefined;
  return {
    title: `That was asked ${spanText(age)} ago`,
    lines: ["Nobody listened then. Ask again"],
  };
}

function withClocks(reply: Reply, { heardAt }: Message, now: number): Reply {
  const apart = Math.abs(now - (heardAt ?? now));
  if (apart <= STALE_MS) return reply;
  const words = `The gateway's clock and Telegram's are ${spanText(apart)} apart: set the gateway's`;
  return { ...reply, lines: [words, ...reply.lines] };
}

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
