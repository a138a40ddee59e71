import { type Static, Type } from "@sinclair/typebox";
import { ACTIONS } from "../words.ts";
import {
  AccountIdText,
  choice,
  Closed,
  Cursor,
  Holding,
  Instant,
  IntentIdText,
  nullable,
  OrderIdText,
  ResolvedSymbol,
  Symbol,
} from "./parts.ts";
import { AskedExitPlan } from "./exit-plan.ts";
import { Leg } from "./order.ts";

const Currency = Type.String({
  description:
    "The contract's, null where nobody tells it. Amounts of different currencies are never added up",
  examples: ["USD"],
});

const LevelReply = Type.Object(
  {
    qty: Type.Integer({ minimum: 1 }),
    price: nullable(Type.Number()),
    trailOffset: nullable(Type.Number()),
  },
  { title: "RestingExit" },
);

const ProtectionState = Type.Object(
  {
    state: choice(["protected", "noneAsked", "missing", "unknown"], {
      description:
        "protected: a stop-loss rests at the broker for all that is held. noneAsked: none does, and none was asked for. missing: exits that were asked for do not rest. unknown: it cannot be seen, which never means that it is well",
    }),
    missing: Type.Array(choice(["takeProfit", "stopLoss"])),
    openedBy: nullable(
      choice(["alert", "api", "operator", "copy", "strategy", "guard", "timeout", "elsewhere"], {
        description:
          "Who opened it without a stop-loss: elsewhere is by hand, or by another program, at the broker. null where it is not known, and in every other state",
      }),
    ),
    reason: nullable(Type.String({ description: "Why it is unknown" })),
  },
  { title: "ProtectionState" },
);

/** Shared by what one account holds and by what all of them do. */
export const POSITION = {
  symbol: ResolvedSymbol,
  side: Holding.side,
  qty: Type.Integer({ minimum: 1 }),
  averagePrice: nullable(Type.Number()),
  markPrice: nullable(
    Type.Number({
      description:
        "What it would be closed at by the newest quote: the bid of a long, the ask of a short position. null where nobody has told one",
    }),
  ),
  markedAt: nullable(
    Type.String({
      format: "date-time",
      description: "When that price was heard; null without one",
    }),
  ),
  markStale: Type.Boolean({
    description: "There is no such price, or it was heard more than 10 seconds ago",
  }),
  unrealizedPnl: nullable(
    Type.Number({ description: "What closing all of it at markPrice would win" }),
  ),
  unrealizedTicks: nullable(
    Type.Number({
      description:
        "unrealizedPnl in ticks of all contracts together, to 4 places where the average price makes it a fraction",
    }),
  ),
  realizedPnl: nullable(Type.Number({ description: "Since it was opened from flat" })),
  realizedTicks: nullable(
    Type.Integer({
      description:
        "realizedPnl in ticks of all contracts together; null where it is no whole number of them",
    }),
  ),
  currency: nullable(Currency),
  tickSize: nullable(
    Type.Number({ description: "The step of its prices; null where nobody has told it" }),
  ),
  tickValue: nullable(
    Type.Number({
      description:
        "What one such step of one contract is worth in the currency; null where nobody has told it",
    }),
  ),
  protection: ProtectionState,
  stopLosses: nullable(Type.Array(LevelReply, { description: "null where they cannot be seen" })),
  takeProfits: nullable(Type.Array(LevelReply, { description: "null where they cannot be seen" })),
};

export const PositionsReply = Type.Object(
  {
    positions: Type.Array(Type.Object(POSITION, { title: "Position" })),
    asOf: Instant,
    live: Type.Boolean({
      description:
        "False while the connection is down, or its broker has not shown what is held for over a minute (half an hour and more where nothing was): this may be old",
    }),
  },
  { title: "Positions" },
);

