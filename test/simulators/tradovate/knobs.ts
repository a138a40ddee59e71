import type { BarsByHand } from "./bar-book.ts";
import type { EntityType, MarginSnapshotEntity } from "./entities.ts";
import type { Fault, PlannedFault, SocketKind } from "./faults.ts";
import type { Settings } from "./settings.ts";
import type { Channel } from "./market-data-settings.ts";
import type { NewUser } from "./users.ts";

/** The sockets of a user, or of all; of one kind, or of both. */
export interface OfSockets {
  readonly user?: string | undefined;
  readonly socket?: SocketKind;
}

/** All that a margin snapshot has in dollars. */
export type Margin = Omit<MarginSnapshotEntity, "id" | "timestamp" | "riskTimePeriodId">;

/** What can be asked of the broker from outside. Without `user`, it is for all of them. */
export type Knob =
  /** How the broker behaves from now on; every figure and switch is in `settings.ts`. */
  | ({ readonly knob: "set"; readonly user?: string } & Partial<Settings>)
  /** All settings back to their defaults, planned faults and counted requests forgotten. */
  | { readonly knob: "reset"; readonly user?: string }
  /** What goes wrong with the next requests; see `faults.ts`. */
  | ({ readonly knob: "fault" } & PlannedFault)
  /** The next command is carried out or not, and the link and all sockets of the user are cut. */
  | { readonly knob: "loseNextAnswer"; readonly user?: string; readonly isCarriedOut: boolean }
  /** A user with a password and accounts named `<name>-1` and on. */
  | ({ readonly knob: "user" } & NewUser)
  /** Whether a name that nobody registered may log in, with any password; it may at first. */
  | { readonly knob: "takesAnyone"; readonly isOn: boolean }
  /** Prices are ticks, sizes contracts, the contract `ESZ2026` or `ESZ6`. Sizes default to 1,000. */
  | {
      readonly knob: "quote";
      readonly contract: string;
      readonly bid: number;
      readonly ask: number;
      readonly bidQty?: number;
      readonly askQty?: number;
    }
  /** Whether the account may trade. Accounts go by name here. */
  | { readonly knob: "active"; readonly account: string; readonly isActive: boolean }
  | {
      readonly knob: "account";
      readonly account: string;
      readonly active?: boolean;
      readonly closed?: boolean;
      readonly restricted?: boolean;
      readonly readonly?: boolean;
      readonly archived?: boolean;
      /** Whether it is in any list at all. */
      readonly isListed?: boolean;
    }
  | { readonly knob: "expireContract"; readonly contract: string; readonly isExpired?: boolean }
  /** An order by hand, as another program or the broker's own screen would place it. */
  | { readonly knob: "placeOrder"; readonly user: string; readonly order: object }
  | { readonly knob: "cancelOrder"; readonly user: string; readonly orderId: number }
  /**
   * The exchange takes a fill back (a bust), or corrects its quantity or its price in points; an execution
   * report says so too, unless `isReported` is false.
   */
  | { readonly knob: "bustFill"; readonly fill: number; readonly isReported?: boolean }
  | {
      readonly knob: "correctFill";
      readonly fill: number;
      readonly qty?: number;
      readonly price?: number;
      readonly isReported?: boolean;
    }
  /**
   * Something that is there and that nobody here made: an order without a contract, a product that
   * no table lists. Given an id that is known, it is changed; null takes a field away. Answers the id.
   */
  | {
      readonly knob: "entity";
      readonly type: EntityType;
      /** Whose it is; absent for what everyone sees. */
      readonly account?: string;
      readonly entity: Readonly<Record<string, unknown>>;
    }
  /** The broker's time: `advance` by ms, or `set` to Unix ms. */
  | { readonly knob: "advance"; readonly ms: number }
  | { readonly knob: "setClock"; readonly at: number }
  | { readonly knob: "expireTokens"; readonly user?: string }
  /** As logins elsewhere would: the user's sessions are over. */
  | { readonly knob: "killSessions"; readonly user: string }
  /** Other programs of the user have asked so often just now. */
  | { readonly knob: "useQuota"; readonly user: string; readonly requests: number }
  | { readonly knob: "lockOut"; readonly user: string; readonly ms: number }
  /** Of the user's events, or of the messages of market data. */
  | {
      readonly knob: "loseEvents";
      readonly user: string;
      readonly count: number;
      readonly socket?: SocketKind;
    }
  /** No more messages about a contract, or about all, to a user, or to all; the heartbeat goes on. */
  | {
      readonly knob: "freezeQuotes";
      readonly contract?: string;
      readonly user?: string;
      readonly channels?: readonly Channel[];
      readonly isFrozen?: boolean;
    }
  /** The bars of a contract, in ticks; null for those that are made by themselves again. */
  | ({ readonly knob: "bars"; readonly contract: string } & (BarsByHand | { readonly bars: null }))
  /** The balance of an account by so much more; told, or found by who reads it only. */
  | {
      readonly knob: "cash";
      readonly account: string;
      readonly by: number;
      readonly isTold?: boolean;
    }
  /** The margin of an account, as the snapshot of its cash has it too. */
  | ({ readonly knob: "margin"; readonly account: string } & Partial<Margin>)
  /**
   * What an account is held to, and how it stands with it, as its owner, its firm or the broker would
   * set it; null takes a field away, or all of it. Told by an event, unless `isTold` is false.
   */
  | {
      readonly knob: "risk";
      readonly account: string;
      readonly settings?: Readonly<Record<string, unknown>> | null;
      readonly status?: Readonly<Record<string, unknown>> | null;
      readonly isTold?: boolean;
    }
  /** Nothing traded from one instant to another, in Unix ms. */
  | {
      readonly knob: "gap";
      readonly contract: string;
      readonly from: number;
      readonly to: number;
    }
  /** Cuts sockets without a word. */
  | ({ readonly knob: "closeSockets" } & OfSockets)
  /** Sockets that are open now fall silent, while TCP stays up; with `beats` their heartbeat goes on. */
  | ({ readonly knob: "halfOpen"; readonly beats?: boolean } & OfSockets)
  /** Sockets get the event, and are closed. */
  | ({
      readonly knob: "shutdown";
      readonly reasonCode: "Maintenance" | "ConnectionQuotaReached" | "IPQuotaReached";
      readonly reason?: string;
    } & OfSockets);

export const lostAnswer = (isCarriedOut: boolean): Fault => ({
  kind: "drop",
  isCarriedOut,
  cutsSockets: true,
});
