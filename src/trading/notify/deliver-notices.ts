import {
  isRefusedThroughout,
  isToBeDisabled,
  mostAgeOf,
  nextAttemptIn,
  pauseAfter,
} from "../../domain/notify/attempts.ts";
import type { ChannelKind, DestinationId } from "../../domain/notify/destination.ts";
import type { SecretBox } from "../connections/ports.ts";
import type {
  DestinationStore,
  DueNotice,
  Failure,
  NoticeQueue,
  StoredDestination,
} from "./destination-store.ts";
import { openSettings } from "./destination-secrets.ts";
import type { EventDraft } from "./outbox.ts";
import type { Channels, Delivery } from "./ports.ts";

export interface DeliverNoticesDeps {
  readonly destinations: Pick<DestinationStore, "find" | "change" | "remove">;
  readonly notices: NoticeQueue;
  readonly channels: Channels;
  readonly secrets: Pick<SecretBox, "open">;
  /** The store's clock, Unix ms. */
  readonly now: () => Promise<number>;
  readonly pause: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Between 0 and 1. */
  readonly chance: () => number;
  /** Tells the user, by the other destinations. */
  readonly noteUser: (stored: StoredDestination, event: EventDraft) => Promise<void>;
  readonly observer: DeliveryObserver;
}

export interface DeliveryObserver {
  readonly attempted: (kind: ChannelKind, result: Delivery["kind"]) => void;
  readonly failed: (error: unknown) => void;
  readonly givenUp: (kind: ChannelKind, count: number) => void;
  readonly disabled: (stored: StoredDestination, reason: string) => void;
}

/** Equal events are told as one for so long after the first one. */
const FOLD_MS = 60_000;
/** So many are looked at for equal ones. */
const LOOKED_AT = 200;
/** Of a channel that asks for no longer gap between two messages, so many are told before it is looked again. */
const TOLD_AT_ONCE = 50;
const LONG_GAP_MS = 200;
/** Then others get a turn. */
const TURN_MS = 20_000;
/** Whatever keeps something from being due, it is not looked for without end. */
const LEAST_WAIT_MS = 50;
const TOO_OLD = "It could not be told in time";

/**
 * Tells one destination what is due, one message after another, for a turn. Answers in how many ms to go
 * on; undefined where nothing waits. One destination has one turn at a time; should two overlap, as
 * after a process was frozen, something is told twice, under one id.
 */
export class DeliverNotices {
  readonly #deps: DeliverNoticesDeps;

  constructor(deps: DeliverNoticesDeps) {
    this.#deps = deps;
  }

