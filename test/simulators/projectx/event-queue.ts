import type { EventKind, HubEvent } from "./entities.ts";
import type { HubSettings } from "./hub-settings.ts";

interface Due {
  readonly at: number;
  readonly event: HubEvent;
}

/**
 * The events of one user on their way to the hub: late, twice, backwards or not at all, as the settings
 * say. Events of one kind never overtake each other.
 */
export class EventQueue {
  readonly #settings: () => HubSettings;
  readonly #send: (event: HubEvent) => void;
  readonly #losses = new Map<EventKind | "any", number>();
  readonly #lastAt = new Map<EventKind, number>();
  #due: Due[] = [];
  #held: HubEvent[] | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(settings: () => HubSettings, send: (event: HubEvent) => void) {
    this.#settings = settings;
    this.#send = send;
  }

  /** The next so many events, of this kind or of any, are never told. */
  loseNext(count: number, kind: EventKind | "any" = "any"): void {
    this.#losses.set(kind, count);
  }

  forgetLosses(): void {
    this.#losses.clear();
  }

  /** What comes from now on waits for the function that is returned. */
  hold(): () => void {
    if (this.#held !== undefined) return () => undefined;
    const held: HubEvent[] = [];
    this.#held = held;
    return () => {
      this.#held = undefined;
      this.#tell(held);
    };
  }

  add(event: HubEvent): void {
    if (this.#held !== undefined) {
      this.#held.push(event);
      return;
    }
    if (!this.#settings().reversesEvents) {
      this.#tell([event]);
      return;
    }
    const release = this.hold();
    this.add(event);
    setImmediate(release);
  }

  #tell(events: readonly HubEvent[]): void {
    const settings = this.#settings();
    const told = settings.reversesEvents ? [...events].reverse() : events;
    for (const event of told) {
      if (settings.losesEvents.includes(event.kind) || this.#isLost(event.kind)) continue;
      this.#plan(event, settings);
      if (settings.repeatsEvents) this.#plan(event, settings);
    }
    this.#drain();
  }

  #plan(event: HubEvent, { eventDelayMs, kindDelayMs }: HubSettings): void {
    const { kind } = event;
    const asked = performance.now() + eventDelayMs + (kindDelayMs[kind] ?? 0);
    const at = Math.max(asked, this.#lastAt.get(kind) ?? 0);
    this.#lastAt.set(kind, at);
    const later = this.#due.findIndex((due) => due.at > at);
    this.#due.splice(later < 0 ? this.#due.length : later, 0, { at, event });
  }

  #drain(): void {
    clearTimeout(this.#timer);
    const now = performance.now();
    for (let next = this.#due[0]; next !== undefined && next.at <= now; next = this.#due[0]) {
      this.#due.shift();
      this.#send(next.event);
    }
    const [next] = this.#due;
    if (next !== undefined) {
      this.#timer = setTimeout(() => this.#drain(), Math.ceil(next.at - now)).unref();
    }
  }

  #isLost(kind: EventKind): boolean {
    for (const which of [kind, "any"] as const) {
      const left = this.#losses.get(which) ?? 0;
      if (left <= 0) continue;
      this.#losses.set(which, left - 1);
      return true;
    }
    return false;
  }
}
