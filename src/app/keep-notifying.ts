import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { type DestinationQueue, openDestinationQueue } from "../../queues/destination-queue.ts";
import { type AccountDay, nameOf } from "../domain/calendar/account-day.ts";
import type { DayFigures } from "../domain/notify/event-facts.ts";
import { type AccountId, credentialId, type UserId } from "../domain/ids.ts";
import type { DestinationId } from "../domain/notify/destination.ts";
import type { AccountBook } from "../domain/ledger/account-book.ts";
import { formatMinor } from "../domain/money.ts";
import { withTimeLimit } from "../notify/time-limit.ts";
import type { ChannelDeps } from "../notify/open-channels.ts";
import type { NotifyReading } from "../observability/notify-metrics.ts";
import type { Gateway } from "../trading/gateway.ts";
import { valueAccount } from "../trading/money/value-account.ts";
import { CollectEvents } from "../trading/notify/collect-events.ts";
import { DeliverNotices } from "../trading/notify/deliver-notices.ts";
import type { DestinationUses } from "../trading/notify/destination-uses.ts";
import { createSumUpDay } from "../trading/notify/sum-up-day.ts";
import { createTellAlarms } from "../trading/notify/tell-alarms.ts";
import { Teller } from "../trading/notify/teller.ts";
import { watchStates } from "../trading/notify/watch-states.ts";
import type { Caller } from "../trading/people/caller.ts";
import { StoreError } from "../trading/store-error.ts";
import { composeDestinationUses, openConfiguredChannels } from "./compose-destination-uses.ts";
import { startAnswering } from "./keep-answering.ts";
import { eventIdOf } from "./new-ids.ts";
import type { Foundation } from "./open-foundation.ts";
import type { Stores } from "./open-stores.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Who never answers keeps no other user's states from being looked at. */
const STATES_WITHIN_MS = 20_000;
/** How often it is looked for what is to be told: fills of that time are told together. */
const LOOK_MS = 1_000;

export type ServicePlaces = Pick<ChannelDeps, "bases" | "trusted">;

export interface Notifying {
  readonly uses: DestinationUses;
  /** From now on this process tells, too. */
  readonly start: (gateway: Gateway, lifecycle: Lifecycle) => Promise<void>;
}

/**
 * What tells users what happened. It asks the store over the connection of those who read, and calls
 * receivers in turns of their own: no alert and no lane waits for it.
 */
export async function openNotifying(
  base: Foundation,
  lifecycle: Lifecycle,
  services?: ServicePlaces,
): Promise<Notifying> {
  const { store, keys, reading, patient, secrets, config, log, accounts, alarms } = base;
  const failed = (error: unknown) => {
    const isOfStore = error instanceof StoreError || store.guard.reason !== undefined;
    log[isOfStore ? "debug" : "warn"]("Something is not told yet; it is tried again", { error });
  };
  const opened = openConfiguredChannels(config, services);
  const { channels, telegram } = opened;
  const queue = await openDestinationQueue({
    redis: store.worker,
    prefix: keys.destinationQueue,
    onError: failed,
  });
  lifecycle.started("the queue of destinations", queue.close);
  const { destinations, notices, outbox } = reading;
  alarms.listen(
    createTellAlarms({
      now: base.now,
      note: (accountId, event) => {
        const noted =
          accountId === undefined
            ? Promise.all(
                [...everybody(base)].map(async (user) => {
                  await patient.outbox.noteUser(user, event);
                }),
              )
            : patient.outbox.note(accountId, event);
        noted.catch((error: unknown) => log.error("An alarm is not told", { error }));
      },
    }),
  );
  return {
    uses: composeDestinationUses({ ...reading, accounts, secrets, opened, queue }),
    start: async (gateway, started) => {
      const deliver = new DeliverNotices({
        destinations,
        notices,
        channels,
        secrets,
        now: reading.intents.now,
        pause: async (ms, signal) => {
          await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
        },
        chance: Math.random,
        noteUser: async ({ destination: { userId } }, event) =>
          await outbox.noteUser(userId, event),
        observer: {
          attempted: (kind, result) => base.metrics.notificationAttempted(kind, result),
          failed: (error) => log.error("An event cannot be told there", { error }),
          givenUp: (kind, count) => {
            for (let n = 0; n < count; n += 1) base.metrics.notificationGivenUp(kind);
          },
          disabled: ({ destination: { id } }, reason) =>
            log.warn("A destination was switched off", { destinationId: id, reason }),
        },
      });
      await queue.work(async (id, signal) => await deliver.turn(id, signal));
      await startTeller(base, { gateway, queue, failed }, started);
      startAnswering(base, { gateway, telegram, ring: queue.ring }, started);
    },
  };
}

