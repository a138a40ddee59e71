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