  async turn(id: DestinationId, signal: AbortSignal): Promise<number | undefined> {
    const { destinations, notices, secrets, now } = this.#deps;
    const begun = await now();
    for (;;) {
      const stored = await destinations.find(id);
      if (stored === undefined) {
        // What was written while it was removed.
        await destinations.remove(id);
        return undefined;
      }
      const { pausedUntil = 0 } = await notices.state(id);
      const at = await now();
      if (stored.destination.disabled !== undefined) {
        await this.#giveUpAll(stored, at);
        return undefined;
      }
      if (pausedUntil > at) return pausedUntil - at;
      const due = await notices.due(id, { by: at, limit: LOOKED_AT });
      const fresh = await this.#dropOld(stored, due, at);
      if (fresh.length === 0) {
        if (due.length > 0) continue;
        const next = await notices.nextDueAt(id);
        return next === undefined ? undefined : Math.max(next - at, LEAST_WAIT_MS);
      }
      if (signal.aborted || at - begun > TURN_MS) return LEAST_WAIT_MS;
      await this.#tellSome(
        { stored, opened: await openSettings(secrets, stored, at) },
        fresh,
        signal,
      );
    }
  }

  /** Where there is a wait between two of them, only the first: what is critical may come meanwhile. */
  async #tellSome(
    to: OpenedDestination,
    due: readonly DueNotice[],
    signal: AbortSignal,
  ): Promise<void> {
    const { channels, pause } = this.#deps;
    const { gapMs } = channels[to.stored.destination.kind];
    const groups = foldedTogether(due);
    const some = groups.slice(0, gapMs < LONG_GAP_MS ? TOLD_AT_ONCE : 1);
    for (const together of some) {
      const [first] = together;
      if (first === undefined || signal.aborted) return;
      const isTold = await this.#attempt(to, first, together, signal);
      if (!isTold) return;
      await pause(gapMs, signal);
    }
  }

  /** Answers whether it was taken. */
  async #attempt(
    to: OpenedDestination,
    first: DueNotice,
    together: readonly DueNotice[],
    signal: AbortSignal,
  ): Promise<boolean> {
    const { notices, now } = this.#deps;
    const { stored } = to;
    const { id } = stored.destination;
    const notice = { event: first.event, count: together.length, isSilent: first.isSilent };
    const delivery = await this.#send(to, notice, signal);
    // What a stop broke off is no failure of the receiver.
    if (delivery.kind !== "delivered" && signal.aborted) return false;
    const at = await now();
    if (delivery.kind === "delivered") {
      await notices.told(id, together, at, FOLD_MS);
      return true;
    }
    const failure = {
      at,
      reason: delivery.reason,
      ...(delivery.status !== undefined && { status: delivery.status }),
    };
    const tried = together.map((notice) => ({ ...notice, attempts: notice.attempts + 1 }));
    switch (delivery.kind) {
      case "unacceptable": {
        await notices.failed(id, [], { ...failure, pausedUntil: at, isRefusal: true });
        await this.#giveUp(stored, tried, failure);
        const { refusals } = await notices.state(id);
        if (isRefusedThroughout(refusals)) await this.#disable(stored, delivery.reason, at);
        break;
      }
      case "gone":
        await notices.failed(id, [], { ...failure, pausedUntil: at });
        await this.#giveUp(stored, tried, failure);
        await this.#disable(stored, delivery.reason, at);
        break;
      case "failed":
        await this.#failed(stored, tried, failure, delivery.retryAfterMs);
    }
    return false;
  }

  async #send(
    { stored, opened }: OpenedDestination,
    notice: Parameters<Channels[ChannelKind]["send"]>[0],
    signal: AbortSignal,
  ): Promise<Delivery> {
    const { channels, observer } = this.#deps;
    const { kind } = stored.destination;
    const delivery =
      opened.kind === "unreadable"
        ? ({ kind: "failed", reason: opened.reason } as const)
        : await channels[kind]
            .send(notice, opened.settings, { signal })
            .catch((error: unknown) => this.#cannotTell(error));
    observer.attempted(kind, delivery.kind);
    return delivery;
  }

  /** A mistake of ours: the next one may be told. */
  #cannotTell(error: unknown): Delivery {
    this.#deps.observer.failed(error);
    return { kind: "unacceptable", reason: "The gateway could not make this message" };
  }

  /** It is tried again in a while, and until then nothing else is, or it is given up. */
  async #failed(
    stored: StoredDestination,
    tried: readonly DueNotice[],
    failure: Failure,
    retryAfterMs: number | undefined,
  ): Promise<void> {
    const { notices, chance } = this.#deps;
    const { id, kind, inOrder } = stored.destination;
    const { failures, failingSince = failure.at } = await notices.state(id);
    const waits = tried.map(({ event: { severity }, attempts }) =>
      nextAttemptIn({ kind, severity, attempts }, retryAfterMs, chance()),
    );
    // In order: it stays the first one, and all others wait with it.
    const again = tried.flatMap((notice, n): DueNotice[] => {
      const wait = waits[n];
      if (wait === undefined) return [];
      return [inOrder ? notice : { ...notice, dueAt: failure.at + wait }];
    });
    const ownWait = inOrder ? (waits[0] ?? 0) : 0;
    const pauseMs = Math.max(pauseAfter(kind, failures + 1, retryAfterMs), ownWait);
    await notices.failed(id, again, { ...failure, pausedUntil: failure.at + pauseMs });
    const over = tried.filter((_, n) => waits[n] === undefined);
    if (over.length > 0) await this.#giveUp(stored, over, failure);
    if (isToBeDisabled(failures + 1, failure.at - failingSince)) {
      await this.#disable(stored, `It took nothing for a day: ${failure.reason}`, failure.at);
    }
  }

  async #dropOld(
    stored: StoredDestination,
    due: readonly DueNotice[],
    at: number,
  ): Promise<readonly DueNotice[]> {
    const { kind } = stored.destination;
    const isOld = ({ event: { severity }, firstDueAt }: DueNotice) =>
      at - firstDueAt > mostAgeOf(kind, severity);
    const old = due.filter(isOld);
    if (old.length === 0) return due;
    const { failure } = await this.#deps.notices.state(stored.destination.id);
    const reason = failure === undefined ? TOO_OLD : `${TOO_OLD}: ${failure.reason}`;
    await this.#giveUp(stored, old, { at, reason });
    return due.filter((notice) => !isOld(notice));
  }

  async #giveUpAll(stored: StoredDestination, at: number): Promise<void> {
    const { notices } = this.#deps;
    const { id, disabled } = stored.destination;
    const reason = `The destination is switched off: ${disabled?.reason ?? ""}`;
    for (;;) {
      const left = await notices.due(id, { by: Number.MAX_SAFE_INTEGER, limit: LOOKED_AT });
      if (left.length === 0) return;
      await this.#giveUp(stored, left, { at, reason });
    }
  }

  async #giveUp(
    { destination: { id, kind } }: StoredDestination,
    lost: readonly DueNotice[],
    failure: Failure,
  ): Promise<void> {
    // Of a minute that is over nobody wants to know.
    const isKept = kind !== "heartbeat";
    await this.#deps.notices.giveUp(id, lost, { ...failure, isKept });
    this.#deps.observer.givenUp(kind, lost.length);
  }

  async #disable(stored: StoredDestination, reason: string, at: number): Promise<void> {
    const { destinations, noteUser, observer } = this.#deps;
    const { id, name } = stored.destination;
    await noteUser(stored, {
      type: "destination.disabled",
      severity: "warning",
      message: `The destination "${name}" was switched off: ${reason}`,
      advice:
        "Correct it on the page Notifications and switch it on again; what it missed can be sent again",
      facts: { destinationId: id, name },
    });
    await destinations.change(id, (one) => {
      if (one.destination.disabled !== undefined) return undefined;
      return { ...one, destination: { ...one.destination, disabled: { reason, at } } };
    });
    observer.disabled(stored, reason);
  }
}

/** With its secrets in plain text, for one part of a turn. */
interface OpenedDestination {
  readonly stored: StoredDestination;
  readonly opened: Awaited<ReturnType<typeof openSettings>>;
}

/** In their order, each with all that are to be told as one with it. */
function foldedTogether(due: readonly DueNotice[]): readonly (readonly DueNotice[])[] {
  const groups: DueNotice[][] = [];
  const byFold = new Map<string, DueNotice[]>();
  for (const notice of due) {
    const known = notice.foldKey === undefined ? undefined : byFold.get(notice.foldKey);
    if (known !== undefined) {
      known.push(notice);
      continue;
    }
    const group = [notice];
    groups.push(group);
    if (notice.foldKey !== undefined) byFold.set(notice.foldKey, group);
  }
  return groups;
}
