import type { EventKind } from "./entities.ts";

/** How the hubs behave. All of it may be set for one user. */
export interface HubSettings {
  // The connection
  /** Whether `negotiate` is answered; clients of the service skip it [COM]. */
  readonly negotiates: boolean;
  /** A hub that has sent nothing for so long sends a ping; 0 never [SignalR: 15 s]. */
  readonly pingMs: number;
  /** A client that sends nothing for so long is closed; 0 never [SignalR: 30 s]. */
  readonly dropsSilentAfterMs: number;
  /** Whether records of the same turn go out in one frame, or each record in several fragments. */
  readonly framing: "oneRecord" | "joined" | "fragmented";
  /** Hubs are cut without a word so often; 0 never. Live it is many times a day [COM]. */
  readonly dropsEveryMs: number;
  /** How long the gap after such a cut is: up to 2 min [COM]. */
  readonly dropGapMs: number;
  /** In a gap nobody can connect, or everybody can and is told nothing. */
  readonly gap: "refused" | "lossy";
  /** What becomes of a hub whose token is over [unknown]. */
  readonly expiredHub: "kept" | "closed";

  // Calls
  /** Methods that fail. */
  readonly refusesCalls: readonly string[];
  /** Methods that are carried out and never answered. */
  readonly leavesCalls: readonly string[];
  /** Whether a subscription is followed by what there is at that moment [unknown]. */
  readonly tellsOnSubscribe: boolean;

  // Payloads
  /** `{"action":n,"data":{…}}` [COM live], the bare entity [OFF], or bare for positions and trades [COM]. */
  readonly payload: "wrapped" | "bare" | "mixed";
  /** Numbers [OFF], or text [COM]. */
  readonly ids: "number" | "text";
  /** Fields of an order that say nothing are left out [CAP], or `null`. */
  readonly nulls: "omitted" | "sent";
  /** By what happened [COM], or orders and positions never as new, and orders that end as gone [CAP]. */
  readonly actions: "byEvent" | "neverNew";
  /** How the end of a position is told: gone (2) [CAP], or changed (1) with nothing left. */
  readonly positionEnd: "gone" | "changed";
  /** What an order's status is called instead, by its number. */
  readonly callsStatus: Readonly<Record<number, number | string>>;
  /** Before each event comes one that cannot be read. */
  readonly unreadable: "never" | Unreadable;

  // Events
  readonly eventDelayMs: number;
  /** How much later events of a kind come than others. */
  readonly kindDelayMs: Readonly<Partial<Record<EventKind, number>>>;
  /** These are never told. */
  readonly losesEvents: readonly EventKind[];
  /** Everything is told twice. */
  readonly repeatsEvents: boolean;
  /** What happens in one go is told backwards. */
  readonly reversesEvents: boolean;

  // Market data
  /** Quotes name only what has changed [COM]. */
  readonly sparseQuotes: boolean;
  /** Quotes, trades and depth come in lists [COM]. */
  readonly quotesInArrays: boolean;
  /** Whether a subscription is followed by the quote that stands [unknown]. */
  readonly quotesOnSubscribe: boolean;
  /** Fields that no quote has, such as `bestBid`. */
  readonly quoteOmits: readonly string[];

  // Bars
  /** As the documents' example shows them, or oldest first. */
  readonly barsNewestFirst: boolean;
  /** What `live: true` comes to for who has no such subscription [unknown]. */
  readonly liveBars: "served" | "empty";
  /** What bars are made of where none were set by hand, together with the contract. */
  readonly barSeed: number;
}

/** A record that is no JSON, an event without a payload, or with one that is no entity. */
export type Unreadable = "noJson" | "nothing" | "null" | "text" | "noId";

export const HUB_DEFAULTS: HubSettings = {
  negotiates: true,
  pingMs: 15_000,
  dropsSilentAfterMs: 30_000,
  framing: "oneRecord",
  dropsEveryMs: 0,
  dropGapMs: 0,
  gap: "refused",
  expiredHub: "kept",

  refusesCalls: [],
  leavesCalls: [],
  tellsOnSubscribe: false,

  payload: "wrapped",
  ids: "number",
  nulls: "omitted",
  actions: "byEvent",
  positionEnd: "gone",
  callsStatus: {},
  unreadable: "never",

  eventDelayMs: 0,
  kindDelayMs: {},
  losesEvents: [],
  repeatsEvents: false,
  reversesEvents: false,

  sparseQuotes: true,
  quotesInArrays: false,
  quotesOnSubscribe: true,
  quoteOmits: [],

  barsNewestFirst: true,
  liveBars: "served",
  barSeed: 1,
};
