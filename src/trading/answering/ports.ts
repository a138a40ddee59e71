import type { AccountId, UserId } from "../../domain/ids.ts";
import type { DestinationId } from "../../domain/notify/destination.ts";
import type { Brand } from "../../domain/brand.ts";

/** A bot by a hash of its token: the same in every process, and no secret. */
export type BotId = Brand<string, "BotId">;

/** What somebody did in a chat with a bot. Whoever it was: nothing of it is trusted. */
export type Incoming = {
  readonly chatId: string;
  /** Telegram's number of the person, which nobody else can have. */
  readonly personId: string;
  /** Between that person and the bot alone. */
  readonly isPrivate: boolean;
} & (
  | {
      readonly kind: "message";
      /** Unix ms by Telegram's clock. */
      readonly at: number;
      /** When Telegram told of it, by the same clock; absent where it did not say. */
      readonly heardAt?: number;
      readonly text: string;
    }
  /** A button was pressed. */
  | {
      readonly kind: "press";
      readonly pressId: string;
      /** Of the message that has the button. */
      readonly messageId: number;
      readonly data: string;
    }
);

/** What is said in a chat, in words: whoever sends it cleans it, and cuts it to the limits. */
export interface Reply {
  readonly title: string;
  readonly lines: readonly string[];
  /** At most 64 bytes come back of it. */
  readonly button?: { readonly text: string; readonly data: string };
}

/** One bot's side of its chats. None of these throws: words that do not arrive stop nothing. */
export interface BotChats {
  /** Answers the message's number; undefined where it was not taken. */
  readonly send: (chatId: string, reply: Reply) => Promise<number | undefined>;
  /** As `send`, but not again where the bot is asked to wait. */
  readonly sendOnce: (chatId: string, reply: Reply) => Promise<void>;
  /** Puts other words in the place of a message. Answers whether they are there. */
  readonly edit: (chatId: string, messageId: number, reply: Reply) => Promise<boolean>;
  /** Every press is answered once, else its button seems to work on. */
  readonly answerPress: (pressId: string, words?: string) => Promise<void>;
}

/** One button: what it does, for whom, and what was seen as it was shown. */
export interface Offer {
  readonly act: Act;
  readonly destinationId: DestinationId;
  readonly userId: UserId;
  readonly chatId: string;
  readonly personId: string;
  /** What was held, where the act depends on it. */
  readonly seen: readonly string[];
}

/** What can be done by a button. Nothing here opens anything, or takes a guard away. */
export type Act =
  | { readonly kind: "flatten"; readonly of: Affected }
  /** Switches the kill switch on. */
  | { readonly kind: "stop"; readonly of: Affected };

export type Affected = "all" | readonly AccountId[];

/** An offer that was taken, and of which nobody has said yet what came of it. */
export interface BegunAct {
  readonly nonce: string;
  readonly offer: Offer;
  readonly messageId: number;
  /** By the store's clock, Unix ms; absent of those that an older version noted. */
  readonly begunAt?: number;
  /** What came of it, once that is known. */
  readonly outcome?: Reply;
}

/** What is kept of bots, for all processes. All of these throw `StoreError`. */
export interface AnswerStore {
  /** Takes the bot, or keeps it, for so long. False: another process has it. */
  readonly hold: (bot: BotId, forMs: number) => Promise<boolean>;
  readonly release: (bot: BotId) => Promise<void>;
  /** The first update that nobody has taken; undefined where that is not known. */
  readonly nextUpdate: (bot: BotId) => Promise<number | undefined>;
  /**
   * Notes that the update is handled here and now. False: it was taken before, or the bot is another
   * process' by now.
   */
  readonly take: (bot: BotId, update: number) => Promise<boolean>;
  readonly offer: (bot: BotId, nonce: string, offer: Offer, forMs: number) => Promise<void>;
  /** In one step: nobody else can begin it, and it is known as begun. Undefined: used, or too old. */
  readonly begin: (
    bot: BotId,
    of: { readonly destinationId: DestinationId; readonly nonce: string },
    messageId: number,
  ) => Promise<Offer | undefined>;
  /** Notes what came of it, until that was said. */
  readonly keepOutcome: (bot: BotId, nonce: string, outcome: Reply) => Promise<void>;
  /** What came of it was said. */
  readonly end: (bot: BotId, nonce: string) => Promise<void>;
  readonly begun: (bot: BotId) => Promise<readonly BegunAct[]>;
}
