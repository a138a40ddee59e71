import { type EconomicEvent, MOST_EVENT_MS } from "../domain/guards/economic-calendar.ts";
import type {
  CalendarFormat,
  CalendarReading,
  LeftOut,
  Unreadable,
} from "../trading/guards/calendar-ports.ts";

/** Events of a file, those that are left out included. */
const MOST_EVENTS = 5_000;
/** Reading ends with so many problems: the next ones would not be shown. */
const MOST_PROBLEMS = 50;
const MOST_PRODUCTS = 100;
const TITLE_CHARACTERS = 200;
const MOST_DAYS = MOST_EVENT_MS / 86_400_000;

/** A file that is read step by step: it yields between two lines or events. */
export type CalendarSteps = Generator<undefined, CalendarReading>;

/** Gathers what the lines of a file say, and makes one calendar of it or none. */
export class EventCollector {
  readonly #events: EconomicEvent[] = [];
  readonly #seen = new Set<string>();
  readonly #leftOut: LeftOut[] = [];
  readonly #problems: Unreadable[] = [];
  #count = 0;

  /** True once nothing further of the file is looked at. */
  get isOver(): boolean {
    return this.#count > MOST_EVENTS || this.#problems.length >= MOST_PROBLEMS;
  }

  add(where: string, event: EconomicEvent): void {
    if (!this.#counts(where)) return;
    const { startsAt, endsAt, currency = "", products = [] } = event;
    const title = shown(event.title);
    if (title === "") return this.fail(where, "has no title");
    if (!Number.isFinite(startsAt)) return this.fail(where, "has no start");
    if (endsAt !== undefined && endsAt - startsAt > MOST_EVENT_MS) {
      return this.fail(where, `lasts longer than ${MOST_DAYS} days`);
    }
    if (products.length > MOST_PRODUCTS) {
      const message = `names ${products.length} products, and at most ${MOST_PRODUCTS} are taken`;
      return this.fail(where, message);
    }
    const key = `${startsAt} ${endsAt} ${currency} ${products.join()} ${title}`;
    if (this.#seen.has(key)) return this.#note(where, title, "is the same as an earlier one");
    this.#seen.add(key);
    this.#events.push({ ...event, title });
  }

  /** An event of which nothing is kept. */
  leaveOut(where: string, title: string, reason: string): void {
    if (this.#counts(where)) this.#note(where, title, reason);
  }

  /** A part that is not kept of an event that is. */
  leaveOutPart(where: string, title: string, reason: string): void {
    this.#note(where, title, reason);
  }

  fail(where: string, message: string): void {
    if (this.#problems.length < MOST_PROBLEMS) this.#problems.push({ where, message });
  }

  end(format: CalendarFormat): CalendarReading {
    const [problems, events] = [this.#problems, this.#events];
    const isEmpty = problems.length === 0 && events.length === 0;
    if (isEmpty) this.fail("line 1", "there is no event in it");
    if (problems.length > 0) {
      return { kind: "unreadable", problems, isWhole: problems.length < MOST_PROBLEMS };
    }
    const inOrder = events.toSorted((a, b) => a.startsAt - b.startsAt);
    return { kind: "read", format, events: inOrder, leftOut: this.#leftOut };
  }

  #counts(where: string): boolean {
    this.#count += 1;
    if (this.#count <= MOST_EVENTS) return true;
    this.fail(where, `begins after ${MOST_EVENTS} events, and no more are taken: split the file`);
    return false;
  }

  #note(where: string, title: string, reason: string): void {
    this.#leftOut.push({ where, title: shown(title), reason });
  }
}

/** On one line, and no longer than is shown. */
const shown = (title: string): string =>
  title
    .slice(0, 10 * TITLE_CHARACTERS)
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, TITLE_CHARACTERS)
    .trimEnd();
