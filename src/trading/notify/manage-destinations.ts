import {
  CHANNEL_KINDS,
  type ChannelKind,
  type Destination,
  type DestinationId,
} from "../../domain/notify/destination.ts";
import type { GatewayEvent } from "../../domain/notify/event.ts";
import { lastDue } from "../../domain/notify/routing.ts";
import type { UserId } from "../../domain/ids.ts";
import { errors, type Problem } from "../../errors.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import { secretsLeftBehind, type SentTo } from "../../domain/moved-secrets.ts";
import type { SecretBox } from "../connections/ports.ts";
import type { Caller } from "../people/caller.ts";
import { readIdCursor, writeIdCursor } from "../reads/page-cursor.ts";
import type { IntentStore } from "../orders/ports.ts";
import {
  openSettings,
  sealSettings,
  shownSettings,
  SIGNING_SECRET,
} from "./destination-secrets.ts";
import type { DestinationStore, NoticeQueue, StoredDestination } from "./destination-store.ts";
import type { DestinationTerms, DestinationUses, DestinationView } from "./destination-uses.ts";
import { newsOf } from "./operator-news.ts";
import type { Outbox } from "./outbox.ts";
import type { Channels } from "./ports.ts";

export interface DestinationUsesDeps {
  readonly destinations: DestinationStore;
  readonly notices: NoticeQueue;
  readonly outbox: Pick<Outbox, "states" | "saveStates" | "forgetStates">;
  readonly accounts: Pick<AccountDirectory, "find">;
  readonly intents: Pick<IntentStore, "now">;
  readonly secrets: SecretBox;
  readonly channels: Channels;
  /** Why an address may not be called, in words; undefined where it may be. */
  readonly whyForbidden: (kind: ChannelKind, settings: Plain) => Promise<Problem | undefined>;
  readonly newDestinationId: () => DestinationId;
  /** `whsec_` and 32 random bytes. */
  readonly newSigningSecret: () => string;
  readonly newLinkCode: () => { readonly code: string; readonly hash: string };
  readonly ring: (id: DestinationId) => Promise<void>;
  /** Does not change when the system's clock is set, ms. */
  readonly elapsed: () => number;
}

type Plain = Readonly<Record<string, string | number>>;

/** Of one user. Each costs a few requests a second at worst. */
const MOST_DESTINATIONS = 10;
const FORMER_SECRET_MS = 24 * 60 * 60_000;
/** As many signatures fit in a header that receivers take. */
const MOST_SECRETS = 10;
const LINK_MS = 10 * 60_000;
const TEST_WITHIN_MS = 15_000;

/** A heartbeat tells nothing but that the gateway is alive. */
const tellsWhatStands = ({ destination: { kind, disabled } }: StoredDestination): boolean =>
  kind !== "heartbeat" && disabled === undefined;