/** Whom an alarm is told that is of no account. */
const everybody = ({ accounts, user }: Foundation): ReadonlySet<UserId> =>
  new Set([user.userId, ...[...accounts.all()].map(({ userId }) => userId)]);

async function startTeller(
  base: Foundation,
  {
    gateway,
    queue,
    failed,
  }: {
    readonly gateway: Pick<Gateway, "readStanding">;
    readonly queue: DestinationQueue;
    readonly failed: (error: unknown) => void;
  },
  lifecycle: Lifecycle,
): Promise<void> {
  const { reading, accounts, describe, expectedFee, changes, store, now, log } = base;
  const figuresOf = (book: AccountBook, day: AccountDay): readonly DayFigures[] => {
    const quote = () => undefined;
    const { figures } = valueAccount(book, { describe, day: nameOf(day), expectedFee, quote });
    return figures.flatMap(({ currency, realizedPnl, fees, closed }) => {
      if (realizedPnl === undefined || fees === undefined || currency === "") return [];
      if (closed === undefined) return [];
      const net = formatMinor(closed, currency);
      return [{ currency, net, fees: formatMinor(fees, currency) }];
    });
  };
  const onError = (error: unknown) => {
    if (error instanceof StoreError) failed(error);
    else log.error("An event cannot be told", { error });
  };
  const dayFigures = (account: AccountId, book: AccountBook) =>
    figuresOf(book, accounts.dayAt(account, now()));
  const dayOf = (account: AccountId, at: number) => nameOf(accounts.dayAt(account, at));
  const days = { dayOf, dayFigures };
  const shared = { ...reading, ...days, accounts, describe, eventId: eventIdOf, onError };
  const stopping = new AbortController();
  const collect = new CollectEvents({ ...shared, ring: ringSoon(queue.ring, failed) });
  const teller = new Teller({
    ...shared,
    lease: reading.teller,
    collect,
    watchStates: async (user) => {
      const readStanding = async () => await gateway.readStanding(callerOf(user));
      const connectionOf = (account: AccountId) => accounts.find(account)?.connectionId;
      const deps = { ...shared, readStanding, connectionOf, now: reading.intents.now };
      const limit = { signal: stopping.signal, limitMs: STATES_WITHIN_MS };
      const stopped = await withTimeLimit(limit, async () => await watchStates(deps, user));
      if (stopped?.stoppedBy === "limit") throw new Error("Nobody said in time what stands");
    },
    tellSummary: createSumUpDay({ ...shared, collect, figuresOf }),
    pause: async (ms) => await sleep(ms, undefined, { ref: false }),
    isWell: () => store.guard.reason === undefined,
    ring: queue.ring,
  });
  const stopHearing = await changes.listen((of) => teller.hear(of));
  let [looking, watching]: (Promise<void> | undefined)[] = [];
  const timer = setInterval(
    () => {
      looking ??= teller
        .look()
        .catch(failed)
        .finally(() => (looking = undefined));
      watching ??= teller
        .watch()
        .catch(failed)
        .finally(() => (watching = undefined));
    },
    LOOK_MS + randomInt(50),
  ).unref();
  lifecycle.started("the look for what is to be told", async () => {
    clearInterval(timer);
    stopping.abort();
    stopHearing();
    await Promise.all([looking, watching]);
  });
}

/** Many accounts' events are put within a moment: the destination is rung for once for all of them. */
const RING_AFTER_MS = 100;

function ringSoon(
  ring: DestinationQueue["ring"],
  onError: (error: unknown) => void,
): DestinationQueue["ring"] {
  const soon = new Set<DestinationId>();
  return async (id) => {
    if (soon.has(id)) return;
    soon.add(id);
    setTimeout(() => {
      soon.delete(id);
      ring(id).catch(onError);
    }, RING_AFTER_MS).unref();
  };
}

/** The gateway looks for the user, as they would themselves. */
const callerOf = (userId: UserId): Caller => ({
  userId,
  credentialId: credentialId("gateway"),
  scopes: ["read"],
  receivedAt: Date.now(),
  requestId: "notify",
});

/** What destinations have not been told, for a scrape. */
export async function readNotifying(
  { destinations, notices }: Pick<Stores, "destinations" | "notices">,
  now: number,
): Promise<NotifyReading> {
  const all = await destinations.all();
  const sums = { waiting: 0, undelivered: 0, disabled: 0, oldestDueSeconds: 0 };
  for (const { destination } of all) {
    const { waiting, undelivered } = await notices.state(destination.id);
    const [first] = await notices.due(destination.id, { by: now, limit: 1 });
    sums.waiting += waiting;
    sums.undelivered += undelivered;
    if (destination.disabled !== undefined) sums.disabled += 1;
    const waited = first === undefined ? 0 : (now - first.firstDueAt) / 1_000;
    sums.oldestDueSeconds = Math.max(sums.oldestDueSeconds, waited);
  }
  return sums;
}
