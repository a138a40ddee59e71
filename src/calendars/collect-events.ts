import type { EconomicEvent } from "../domain/guards/economic-calendar.ts";
import type {
  CalendarFormat,
  CalendarReading,
  LeftOut,
  Unreadable,
} from "../trading/guards/calendar-ports.ts";

const MOST_EVENTS = 5_000;
const TITLE_CHARACTERS = 200;

/** Gathers what the lines of a file say, and makes one calendar of it or none. */
export class EventCollector {
  readonly #events: EconomicEvent[] = [];
  readonly #seen = new Set<string>();
  readonly #leftOut: LeftOut[] = [];
  readonly #problems: Unreadable[] = [];

  add(where: string, event: EconomicEvent): void {
    const title = shown(event.title);
    if (title === "") return this.fail(where, "has no title");
    if (!Number.isFinite(event.startsAt)) return this.fail(where, "has no start");
    const key = `${event.startsAt} ${event.currency ?? ""} ${event.products?.join() ?? ""} ${title}`;
    if (this.#seen.has(key)) return this.leaveOut(where, title, "is the same as an earlier one");
    this.#seen.add(key);
    this.#events.push({ ...event, title });
  }

  leaveOut(where: string, title: string, reason: string): void {
    this.#leftOut.push({ where, title: shown(title), reason });
  }

  fail(where: string, message: string): void {
    this.#problems.push({ where, message });
  }

  end(format: CalendarFormat): CalendarReading {
    const count = this.#events.length;
    if (this.#problems.length === 0 && count === 0) this.fail("line 1", "there is no event in it");
    if (count > MOST_EVENTS) {
      this.fail("line 1", `there are ${count} events in it, and at most ${MOST_EVENTS} are taken`);
    }
    if (this.#problems.length > 0) return { kind: "unreadable", problems: this.#problems };
    const events = this.#events.toSorted((a, b) => a.startsAt - b.startsAt);
    return { kind: "read", format, events, leftOut: this.#leftOut };
  }
}

/** On one line, and no longer than is shown. */
const shown = (title: string): string =>
  title
    .replaceAll(/[\s\p{Cc}]+/gu, " ")
    .trim()
    .slice(0, TITLE_CHARACTERS)
    .trimEnd();