/** What a user may ask of where they are told what happens. */
export function createDestinationUses(deps: DestinationUsesDeps): DestinationUses {
  const { destinations, notices, outbox, secrets, channels, intents, ring } = deps;

  async function require(userId: UserId, id: DestinationId): Promise<StoredDestination> {
    const stored = await destinations.find(id);
    if (stored === undefined || stored.destination.userId !== userId) {
      throw errors.notFound("destination");
    }
    return stored;
  }

  async function view(stored: StoredDestination): Promise<DestinationView> {
    const { destination, settings } = stored;
    const { failingSince: _, refusals: _refusals, ...state } = await notices.state(destination.id);
    const isLinked = settings["chatId"] !== undefined;
    return {
      ...destination,
      settings: shownSettings(stored),
      state,
      ...(destination.kind === "telegram" && { isLinked }),
    };
  }

  async function change(
    stored: StoredDestination,
    how: (one: StoredDestination) => StoredDestination,
  ): Promise<StoredDestination> {
    const changed = await destinations.change(stored.destination.id, how);
    if (changed === undefined) throw errors.notFound("destination");
    return changed;
  }

  return {
    createDestination: async (caller, { kind, settings, ...terms }) => {
      const { userId, receivedAt } = caller;
      if (terms.answers === true) requireAsking(caller);
      const own = (await destinations.all()).filter((one) => one.destination.userId === userId);
      if (own.length >= MOST_DESTINATIONS) {
        throw errors.tooMany("TOO_MANY_DESTINATIONS", MOST_DESTINATIONS);
      }
      await check(deps, userId, kind, terms, settings as unknown as Plain);
      const destination: Destination = {
        ...defined(terms),
        id: deps.newDestinationId(),
        userId,
        kind,
        createdAt: receivedAt,
      };
      const sealed = await sealSettings(secrets, destination, settings as unknown as Plain);
      const secret = kind === "webhook" ? deps.newSigningSecret() : undefined;
      const signing =
        secret === undefined
          ? []
          : [{ sealed: await secrets.seal(destination.id, SIGNING_SECRET, secret) }];
      const stored = {
        destination,
        settings: sealed,
        secrets: signing,
        ...summedUpTo(destination, receivedAt),
      };
      // What stands is told to the first one, although it was told to others that are gone.
      if (!own.some(tellsWhatStands)) await outbox.forgetStates(userId);
      await destinations.add(stored);
      return { destination: await view(stored), ...(secret !== undefined && { secret }) };
    },

    listDestinations: async ({ userId }) => {
      const all = await destinations.all();
      return await Promise.all(all.filter((one) => one.destination.userId === userId).map(view));
    },

    findDestination: async ({ userId }, id) => await view(await require(userId, id)),

    changeDestination: async (caller, id, { settings, enabled, ...changed }) => {
      const { userId } = caller;
      if (changed.answers === true) requireAsking(caller);
      const stored = await require(userId, id);
      const { kind } = stored.destination;
      const terms = merged(stored.destination, changed);
      const given = defined(settings ?? {}) as Plain;
      // Where it lies may be said by several of them, of which one changed.
      const whole = settings === undefined ? undefined : { ...stored.settings, ...given };
      requireMovedSecrets(stored, settings ?? {});
      await check(deps, userId, kind, { ...terms, rules: changed.rules ?? [] }, whole);
      const sealed = await sealSettings(secrets, stored.destination, given);
      const removed = Object.entries(settings ?? {}).flatMap(([name, value]) =>
        value === null ? [name] : [],
      );
      if (enabled === true) await notices.forgetFailures(id);
      const after = await change(stored, (one) => {
        const { disabled, ...destination } = merged(one.destination, changed);
        const isOff = disabled !== undefined && enabled !== true;
        const { settings: former, ...rest } = withoutFormerChat(one, settings ?? {});
        const all = Object.entries({ ...former, ...sealed });
        const isSummaryNew = changed.summary !== undefined;
        return {
          ...rest,
          ...(isSummaryNew && summedUpTo(destination, caller.receivedAt, one)),
          destination: { ...destination, ...(isOff && { disabled }) },
          settings: Object.fromEntries(all.filter(([name]) => !removed.includes(name))),
        };
      });
      await ring(id);
      return await view(after);
    },

    deleteDestination: async ({ userId }, id) => {
      await require(userId, id);
      await destinations.remove(id);
    },

    rotateSecret: async ({ userId, receivedAt }, id) => {
      const stored = await require(userId, id);
      if (stored.destination.kind !== "webhook") {
        throw refused("kind", "only signed webhooks have a secret of ours");
      }
      const secret = deps.newSigningSecret();
      const sealed = await secrets.seal(id, SIGNING_SECRET, secret);
      const formerUntil = receivedAt + FORMER_SECRET_MS;
      await change(stored, (one) => {
        // A receiver that was promised a day has it, whatever secrets are made in it.
        const former = one.secrets
          .filter(({ until }) => until === undefined || until > receivedAt)
          .map((secret) => ({ until: formerUntil, ...secret }));
        return { ...one, secrets: [{ sealed }, ...former].slice(0, MOST_SECRETS) };
      });
      return { secret, formerUntil };
    },

    testDestination: async ({ userId, receivedAt, requestId }, id) => {
      const stored = await require(userId, id);
      const started = deps.elapsed();
      const opened = await openSettings(secrets, stored, receivedAt);
      const delivery =
        opened.kind === "unreadable"
          ? ({ kind: "failed", reason: opened.reason } as const)
          : await channels[stored.destination.kind].send(
              { event: sampleOf(stored, receivedAt, requestId), count: 1, isSilent: false },
              opened.settings,
              { signal: AbortSignal.timeout(TEST_WITHIN_MS) },
            );
      return {
        isDelivered: delivery.kind === "delivered",
        ms: Math.round(deps.elapsed() - started),
        ...(delivery.status !== undefined && { status: delivery.status }),
        ...(delivery.kind !== "delivered" && { reason: delivery.reason }),
      };
    },

    listUndelivered: async ({ userId }, id, { limit, cursor }) => {
      await require(userId, id);
      const list = `undelivered ${id}`;
      const after = cursor === undefined ? undefined : readIdCursor(list, cursor);
      const { items, next } = await notices.undelivered(id, {
        limit,
        ...(after !== undefined && { after }),
      });
      return { items, ...(next !== undefined && { nextCursor: writeIdCursor(list, next) }) };
    },

    replayUndelivered: async ({ userId }, id, events) => {
      const { destination } = await require(userId, id);
      if (destination.disabled !== undefined) {
        throw refused("id", "the destination is switched off: switch it on first");
      }
      const count = await notices.replay(id, await intents.now(), events);
      await ring(id);
      return count;
    },

    discardUndelivered: async ({ userId }, id, events) => {
      await require(userId, id);
      return await notices.discard(id, events);
    },

    linkDestination: async (caller, id) => {
      const { userId, receivedAt } = caller;
      const stored = await require(userId, id);
      if (stored.destination.kind !== "telegram") {
        throw refused("kind", "only Telegram is linked by a code");
      }
      const { code, hash } = deps.newLinkCode();
      const until = receivedAt + LINK_MS;
      const link = { hash, until, ...(mayAsk(caller) && { mayAsk: true as const }) };
      await change(stored, (one) => ({ ...one, link }));
      return { code, until };
    },

    tellOperatorAlarms: async ({ userId, receivedAt }, alarms) => {
      for (let isSaved = false; !isSaved;) {
        const standing = await outbox.states(userId);
        const { changes, events } = newsOf(alarms, standing, receivedAt);
        isSaved = events.length === 0 || (await outbox.saveStates(userId, changes, events));
      }
    },
  };
}