export const TradesReply = Type.Object(
  {
    trades: Type.Array(
      Type.Object(
        {
          id: Type.String(),
          orderId: OrderIdText,
          symbol: ResolvedSymbol,
          side: choice(ACTIONS),
          qty: Type.Integer({ minimum: 1 }),
          price: nullable(Type.Number()),
          realizedPnl: nullable(
            Type.Number({ description: "Present when it closed something; without fees" }),
          ),
          currency: nullable(Currency),
          fee: nullable(
            Type.Number({ description: "What the broker took for it; null where it does not say" }),
          ),
          feeCurrency: nullable(
            Type.String({
              description: "null without a fee, and where the broker does not say",
              examples: ["USD"],
            }),
          ),
          time: Instant,
          takenBack: Type.Boolean({
            description: "The broker has cancelled it (a bust): it counts nowhere",
          }),
        },
        { title: "Trade" },
      ),
    ),
    nextCursor: nullable(Type.String({ description: "For the next page; null on the last one" })),
    keptSince: nullable(
      Type.String({
        description:
          "Trades older than this may have made room for newer ones; null while all are kept",
        format: "date-time",
      }),
    ),
  },
  { title: "Trades" },
);

const instant = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 64,
    description: `${description}: ISO 8601 with its time zone, or Unix time in milliseconds`,
    examples: ["2026-09-21T14:30:00Z", "1790001000000"],
  });

export const TradesQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: 500, default: 100 }),
    cursor: Type.Optional(Cursor),
    from: Type.Optional(instant("Only trades at this instant or later")),
    to: Type.Optional(instant("Only trades before this instant")),
    symbol: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 32,
        description:
          "A full contract (ESZ6, ESZ26), expired or not, or, for every month of a root, the root or a continuous form (ES, ES1!, ES!, CME_MINI:ES1!)",
        examples: ["ES1!"],
      }),
    ),
  },
  { additionalProperties: false },
);

export const FlattenQuery = Type.Object(
  { symbol: Type.Optional(Symbol) },
  { additionalProperties: false },
);

export const ProtectBody = Type.Object(
  {
    symbol: Type.Optional(Symbol),
    takeProfit: Type.Optional(Leg),
    stopLoss: Type.Optional(Leg),
    exitPlan: Type.Optional(AskedExitPlan),
  },
  {
    title: "Protect",
    description:
      "takeProfit, stopLoss or both, or else an exitPlan. symbol may be left out while only one is held. Ticks and offsets count from the position's average price. A level that the market has passed is refused. While no fresh price is known, a take-profit is sent only where it wins by the average price",
    additionalProperties: false,
    anyOf: [{ required: ["takeProfit"] }, { required: ["stopLoss"] }, { required: ["exitPlan"] }],
  },
);
export type ProtectBody = Static<typeof ProtectBody>;

export const ProtectReply = Type.Object(
  {
    accountId: AccountIdText,
    symbol: ResolvedSymbol,
    qty: Type.Integer({ minimum: 1 }),
    takeProfitOrderId: nullable(OrderIdText),
    stopLossOrderId: nullable(OrderIdText),
    intentId: IntentIdText,
  },
  { title: "Protection" },
);

/** Shared with the webhook's answer to a flatten action. */
export const FLATTENED = {
  accountId: AccountIdText,
  closed: Type.Array(Closed),
  canceledOrders: Type.Array(OrderIdText),
  remaining: Type.Array(Type.Object(Holding, { title: "Remaining" }), {
    description: "What could not be closed",
  }),
  remainingOrders: Type.Array(OrderIdText, { description: "What could not be cancelled" }),
  problems: Type.Array(Type.String(), {
    description: "Why something remains, in words; empty when nothing does",
  }),
  intentId: IntentIdText,
};

export const FlattenReply = Type.Object(FLATTENED, { title: "Flattened" });

/** Said of an exit that is not done, and goes on by itself. */
export const GOING_ON = {
  outcome: choice(["unfinished", "held"], {
    description:
      "unfinished: it was refused, or carried out in part, and is tried again by itself. held: a part of it waits for its market to open",
  }),
  reason: Type.String(),
  opensAt: nullable(Instant),
};

export const FlattenGoesOnReply = Type.Object(
  { ...FLATTENED, ...GOING_ON },
  { title: "FlattenGoesOn" },
);
