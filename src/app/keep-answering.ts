import { setTimeout as sleep } from "node:timers/promises";
import type { DestinationId } from "../domain/notify/destination.ts";
import type { TelegramApi } from "../notify/telegram-api.ts";
import { createBotChats } from "../notify/telegram-chats.ts";
import { TelegramPoller } from "../notify/telegram-poller.ts";
import type { Logger } from "../observability/logger.ts";
import { BotAnswers } from "../trading/answering/answer-bot.ts";
import { isListening } from "../trading/answering/who-asks.ts";
import type { BotId } from "../trading/answering/ports.ts";
import type { Gateway } from "../trading/gateway.ts";
import { openSettings } from "../trading/notify/destination-secrets.ts";
import type { StoredDestination } from "../trading/notify/destination-store.ts";
import { StoreError } from "../trading/store-error.ts";
import { BotPollers } from "./bot-pollers.ts";
import { botIdOf, isLinkHashOf, newNonce } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** How often it is looked for bots that are to be asked, and for those that no longer are. */
const LOOK_MS = 2_000;
const MOST_BOTS = 200;
const MOST_TOKENS = 1_000;

interface Bot {
  readonly id: BotId;
  readonly token: string;
}

interface AnsweringParts {
  readonly gateway: Gateway;
  readonly telegram: TelegramApi;
  readonly ring: (id: DestinationId) => Promise<void>;
}

/**
 * Asks the bots of destinations that wait for a link or answer their person, and nobody else. It has
 * calls and turns of its own: no alert and no notice waits for it.
 */
export function startAnswering(
  base: Foundation,
  { gateway, telegram, ring }: AnsweringParts,
  lifecycle: Lifecycle,
): void {
  const { reading, accounts, describe, secrets, log } = base;
  const { now } = reading.intents;
  const botOf = createBotOf(base);
  const failed = (error: unknown) => {
    const level = error instanceof StoreError ? "debug" : "warn";
    log[level]("A bot was not asked, or not answered, as it should be", { error });
  };
  const ignored = onceForEachBot(log, "Somebody who is not linked wrote to a bot, and was ignored");
  const answers = new BotAnswers({
    gateway,
    describe,
    accounts,
    secrets,
    ring,
    now,
    newNonce,
    pause,
    destinations: reading.destinations,
    views: reading.views,
    store: reading.answers,
    isHashOf: isLinkHashOf,
    botOf: async (stored) => (await botOf(stored))?.id,
    audit: (message, { userId, credentialId, requestId }, accountId) =>
      log.warn(message, { userId, credentialId, requestId, accountId, reason: "By Telegram" }),
    observer: {
      ignored,
      linked: ({ destination: { id: destinationId, userId } }) =>
        log.warn("A chat was linked to a destination", { destinationId, userId }),
      failed,
    },
  });
  const pollers = new BotPollers<Bot>({
    pollerOf,
    most: MOST_BOTS,
    tooMany: once(() => log.warn(`There are more bots than the ${MOST_BOTS} that are asked`)),
    failed,
  });

  async function look(): Promise<void> {
    const [all, at] = await Promise.all([reading.destinations.all(), now()]);
    const found = await Promise.all(all.filter((one) => isListening(one, at)).map(botOf));
    pollers.ask(found.filter((bot) => bot !== undefined));
  }

  function pollerOf({ id: bot, token: botToken }: Bot): TelegramPoller {
    const chats = createBotChats({ api: telegram, botToken, pause });
    return new TelegramPoller({
      bot,
      botToken,
      api: telegram,
      store: reading.answers,
      handle: async (incoming, update) =>
        await answers.handle({ bot, chats, requestId: `telegram-${update}` }, incoming),
      tellLeft: async () => await answers.tellLeft({ bot, chats }),
      observer: {
        conflict: once(() =>
          log.warn("Another program asks a bot of a destination, or has set a webhook for it"),
        ),
        tokenRefused: once(() => log.warn("Telegram does not know the token of a destination")),
        skipped: () => log.warn("A message to a bot was too long to be read, and was left out"),
        failed,
      },
    });
  }

  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look()
      .catch(failed)
      .finally(() => (looking = undefined));
  }, LOOK_MS).unref();
  lifecycle.started("the answers of bots", async () => {
    clearInterval(timer);
    await looking;
    await pollers.stop();
  });
}

const pause = async (ms: number): Promise<void> => await sleep(ms, undefined, { ref: false });

/** Which bot a destination's token is of. A token is opened once. */
function createBotOf({ secrets }: Pick<Foundation, "secrets">) {
  const known = new Map<string, Promise<Bot | undefined>>();
  return async (stored: StoredDestination): Promise<Bot | undefined> => {
    if (stored.destination.kind !== "telegram") return undefined;
    const sealed = String(stored.settings["botToken"]);
    const found = known.get(sealed) ?? open(stored);
    if (known.size >= MOST_TOKENS) known.clear();
    known.set(sealed, found);
    const bot = await found.catch(() => undefined);
    // It may open once the key is there.
    if (bot === undefined) known.delete(sealed);
    return bot;
  };

  async function open(stored: StoredDestination): Promise<Bot | undefined> {
    const opened = await openSettings(secrets, stored, 0);
    if (opened.kind !== "opened" || opened.settings.kind !== "telegram") return undefined;
    const { botToken: token } = opened.settings.settings;
    return { id: botIdOf(token), token };
  }
}

/** Strangers decide how often it happens. */
function onceForEachBot(log: Logger, message: string): (bot: BotId) => void {
  const told = new Set<BotId>();
  return (bot) => {
    if (told.has(bot) || told.size >= MOST_TOKENS) return;
    told.add(bot);
    log.info(message);
  };
}

function once(run: () => void): () => void {
  let isDone = false;
  return () => {
    if (!isDone) run();
    isDone = true;
  };
}