const refused = (path: string, message: string) => errors.validationFailed([{ path, message }]);

/** What a bot is asked for: a key that only looks after destinations must not get there by one. */
const ASKING = ["read", "trade"] as const;

const mayAsk = ({ scopes }: Caller): boolean => ASKING.every((scope) => scopes.includes(scope));

function requireAsking({ scopes }: Caller): void {
  const lacking = ASKING.find((scope) => !scopes.includes(scope));
  if (lacking !== undefined) throw errors.insufficientScope(lacking, "Answering by Telegram");
}

async function check(
  { accounts, whyForbidden }: Pick<DestinationUsesDeps, "accounts" | "whyForbidden">,
  userId: UserId,
  kind: ChannelKind,
  { rules, answers }: Pick<DestinationTerms, "rules" | "answers">,
  settings: Plain | undefined,
): Promise<void> {
  if (!CHANNEL_KINDS.includes(kind)) throw refused("kind", "is not known");
  if (answers === true && kind !== "telegram") {
    throw refused("answers", "only Telegram can be answered");
  }
  const foreign = rules.flatMap(({ accounts: named = [] }, n) =>
    named
      .filter((account) => accounts.find(account)?.userId !== userId)
      .map((account) => ({
        path: `rules.${n}.accounts`,
        message: `${account} is no account of yours`,
      })),
  );
  const forbidden = settings && (await whyForbidden(kind, settings));
  const problems = [...foreign, ...(forbidden === undefined ? [] : [forbidden])];
  if (problems.length > 0) throw errors.validationFailed(problems);
}

/** A day that was over as summaries were asked for is not summed up. Another time of day leaves out no day. */
const summedUpTo = (
  { summary }: Pick<Destination, "summary">,
  now: number,
  former?: StoredDestination,
) =>
  summary === undefined
    ? {}
    : {
        summedUp: lastDue(summary, now).date,
        summedUpTo: (former?.destination.summary && former.summedUpTo) ?? now,
      };

/** What says where a destination lies, and the secrets that are sent there. */
const LIES_AT: Readonly<Partial<Record<ChannelKind, readonly SentTo[]>>> = {
  ntfy: [
    ["server", "topic"],
    ["server", "token"],
  ],
  email: [
    ["host", "password"],
    ["port", "password"],
    ["user", "password"],
  ],
};

function requireMovedSecrets(
  { destination: { kind }, settings }: StoredDestination,
  change: Readonly<Record<string, unknown>>,
): void {
  const kept = { settings, secrets: Object.keys(settings) };
  const problems = secretsLeftBehind(LIES_AT[kind] ?? [], kept, change);
  if (problems.length > 0) throw errors.validationFailed(problems);
}

/** Another bot is another chat, and in another chat is somebody else, who is linked anew. */
function withoutFormerChat(one: StoredDestination, changed: object): StoredDestination {
  if (one.destination.kind !== "telegram") return one;
  const isBotNew = "botToken" in changed;
  if (!isBotNew && !("chatId" in changed)) return one;
  const { person: _, link, ...rest } = one;
  const { chatId: __, ...settings } = one.settings;
  return isBotNew ? { ...rest, settings } : { ...rest, ...(link !== undefined && { link }) };
}

/** Null takes a term away; what is undefined changes nothing. */
function merged(destination: Destination, changed: object): Destination {
  const given = Object.entries(changed).filter(([, value]) => value !== undefined);
  return defined({ ...destination, ...Object.fromEntries(given) });
}

function defined<Terms extends object>(terms: Terms): Terms {
  const kept = Object.entries(terms).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(kept) as Terms;
}

function sampleOf(
  { destination: { id, name, userId } }: StoredDestination,
  at: number,
  requestId: string,
): GatewayEvent {
  return {
    id: `test_${requestId.replaceAll(/[^\w-]/g, "")}`,
    type: "destination.tested",
    userId,
    at,
    severity: "info",
    message: `This is a test of "${name}". Nothing has happened`,
    facts: { destinationId: id, name },
  };
}
