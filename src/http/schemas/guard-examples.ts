const TIME = "2026-09-21T14:30:00.000Z";
const NEXT_DAY = "2026-09-21T22:00:00.000Z";

const DAILY_LOSS = {
  id: "daily-loss",
  kind: "loss",
  mode: "on",
  lock: "hard",
  period: "day",
  limit: 1_000,
  counts: "open",
  then: "flatten",
};
const DRAWDOWN = {
  id: "drawdown",
  kind: "drawdown",
  mode: "on",
  lock: "hard",
  trails: "endOfDay",
  size: 2_000,
  start: 50_000,
  locksAt: 50_000,
  then: "flatten",
};
const LOTS = {
  id: "lots",
  kind: "lots",
  mode: "on",
  lock: "soft",
  max: 5,
  weights: { MES: 0.1, MNQ: 0.1 },
};
const FLAT_BY = {
  id: "flat-by",
  kind: "flatBy",
  mode: "on",
  lock: "soft",
  zone: "America/Chicago",
  time: "15:10",
  entriesOffMinutes: 5,
  flattenSeconds: 120,
  resumes: "17:00",
};

const SETTINGS = {
  currency: "USD",
  warnPercent: 70,
  entriesOffPercent: 90,
  bufferPercent: 5,
  whenBlind: { then: "alarm", afterSeconds: 60 },
};

export const PUT_GUARDS = {
  dailyLoss: { rules: [{ ...DAILY_LOSS, limit: "1000.50" }] },
  evaluation: {
    bufferPercent: 10,
    balance: "50000",
    version: "7",
    rules: [DAILY_LOSS, DRAWDOWN, LOTS, FLAT_BY],
  },
};

export const GUARDS = {
  accountId: "paper-1",
  version: "7",
  settings: SETTINGS,
  rules: [
    {
      rule: DAILY_LOSS,
      verdict: {
        level: "warn",
        shadow: false,
        unit: "money",
        figure: -742.5,
        limit: -1_000,
        room: 257.5,
        usedPercent: 74.25,
        source: "gateway",
        asOf: TIME,
        ageMs: 850,
        resetsAt: NEXT_DAY,
        reason: "-742.50 of -1000.00",
      },
      upcoming: null,
    },
    {
      rule: FLAT_BY,
      verdict: {
        level: "ok",
        shadow: false,
        unit: "none",
        figure: null,
        limit: null,
        room: null,
        usedPercent: null,
        source: "gateway",
        asOf: TIME,
        ageMs: 850,
        resetsAt: null,
        reason: "Nothing is forbidden now",
      },
      upcoming: {
        forbids: "entries",
        from: "2026-09-21T20:05:00.000Z",
        until: NEXT_DAY,
        reason: "Flat by 15:10 (America/Chicago)",
      },
    },
  ],
  next: null,
  judgedAt: TIME,
  entriesRefused: null,
  lock: null,
  blind: null,
  balance: 50_000,
  tradingDay: "2026-09-21",
  dayEndsAt: NEXT_DAY,
  broker: {
    currency: "USD",
    rules: [
      {
        kind: "dailyLoss",
        grade: "liquidate",
        limit: 1_000,
        floor: null,
        trails: null,
        flatAt: null,
        locked: true,
      },
    ],
    refusesEntries: null,
    asOf: TIME,
    ageMs: 12_000,
  },
  asOf: TIME,
};

export const GUARD_HISTORY = {
  decisions: [
    {
      at: TIME,
      what: "warned",
      ruleId: "daily-loss",
      reason: "-742.50 of -1000.00",
      by: null,
    },
  ],
  nextCursor: null,
};

const PRESET = {
  name: "topstep-combine-50k",
  title: "Topstep 50K Combine",
  firm: "Topstep",
  accountSize: 50_000,
  currency: "USD",
  asOf: "2026-11",
  caution: "Dated 2026-11; check with your firm before you rely on it",
};

export const GUARD_PRESETS = { presets: [PRESET] };

export const GUARD_PRESET = {
  ...PRESET,
  sources: [{ grade: "official", what: "Topstep's help pages: maximum loss limit (8284204)" }],
  conflicts: ["One site says that the Combine trails intraday; the firm says end of day"],
  notices: ["No VPS, VPN or remote server"],
  settings: SETTINGS,
  rules: [DRAWDOWN, LOTS, FLAT_BY],
};
