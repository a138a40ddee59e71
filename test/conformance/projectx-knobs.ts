import type { Settings } from "../simulators/projectx/settings.ts";
import { type BrokerKnob, brokerKnob } from "./broker-knob.ts";

const knob = brokerKnob<Settings>;

/** What the suite asks of legs that the answer to their entry names. */
const NAMED = [
  40, 41, 43, 44, 45, 46, 402, 404, 405, 406, 407, 408, 409, 410, 411, 710, 711, 830, 831, 832, 833,
  834, 835, 836, 920, 921,
];

/**
 * Every setting of the simulator in each of its other values, one at a time: the short chaos run holds
 * under each, and the whole suite but for the exceptions. What a setting does is in `settings.ts` and
 * `hub-settings.ts`.
 */
export const PROJECTX_KNOBS: readonly BrokerKnob<Settings>[] = [
  // Sessions. A token's life is as short as a case is long.
  knob("token-of-seconds", { tokenLifeMs: 4_000 }),
  knob("hub-ends-with-token", { tokenLifeMs: 4_000, expiredHub: "closed" }),
  knob("no-negotiation", { negotiates: false }),
  knob("pings-often", { pingMs: 200 }),
  knob("no-pings", { pingMs: 0 }),
  knob("tells-on-subscribe", { tellsOnSubscribe: true }),
  knob("validated-by-code", { tokenLifeMs: 4_000, validateRefuses: "code" }),

  // The hub's frames and payloads
  knob("joined", { framing: "joined" }),
  knob("fragmented", { framing: "fragmented" }),
  knob("bare", { payload: "bare" }),
  knob("mixed", { payload: "mixed" }),
  knob("text-ids", { ids: "text" }),
  knob("nulls", { nulls: "sent" }),
  knob("never-new", { actions: "neverNew" }),
  knob("ends-changed", { positionEnd: "changed" }),
  knob("status-unknown", { callsStatus: { 6: 99 } }),
  knob("unreadable-json", { unreadable: "noJson" }),
  knob("unreadable-nothing", { unreadable: "nothing" }),
  knob("unreadable-null", { unreadable: "null" }),
  knob("unreadable-text", { unreadable: "text" }),
  knob("unreadable-id", { unreadable: "noId" }),

  // Events
  knob("events-after", { events: "afterAnswer" }),
  knob("events-late", { eventDelayMs: 100 }),
  knob("trades-first", { tradeFirst: true }),
  knob("told-twice", { repeatsEvents: true }),
  knob("told-backwards", { reversesEvents: true }, [820]),
  knob("orders-late", { kindDelayMs: { order: 120 } }, [820]),
  knob("trades-late", { kindDelayMs: { trade: 120 } }, [62]),
  knob("positions-late", { kindDelayMs: { position: 120 } }),
  knob("no-positions", { losesEvents: ["position"] }),
  knob("no-accounts", { losesEvents: ["account"] }),

  // Answers
  knob("late-answers", { answerDelayMs: 25 }),
  knob("late-orders", { answerDelayMs: 150, delaysCommandsOnly: true }),
  knob("late-lists", { listLagMs: 1_000 }, [60, 62, 64]),
  knob("stale-lists", { staleListsMs: 1_000 }, [60, 62, 64]),
  knob("pending-found", { placeTakesMs: 100, searchShowsPending: true }),
  knob("orders-pend", { placeTakesMs: 100 }, [62]),
  knob("cancels-pend", { cancelTakesMs: 100 }),
  knob("orders-of-a-day", { ordersLast: "day" }),

  // Brackets
  knob("legs-on-first-fill", { childrenOn: "firstFill" }, [41, 404, 405, 836]),
  knob(
    "legs-on-full-fill",
    { childrenOn: "fullFill" },
    [41, 43, 404, 405, 406, 407, 411, 834, 836],
  ),
  knob("legs-wait-again", { usedUpChildren: "wait" }),
  knob("legs-told-live", { tellsChildren: "live" }, NAMED),
  knob("legs-never-told", { tellsChildren: "never" }, [47, 49, 401, ...NAMED]),
  knob("sibling-keeps-size", { siblingOnPartFill: "stays" }, [45, 405, 410]),
  knob("sibling-ends", { siblingOnCancel: "ends" }, [710]),
  knob("partial-exit-ends", { partialExit: "endsChildren" }),
  knob("waiting-leg-refused", { modifySuspended: "refused" }),
  knob("waiting-leg-passed-over", { modifySuspended: "passedOver" }),
  knob("leg-size-refused", { modifyChildSize: "refused" }, [835]),
  knob("fees", { feePerSide: "1.40" }),

  // Prices. No order depends on them but for where a market order's exits are counted from.
  knob("whole-quotes", { sparseQuotes: false }),
  knob("quotes-in-lists", { quotesInArrays: true }),
  knob("quotes-when-changed", { quotesOnSubscribe: false }),
  knob("oldest-bars-first", { barsNewestFirst: false }),
  knob("nothing-live", { liveBars: "empty", liveContracts: "empty" }),
];
