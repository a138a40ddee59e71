import { type BrokerKnob, brokerKnob } from "./broker-knob.ts";
import { DEFAULTS, type Settings } from "../simulators/tradovate/settings.ts";

const knob = brokerKnob<Settings>;

const { userLimit, endpointLimits } = DEFAULTS;
const COMMANDS = ["placeorder", "placeoso", "placeoco", "modifyorder", "cancelorder"].map(
  (name) => `order/${name}`,
);

/** What a snapshot may leave out of earlier orders. */
export const OF_ORDERS = [
  "command",
  "commandReport",
  "executionReport",
  "orderVersion",
  "fill",
] as const;

/**
 * Every setting of the simulator in each of its other values, one at a time: the short chaos run holds
 * under each, and the whole suite but for the exceptions. What a setting does is in `settings.ts`.
 */
export const TRADOVATE_KNOBS: readonly BrokerKnob<Settings>[] = [
  // Sessions. A token's life is as short as a case is long, so that renewals fall into the cases.
  knob("token-of-seconds", { tokenLifeMs: 4_000 }),
  knob("expired-socket-cut", { tokenLifeMs: 4_000, expiredSocket: "cut" }),
  knob("expired-socket-kept", { tokenLifeMs: 4_000, expiredSocket: "keep" }),
  knob("one-session", { sessionLimit: 1 }),
  knob("killed-401", { sessionLimit: 1, killedSessionStatus: 401 }),
  knob("killed-502", { sessionLimit: 1, killedSessionStatus: 502 }),
  knob("killed-closed", { sessionLimit: 1, killedSockets: "close" }),
  knob("killed-silent", { sessionLimit: 1, killedSockets: "silent" }),
  knob("killed-kept", { sessionLimit: 1, killedSockets: "keep" }),
  knob("live", { environment: "live" }),
  knob("device-always", { deviceIdForOrders: "always" }),
  knob("device-never", { environment: "live", deviceIdForOrders: "never" }),

  // Limits
  knob("limits-published", { userLimit, endpointLimits }),
  knob("limits-unwarned", { userLimit, endpointLimits, warnsBeforeLockout: false }),

  // The socket
  knob("no-open-frame", { sendsOpen: false }),
  knob("heartbeats-fast", { heartbeatMs: 200 }),
  knob("heartbeats-slow", { heartbeatMs: 7_500 }),
  knob("drops-silent-soon", { dropsSilentAfterMs: 5_000 }),
  knob("authorise-soon", { authoriseWithinMs: 2_000 }),
  knob("no-quoted-token", { takesQuotedToken: false }),
  knob("no-md-token", { takesMdToken: false }),
  knob("one-frame", { batchesFrames: true }),

  // Answers
  knob("late-answers", { answerDelay: { ms: 25 } }),
  knob("late-orders", { answerDelay: { ms: 150, endpoints: COMMANDS } }),
  knob("late-lists", { listLagMs: 3_000 }, [60, 61, 62, 64]),
  knob("short-lists", { listCap: 3 }),

  // The sync
  knob("sync-by-name", { syncBrings: "named" }),
  knob("bare-snapshots", { forgets: { types: OF_ORDERS, isGone: false } }),
  knob(
    "forgotten-names",
    { forgets: { types: ["command", "commandReport"], isGone: true } },
    [60, 62],
  ),
  knob("forgotten-fills", { forgets: { types: ["fill", "fillFee"], isGone: true } }, [60, 64]),

  // Events
  knob("events-after", { events: { order: "afterAnswer", delayMs: 0 } }),
  knob("events-late", { events: { order: "beforeAnswer", delayMs: 100 } }, [113]),
  knob("events-after-late", { events: { order: "afterAnswer", delayMs: 100 } }, [113]),
  knob("risk-check", { events: { order: "beforeAnswer", delayMs: 0, riskCheckMs: 100 } }),
  knob(
    "risk-check-after",
    { events: { order: "afterAnswer", delayMs: 50, riskCheckMs: 100 } },
    [113],
  ),
  knob("created-twice", { repeatsCreated: true }),
  knob("fills-first", { fillsFirst: true }),
  knob("arrays", { entityArrays: true }),
  knob("no-commands-of-others", { tellsOthersCommands: false }),
  knob("no-net-price", { tellsNetPrice: false }, [30]),
  knob("status-unknown", { callsStatus: { PendingNew: "Unknown", PendingReplace: "Unknown" } }),

  // Orders
  knob("legs-unlinked", { osoLegsLinked: false }, [41, 45, 46, 405, 406, 408, 410, 710, 835]),
  knob("sibling-stays", { cancelEndsSibling: false }, [911]),
  knob(
    "legs-on-full-fill",
    { activateOnFullFillOnly: true },
    [41, 43, 404, 405, 406, 407, 409, 411, 834, 836],
  ),
  knob("dead-404", { cancelOfDeadOrder: 404 }),
  knob("dead-401", { cancelOfDeadOrder: 401 }),
  knob("leg-change-ends-both", { modifyOfLegCancelsBoth: true }, [830, 831, 832, 835, 921]),
  knob("unknown-symbol-named", { unknownSymbol: "InvalidContract" }),
  knob("liquidate-flat-empty", { liquidateWhenFlat: "empty" }),
  knob("trail-from-market", { trailingNeedsStop: false }),
  knob("liquidate-tagged", { liquidateRefusesTag50: false }),
  knob("report-first", { riskReportFirst: true }),
  knob("refused-in-answer", { exchangeRefusals: "answer" }, [123, 702, 812]),
  knob("commission", { commission: 0.62 }),

  // Money. What market data does otherwise is not for this suite: no order depends on it.
  knob("fees-late", { commission: 0.62, feeDelayMs: 300 }),
  knob("fees-untold", { commission: 0.62, tellsFees: false }),
  knob("fees-beside-cash", { commission: 0.62, feesLeaveCash: false }),
  knob("cash-lingers", { cashDay: "lingers" }),
  knob("cash-differs", { snapshotDiffersBy: 12.5 }),

  // What accounts are held to; `riskActs` does nothing where nothing is set.
  knob("risk-left-out", { riskInSync: "leftOut" }),
  knob("risk-sync-refused", { riskInSync: "refused" }),
  knob("risk-refused", { riskInSync: "refused", riskReads: "refused" }),
];
