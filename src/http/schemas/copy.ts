import { Type } from "@sinclair/typebox";
import { COPY_OUTCOMES } from "../../trading/copying/copy-outcome.ts";
import { COPY_CAUSES } from "../../trading/copying/ports.ts";
import { ACTIONS } from "../words.ts";
import { CopyGroupIdText } from "./copy-group.ts";
import {
  AccountIdText,
  choice,
  Cursor,
  Instant,
  IntentIdText,
  NextCursor,
  nullable,
  OrderIdText,
  PageLimit,
  Price,
  ResolvedSymbol,
} from "./parts.ts";

const CopyIdText = Type.String({
  description: "Also the id of its intent, where there is one",
  examples: ["i3f9a0c4d17be52a6c0d91e8b7f24"],
});

const TargetQty = Type.Integer({
  description: "What the follower is to hold after it: positive long, negative short",
});

const Milliseconds = Type.Integer({ minimum: 0 });

const LeaderEvent = Type.Object(
  {
    symbol: ResolvedSymbol,
    action: choice(ACTIONS),
    qty: Type.Integer({ minimum: 1 }),
    averagePrice: nullable(Price),
    at: Type.String({ format: "date-time", description: "By the leader's broker" }),
    orderId: nullable(OrderIdText),
  },
  { title: "LeaderEvent" },
);

const CopyReply = Type.Object(
  {
    id: CopyIdText,
    groupId: CopyGroupIdText,
    accountId: AccountIdText,
    leaderAccountId: AccountIdText,
    cause: choice(COPY_CAUSES, {
      description:
        "fill, order: the leader's. drift: a repair, or a flatten by the drift policy. sync: you asked for it",
    }),
    outcome: choice(COPY_OUTCOMES, {
      description:
        "done: carried out, or nothing was to be done. pending: waits or is under way. skipped: nothing was to be sent, for the reason given. denied: this gateway refused it right before sending. rejected: the broker refused it. expired: too old. overtaken: a newer copy, or a later exit, replaced it. withdrawn, notSent, lost: nothing is at the broker. unknown: it may be live there. unprotected: the position may stand without its exits",
    }),
    reason: nullable(Type.String({ description: "What became of it, in plain words" })),
    symbol: nullable(ResolvedSymbol),
    targetQty: nullable(TargetQty),
    leader: nullable(LeaderEvent),
    filledQty: Type.Integer({ minimum: 0 }),
    averagePrice: nullable(Price),
    slippageTicks: nullable(
      Type.Number({
        description:
          "How much worse than the leader's price, in ticks of the follower's contract; negative is better",
      }),
    ),
    sentMs: nullable({
      ...Milliseconds,
      description: "From the leader's fill until the follower's order was sent",
    }),
    settledMs: nullable({
      ...Milliseconds,
      description: "From the leader's fill until the follower's broker had answered",
    }),
    notedAt: Instant,
    decisions: Type.Array(Type.String(), { description: "What was decided, in plain words" }),
    intentId: nullable(IntentIdText),
  },
  { title: "Copy" },
);

export const CopiesReply = Type.Object(
  {
    copies: Type.Array(CopyReply),
    nextCursor: NextCursor,
  },
  { title: "Copies" },
);

export const SyncedReply = Type.Object(
  {
    copies: Type.Array(
      Type.Object(
        {
          copyId: CopyIdText,
          accountId: AccountIdText,
          symbol: nullable(ResolvedSymbol),
          targetQty: nullable(TargetQty),
        },
        { title: "SyncCopy" },
      ),
    ),
  },
  { title: "SyncCopies" },
);

export const CopiesQuery = Type.Object(
  {
    limit: PageLimit,
    cursor: Type.Optional(Cursor),
    accountId: Type.Optional(AccountIdText),
    outcome: Type.Optional(choice(COPY_OUTCOMES)),
  },
  { additionalProperties: false },
);

/** Copy trading in the API document's story: one account follows in micros, one half as large. */

const TIME = "2026-09-21T14:30:00.000Z";
const GROUP = "cg_4f8a2c90d1e7";
const COPY = "i3f9a0c4d17be52a6c0d91e8b7f24";

const TERMS = {
  name: "Evaluations",
  mode: "fills",
  driftPolicy: "alarm",
  driftAfterSeconds: 10,
  maxAgeSeconds: 30,
  stopAfterRejects: 3,
  paused: false,
};

export const COPY_GROUP_BODIES = {
  twoFollowers: {
    name: "Evaluations",
    leaderAccountId: "paper-1",
    driftPolicy: "repair",
    followers: [
      { accountId: "paper-2", multiplier: "0.5", rounding: "up" },
      { accountId: "paper-3", symbolMap: { ES: "MES" }, allowedSymbols: ["MES"], maxQty: 5 },
    ],
  },
};

export const COPY_GROUP = {
  id: GROUP,
  ...TERMS,
  leaderAccountId: "paper-1",
  createdAt: TIME,
  leader: { connectionStatus: "CONNECTED" },
  followers: [
    {
      accountId: "paper-3",
      multiplier: "1",
      rounding: "down",
      fixedQty: null,
      invert: false,
      symbolMap: { ES: "MES" },
      allowedSymbols: ["MES"],
      maxQty: 5,
      enabled: true,
      state: "drifting",
      reason: "MESZ6: it holds 1 and is to hold 2",
      notices: [],
      stoppedAt: null,
      positions: [{ symbol: "MESZ6", leaderQty: 2, targetQty: 2, heldQty: 1, driftQty: -1 }],
    },
  ],
};

export const FOLLOWER_BODIES = {
  micros: { symbolMap: { ES: "MES" }, allowedSymbols: ["MES"], maxQty: 5 },
  alwaysOne: { fixedQty: 1 },
};

export const FOLLOWER_CHANGES = {
  off: { enabled: false },
  resume: { resume: true },
  smaller: { multiplier: "0.25", maxQty: null },
};

export const SYNCED = {
  copies: [{ copyId: COPY, accountId: "paper-3", symbol: "MESZ6", targetQty: 2 }],
};

export const COPIES = {
  copies: [
    {
      id: COPY,
      groupId: GROUP,
      accountId: "paper-3",
      leaderAccountId: "paper-1",
      cause: "fill",
      outcome: "done",
      reason: "The order in MESZ6 is filled: 2 at 5000.5",
      symbol: "MESZ6",
      targetQty: 2,
      leader: {
        symbol: "ESZ6",
        action: "buy",
        qty: 2,
        averagePrice: 5000.25,
        at: TIME,
        orderId: "4000001",
      },
      filledQty: 2,
      averagePrice: 5000.5,
      slippageTicks: 1,
      sentMs: 9,
      settledMs: 31,
      notedAt: TIME,
      decisions: [],
      intentId: COPY,
    },
  ],
  nextCursor: null,
};
