import type { Destination, DestinationId } from "../../domain/notify/destination.ts";
import type { GatewayEvent } from "../../domain/notify/event.ts";
import type { DayFigures } from "../../domain/notify/event-facts.ts";
import { hideNumbers, numbersOf } from "../../domain/notify/message.ts";
import { routeOf } from "../../domain/notify/routing.ts";
import type { AccountId, UserId } from "../../domain/ids.ts";
import type { AccountBook } from "../../domain/ledger/account-book.ts";
import type { AlertLog } from "../alerts/alert-log.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { PlacedEntry } from "../../domain/ledger/ledger-entry.ts";
import type { Ledger } from "../money/ports.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { IntentStore } from "../orders/ports.ts";
import { StoreError } from "../store-error.ts";
import { eventOfAlert } from "./event-of-alert.ts";
import { eventOfIntent } from "./event-of-intent.ts";
import { eventsOfFills } from "./events-of-fills.ts";
import type { NoticeQueue } from "./destination-store.ts";
import type { EventDraft, Outbox, OutboxLine } from "./outbox.ts";

export interface CollectEventsDeps {
  readonly outbox: Outbox;
  readonly notices: Pick<NoticeQueue, "put" | "giveUp">;
  readonly intents: Pick<IntentStore, "find" | "now">;
  readonly alerts: Pick<AlertLog, "find">;
  readonly ledger: Pick<Ledger, "book">;
  readonly accounts: Pick<AccountDirectory, "find" | "of">;
  readonly describe: DescribeContract;
  /** The day (ISO) of an account that an instant belongs to. */
  readonly dayOf: (account: AccountId, at: number) => string;
  /** The figures of an account on the day that goes on. */
  readonly dayFigures: (account: AccountId, book: AccountBook) => readonly DayFigures[];
  /** The same for the same line of the same stream, in every process; they sort as lines do. */
  readonly eventId: (stream: string, line: string) => string;
  readonly onError: (error: unknown) => void;
  /** Something waits for the destination now. */
  readonly ring: (id: DestinationId) => Promise<void>;
}

/** Lines that are read at once: what they become is told before more are read. */
const AT_ONCE = 100;
/** An account that is new is known by its number after so long. */
const NUMBERS_MS = 10_000;
const TOO_MANY = "Too many events were waiting for the destination";

/** From where on a user is told anything: nothing of before they had a destination. */
export interface Audience {
  readonly userId: UserId;
  readonly destinations: readonly Destination[];
}

/**
 * Brings what outboxes and ledgers have noted on its way to the destinations of its user. What was put
 * is put once, so a crash in between repeats it without telling it twice.
 */
export class CollectEvents {
  readonly #deps: CollectEventsDeps;
  readonly #numbers = new Map<
    UserId,
    { readonly at: number; readonly words: ReadonlySet<string> }
  >();

  constructor(deps: CollectEventsDeps) {
    this.#deps = deps;
  }

