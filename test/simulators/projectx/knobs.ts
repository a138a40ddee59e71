import type { BarsByHand } from "./bar-desk.ts";
import type { EventKind } from "./entities.ts";
import type { PlannedFault } from "./faults.ts";
import type { OfHubs } from "./hubs.ts";
import type { Settings } from "./settings.ts";
import type { NewUser } from "./users.ts";

/** What can be asked of the broker from outside. Without `user`, it is for all of them. */
export type Knob =
  /** How the broker behaves from now on; every figure and switch is in `settings.ts`. */
  | ({ readonly knob: "set"; readonly user?: string } & Partial<Settings>)
  /** All settings back to their defaults, planned faults and counted requests forgotten. */
  | { readonly knob: "reset"; readonly user?: string }
  /** What goes wrong with the next requests; see `faults.ts`. */
  | ({ readonly knob: "fault" } & PlannedFault)
  /** Answers how many of the user's planned faults are still to come. */
  | { readonly knob: "faultsLeft"; readonly user: string }
  | { readonly knob: "forgetFaults"; readonly user: string }
  /** Answers how many of the user's answers wait for `letGo`, which gives them all. */
  | { readonly knob: "heldAnswers"; readonly user: string }
  | { readonly knob: "letGo"; readonly user: string }
  /** The next command is carried out or not, and its connection and the user's hubs are cut. */
  | { readonly knob: "loseNextAnswer"; readonly user?: string; readonly isCarriedOut: boolean }
  /** A user with a key and accounts named `<name>-1` and on; answers the accounts. */
  | ({ readonly knob: "user" } & NewUser)
  /** Whether a name that nobody made may log in, with any key; it may at first. */
  | { readonly knob: "takesAnyone"; readonly isOn: boolean }
  /** Prices are ticks, sizes contracts, the contract `ESZ2026`, `ESZ6` or its id. Sizes default to 1,000. */
  | {
      readonly knob: "quote";
      readonly contract: string;
      readonly bid: number;
      readonly ask: number;
      readonly bidQty?: number;
      readonly askQty?: number;
    }
  /** By the account's name or number. */
  | {
      readonly knob: "account";
      readonly account: string | number;
      readonly canTrade?: boolean;
      readonly isVisible?: boolean;
      readonly simulated?: boolean;
      readonly isListed?: boolean;
      readonly isTold?: boolean;
    }
  /** The balance by so many dollars more, told or found by who asks. */
  | {
      readonly knob: "balance";
      readonly account: string | number;
      readonly by: number;
      readonly isTold?: boolean;
    }
  /** Whether it takes orders, and whether a search finds it. */
  | {
      readonly knob: "contract";
      readonly contract: string;
      readonly isActive?: boolean;
      readonly isListed?: boolean;
    }
  /** It trades no more: its orders expire, and what is held of it is settled in cash. */
  | { readonly knob: "endContract"; readonly contract: string }
  /**
   * As after a limit of losses, or at the end of the day: the broker cancels everything, closes
   * everything, and with `locks` lets the account trade no more.
   */
  | { readonly knob: "liquidate"; readonly account: string | number; readonly locks?: boolean }
  /** By hand, as the platform's own screen would; `order` is the body of `Order/place`. */
  | { readonly knob: "placeOrder"; readonly account: string | number; readonly order: object }
  | { readonly knob: "cancelOrder"; readonly account: string | number; readonly orderId: number }
  /** A position grows by so many contracts, at a price in ticks, without a trade. */
  | {
      readonly knob: "movePosition";
      readonly account: string | number;
      readonly contract: string;
      readonly by: number;
      readonly at: number;
    }
  /** The exchange takes a trade back. */
  | { readonly knob: "voidTrade"; readonly trade: number }
  /** The exchange corrects a trade: how much was traded, or at which price, in points. */
  | {
      readonly knob: "correctTrade";
      readonly trade: number;
      readonly size?: number;
      readonly price?: number;
    }
  /** The broker's time goes on by so many ms. */
  | { readonly knob: "advance"; readonly ms: number }
  | { readonly knob: "expireTokens"; readonly user?: string }
  /** Other programs of the user have asked so often just now. */
  | { readonly knob: "useQuota"; readonly user: string; readonly requests: number }
  /** `GatewayLogout` to the user's hubs. */
  | { readonly knob: "logOut"; readonly user: string }
  /** The next events of the user, of any kind or of one, are not sent, and never again. */
  | {
      readonly knob: "loseEvents";
      readonly user: string;
      readonly count: number;
      readonly kind?: EventKind;
    }
  /** Cuts hubs, or closes them with SignalR's words where some are given; a gap of so long follows. */
  | ({
      readonly knob: "closeHubs";
      readonly gapMs?: number;
      readonly error?: string;
      readonly allowReconnect?: boolean;
    } & OfHubs)
  /** Hubs that are open now fall silent, while TCP stays up. */
  | ({ readonly knob: "halfOpen" } & OfHubs)
  /** A text as it is to open hubs, and a call of one of their methods. */
  | ({ readonly knob: "hubText"; readonly text: string } & OfHubs)
  | ({
      readonly knob: "hubEvent";
      readonly target: string;
      readonly payload: unknown;
    } & OfHubs)
  /** Nothing more of a contract, or of any, to a user, or to anybody, while the hub goes on. */
  | {
      readonly knob: "freezeQuotes";
      readonly contract?: string;
      readonly user?: string;
      readonly isFrozen?: boolean;
    }
  /** The bars of a contract, in ticks, the newest last. */
  | ({ readonly knob: "bars"; readonly contract: string } & BarsByHand);