  /** Answers whether there may be more: so much at once that alerts would notice is done in parts. */
  async ofAccount(account: AccountId, audience: Audience): Promise<boolean> {
    const { outbox } = this.#deps;
    const upTo = await outbox.toldUpTo(account);
    const query = { limit: AT_ONCE, since: sinceOf(audience) };
    const read = inStep(await outbox.read(account, upTo, query));
    const [lastLine, newest] = [read.lines.at(-1)?.id, read.entries.at(-1)?.id];
    if (lastLine === undefined && newest === undefined) return read.isMore;
    const batch = newest && { from: upTo.ledger, to: newest };
    const bound = batch && (await outbox.bindLedger(account, batch));
    // A batch that was begun before may end after what was read now: the rest of it is told later.
    const lastEntry =
      bound !== undefined && newest !== undefined && comesAfter(bound, newest) ? newest : bound;
    // Another process has told it meanwhile.
    if (newest !== undefined && lastEntry === undefined) return true;
    const entries = read.entries.filter(({ id }) => !comesAfter(id, lastEntry ?? id));
    const later = read.isMore ? "unknown" : read.entries.slice(entries.length);
    await this.tell(
      [
        ...(await this.#eventsOf(`${account} outbox`, read.lines, audience, account)),
        ...(await this.#eventsOfFills(account, entries, later, audience)),
      ],
      audience,
    );
    await outbox.advance(account, {
      ...(lastLine !== undefined && { outbox: lastLine }),
      ...(lastEntry !== undefined && { ledger: lastEntry }),
    });
    return read.isMore || entries.length < read.entries.length;
  }

  async #eventsOfFills(
    account: AccountId,
    entries: readonly PlacedEntry[],
    later: "unknown" | readonly PlacedEntry[],
    audience: Audience,
  ): Promise<readonly GatewayEvent[]> {
    if (entries.every(({ kind }) => kind !== "fill" && kind !== "correction")) return [];
    const { ledger, dayFigures, eventId } = this.#deps;
    const book = await ledger.book(account);
    const since = { book, day: dayFigures(account, book), later };
    return eventsOfFills(account, entries, since, this.#deps).map(({ line, at, draft }) =>
      this.#placed(eventId(`${account} ledger`, line), at, draft, audience),
    );
  }

  async ofUser(audience: Audience): Promise<boolean> {
    const { outbox } = this.#deps;
    const { userId } = audience;
    const lines = await outbox.readUser(userId, { limit: AT_ONCE, since: sinceOf(audience) });
    const last = lines.at(-1)?.id;
    if (last === undefined) return false;
    await this.tell(await this.#eventsOf(`${userId} outbox`, lines, audience), audience);
    await outbox.advanceUser(userId, last);
    return lines.length === AT_ONCE;
  }

  /** Puts events on their way to each destination that takes them. */
  async tell(events: readonly GatewayEvent[], { destinations }: Audience): Promise<void> {
    if (events.length === 0) return;
    const now = await this.#deps.intents.now();
    for (const destination of destinations) {
      const { id, disabled } = destination;
      const routed = events.flatMap((event) => {
        const route = routeOf(destination, event, now);
        if (route === undefined) return [];
        return [{ event, attempts: 0, ...route, firstDueAt: route.dueAt }];
      });
      if (routed.length === 0) continue;
      if (disabled !== undefined) {
        const reason = `The destination is switched off: ${disabled.reason}`;
        await this.#deps.notices.giveUp(id, routed, { at: now, reason });
        continue;
      }
      const left = new Set(await this.#deps.notices.put(destination, routed, now));
      const tooMany = routed.filter(({ event }) => left.has(event.id));
      if (tooMany.length > 0) {
        await this.#deps.notices.giveUp(id, tooMany, { at: now, reason: TOO_MANY });
      }
      await this.#deps.ring(id);
    }
  }

  async #eventsOf(
    of: string,
    lines: readonly OutboxLine[],
    audience: Audience,
    account?: AccountId,
  ): Promise<readonly GatewayEvent[]> {
    const events: GatewayEvent[] = [];
    for (const line of lines) {
      const draft = await this.#draftOf(line, account).catch((error: unknown) => {
        // One that cannot be told keeps no other from being told; a store that is away does.
        if (error instanceof StoreError) throw error;
        this.#deps.onError(error);
        return undefined;
      });
      if (draft !== undefined) {
        events.push(this.#placed(this.#deps.eventId(of, line.id), line.at, draft, audience));
      }
    }
    return events;
  }

  /** Undefined for what needs no telling, and for what was forgotten since. */
  async #draftOf(line: OutboxLine, account?: AccountId): Promise<EventDraft | undefined> {
    const { intents, alerts } = this.#deps;
    if (line.kind === "event") return line.event;
    if (account === undefined) return undefined;
    if (line.kind === "intent") {
      const record = await intents.find(account, line.intentId);
      // What it came to since is told by the line of that.
      if (record === undefined || (line.ended ?? record.state) !== record.state) return undefined;
      return eventOfIntent(record, line.before);
    }
    const alert = await alerts.find([account], line.alertId);
    return alert && eventOfAlert(alert);
  }

  #placed(
    id: string,
    at: number,
    draft: EventDraft,
    { userId }: Pick<Audience, "userId">,
  ): GatewayEvent {
    const { accounts } = this.#deps;
    const { accountId, message, advice } = draft;
    const account = accountId === undefined ? undefined : accounts.find(accountId);
    const numbers = this.#numbersOf(userId, at);
    const masked = {
      message: hideNumbers(message, numbers),
      ...(advice !== undefined && { advice: hideNumbers(advice, numbers) }),
    };
    const isMasked = masked.message !== message || masked.advice !== advice;
    return { ...draft, ...namesOf(account), ...(isMasked && { masked }), id, at, userId };
  }

  /** Thousands of accounts are not gone through for each event. */
  #numbersOf(userId: UserId, at: number): ReadonlySet<string> {
    const known = this.#numbers.get(userId);
    if (known !== undefined && Math.abs(at - known.at) < NUMBERS_MS) return known.words;
    const words = numbersOf(this.#deps.accounts.of(userId));
    this.#numbers.set(userId, { at, words });
    return words;
  }
}

interface ReadLines {
  readonly lines: readonly OutboxLine[];
  readonly entries: readonly PlacedEntry[];
}

/** Of two streams of which one was cut, only what is not after that: they are told in the order of time. */
function inStep({ lines, entries }: ReadLines): ReadLines & { readonly isMore: boolean } {
  const cut = [lines, entries].flatMap((all) =>
    all.length < AT_ONCE ? [] : [all.at(-1)?.id ?? ""],
  );
  const [end] = cut.sort((one, other) => (comesAfter(one, other) ? 1 : -1));
  if (end === undefined) return { lines, entries, isMore: false };
  const isIn = ({ id }: { readonly id: string }) => !comesAfter(id, end);
  return { lines: lines.filter(isIn), entries: entries.filter(isIn), isMore: true };
}

/** Of two ids that a store gave lines, in whatever streams. */
function comesAfter(one: string, other: string): boolean {
  const [ms = 0, seq = 0] = one.split("-").map(Number);
  const [otherMs = 0, otherSeq = 0] = other.split("-").map(Number);
  return ms > otherMs || (ms === otherMs && seq > otherSeq);
}

/** A moment of grace: what a destination is made for often happens right then. */
const GRACE_MS = 1_000;

const sinceOf = ({ destinations }: Audience): number =>
  Math.min(...destinations.map(({ createdAt }) => createdAt)) - GRACE_MS;

function namesOf(account: StoredAccount | undefined) {
  if (account === undefined) return {};
  const { name, connectionId, environment } = account;
  return { accountName: name, connectionId, environment };
}
