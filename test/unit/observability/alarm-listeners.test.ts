import { describe, expect, onTestFinished, test } from "vitest";
import { type ContractCode, contractCode } from "../../../src/domain/contracts/contract.ts";
import {
  accountId,
  type AccountId,
  clOrdId,
  connectionId,
  copyGroupId,
  intentId,
  orderId,
  strategyId,
  userId,
} from "../../../src/domain/ids.ts";
import type { IntentRecord, Outcome } from "../../../src/domain/intent.ts";
import type { LegCut } from "../../../src/domain/legs.ts";
import type { Fill, OrderReport } from "../../../src/domain/order.ts";
import { openAlarms } from "../../../src/observability/alarm-log.ts";
import { createAlarmMetrics } from "../../../src/observability/alarm-metrics.ts";
import { createLogger } from "../../../src/observability/logger.ts";
import { createMetrics } from "../../../src/observability/metrics.ts";
import type { Alarm, AlarmKind } from "../../../src/trading/alarms/alarm.ts";
import { ALARMS, needOf } from "../../../src/trading/alarms/declared-alarms.ts";
import type { GuardAlarm } from "../../../src/trading/alarms/guard-alarms.ts";
import type { CopyEntry } from "../../../src/trading/copying/ports.ts";
import type { ConnectionView } from "../../../src/trading/connections/connection-uses.ts";
import { createOverviewNews } from "../../../src/trading/reads/overview-news.ts";
import { findTroubles, type OverviewFacts } from "../../../src/trading/reads/overview-troubles.ts";
import type { LoggedEvaluation } from "../../../src/trading/strategies/ports.ts";

const ACCOUNT = accountId("paper-1");
const CONNECTION = connectionId("c-1");
const ES = contractCode({ root: "ES", year: 2026, month: 12 });
const reason = "The reason";

const recordOf = (outcome: Outcome): IntentRecord => ({
  intentId: intentId("i1"),
  accountId: ACCOUNT,
  userId: userId("user_1"),
  source: { kind: "api" },
  requestId: "r1",
  intent: { kind: "CANCEL_ENTRIES" },
  state: "DONE",
  clOrdIds: [],
  acceptedAt: 0,
  entryExpiresAt: 0,
  exitExpiresAt: 0,
  outcome,
});

/** An intent's ending has one line, whether it needs a person or not. */
const ended = <Kind extends AlarmKind>(kind: Kind, outcome: Outcome) => ({
  alarm: { kind, record: recordOf(outcome) } as unknown as Extract<Alarm, { kind: Kind }>,
  line: {
    msg: "Intent settled",
    intentId: "i1",
    accountId: ACCOUNT,
    requestId: "r1",
    kind: "CANCEL_ENTRIES",
    outcome: outcome.kind,
    ...("reason" in outcome && { reason }),
  },
});

const withItsWords = <Told extends ReturnType<typeof ended>>({ line, ...told }: Told) => ({
  ...told,
  line: { ...line, msg: "A strategy's message does not fit the account's position" },
});

const leg = { orderId: orderId("o-1"), contract: ES, role: "STOP_LOSS" } as OrderReport;
const bustedFill = {
  execId: "x7",
  orderId: "o-1",
  contract: ES,
  lastQty: 2,
  takenBack: true,
} as Fill;
const cut: LegCut = { leg, leavesQty: 0, why: "entryGoesOn" };
const ofLeg = { accountId: ACCOUNT, orderId: "o-1", symbol: ES, kind: "STOP_LOSS" };

const entry: CopyEntry = {
  copyId: intentId("i2"),
  groupId: copyGroupId("g-1"),
  userId: userId("user_1"),
  leader: accountId("leader"),
  follower: ACCOUNT,
  cause: "drift",
  contract: ES,
  notedAt: 0,
} as CopyEntry;
const ofCopy = {
  intentId: "i2",
  groupId: "g-1",
  leaderId: "leader",
  accountId: ACCOUNT,
  kind: "drift",
  symbol: ES,
};

const evaluation = {
  evaluationId: intentId("i3"),
  strategyId: strategyId("st-1"),
  accountId: ACCOUNT,
  trigger: "schedule",
  verdict: "exit",
  targetQty: 0,
  sends: true,
  outcome: { kind: "rejected", reason },
} as LoggedEvaluation;
const ofEvaluation = {
  strategyId: "st-1",
  intentId: "i3",
  accountId: ACCOUNT,
  kind: "schedule",
  reason,
};

const connection = (status: ConnectionView["status"]) =>
  ({ connectionId: CONNECTION, status, since: 5 }) as ConnectionView;
const work = (change: object) => [
  {
    accountId: ACCOUNT,
    waiting: 0,
    unknown: 0,
    unfinished: 0,
    heldExits: 0,
    unprotected: 0,
    oldestMs: 0,
    ...change,
  },
];

interface Case<Kind extends AlarmKind> {
  readonly alarm: Extract<Alarm, { kind: Kind }>;
  /** What the log says of it beside its level; its message, unless this says so, as declared. */
  readonly line?: object;
  /** What grows by 1. */
  readonly counted?: string;
  /** Of what the overview is read again. */
  readonly news?: AccountId;
  /** What the overview finds the same in. */
  readonly found?: Partial<OverviewFacts>;
}

/** Logged with its reason, and shown on the overview of its account's user. */
const ofGuard = <One extends GuardAlarm>(alarm: One) => ({
  alarm,
  line: { accountId: ACCOUNT, reason },
  news: ACCOUNT,
  found: { guards: [alarm] },
});

const CASES: { readonly [Kind in AlarmKind]: Case<Kind> } = {
  unprotected: {
    alarm: { kind: "unprotected", accountId: ACCOUNT, contract: ES, exits: ["STOP_LOSS"] },
    news: ACCOUNT,
    found: {
      holdings: [
        {
          account: { accountId: ACCOUNT, name: "Paper" },
          position: { contract: ES, netQty: 1 },
          protection: { kind: "missing", exits: ["STOP_LOSS"] },
          noted: [],
        },
      ] as unknown as OverviewFacts["holdings"],
    },
  },
  outOfStep: {
    alarm: { kind: "outOfStep", accountId: ACCOUNT },
    news: ACCOUNT,
    found: { outOfStep: [ACCOUNT] },
  },
  loginRefused: {
    alarm: { kind: "loginRefused", connectionId: CONNECTION, reason },
    found: { connections: [connection("AUTH_EXPIRED")] },
  },
  connectionRefused: {
    alarm: { kind: "connectionRefused", connectionId: CONNECTION, reason },
    found: { connections: [connection("FATAL_ERROR")] },
  },
  noRoom: { alarm: { kind: "noRoom", count: 3 }, line: { count: 3 } },
  moneyDiffers: {
    alarm: { kind: "moneyDiffers", accountId: ACCOUNT, currency: "USD", reason },
    line: { accountId: ACCOUNT, reason },
    news: ACCOUNT,
  },
  exitPlanHeld: {
    alarm: { kind: "exitPlanHeld", accountId: ACCOUNT, contract: ES, what: "blind", reason },
    line: { accountId: ACCOUNT, symbol: ES, reason },
    news: ACCOUNT,
    found: {
      plans: [{ kind: "exitPlanHeld", accountId: ACCOUNT, contract: ES, what: "blind", reason }],
    },
  },
  guardBlind: ofGuard({ kind: "guardBlind", accountId: ACCOUNT, reason }),
  guardNotFlat: ofGuard({ kind: "guardNotFlat", accountId: ACCOUNT, reason }),
  accountLocked: ofGuard({ kind: "accountLocked", accountId: ACCOUNT, reason, until: 5 }),
  guardsUnjudged: ofGuard({ kind: "guardsUnjudged", accountId: ACCOUNT, reason }),
  calendarExpired: ofGuard({
    kind: "calendarExpired",
    accountId: ACCOUNT,
    calendar: "news",
    reason,
  }),
  clockApart: { alarm: { kind: "clockApart", reason }, line: { reason } },
  storeRefused: { alarm: { kind: "storeRefused", reason }, line: { reason } },
  storeUnsafe: {
    alarm: { kind: "storeUnsafe", finding: "replicas", reason },
    line: { reason },
    found: { store: [{ cause: "storeUnsafe", finding: "replicas", text: reason }] },
  },
  diskNeedsRoom: {
    alarm: { kind: "diskNeedsRoom", finding: "diskLow", reason },
    line: { reason },
    found: { store: [{ cause: "diskNeedsRoom", finding: "diskLow", text: reason }] },
  },
  memoryNeedsRoom: {
    alarm: { kind: "memoryNeedsRoom", finding: "memoryLow", reason },
    line: { reason },
    found: { store: [{ cause: "memoryNeedsRoom", finding: "memoryLow", text: reason }] },
  },
  storeSlow: {
    alarm: { kind: "storeSlow", finding: "slow", reason },
    line: { reason },
    found: { store: [{ cause: "storeSlow", finding: "slow", text: reason }] },
  },
  alarmsFull: { alarm: { kind: "alarmsFull", count: 7 }, line: { count: 7 } },
  outcomeUnknown: {
    ...ended("outcomeUnknown", { kind: "unknown", reason }),
    found: { work: work({ unknown: 1 }) },
  },
  orderLost: ended("orderLost", { kind: "lost", reason }),
  orderNameless: {
    alarm: { kind: "orderNameless", accountId: ACCOUNT, intentId: intentId("i1"), reason },
    line: { accountId: ACCOUNT, intentId: "i1", reason },
  },
  exitExpired: ended("exitExpired", { kind: "expired", reason }),
  exitNotSent: ended("exitNotSent", { kind: "notSent", reason }),
  exitRefused: ended("exitRefused", { kind: "rejected", reason }),
  exitIncomplete: ended("exitIncomplete", { kind: "done" } as Outcome),
  exitUnfinished: ended("exitUnfinished", { kind: "unfinished" } as Outcome),
  exitHeld: ended("exitHeld", { kind: "held" } as Outcome),
  protectionFailed: ended("protectionFailed", {
    kind: "unprotected",
    canceled: "stop",
    reason,
    restored: false,
  }),
  exitsMissing: ended("exitsMissing", { kind: "rejected", reason }),
  strategyContradicted: withItsWords(
    ended("strategyContradicted", { kind: "denied", code: "POSITION_MISMATCH", reason }),
  ),
  exitsNotAsAsked: {
    alarm: {
      kind: "exitsNotAsAsked",
      connectionId: CONNECTION,
      accountId: ACCOUNT,
      orderId: orderId("o-1"),
      contract: ES,
      reason,
    },
    line: { connectionId: CONNECTION, accountId: ACCOUNT, orderId: "o-1", symbol: ES, reason },
  },
  legDropped: {
    alarm: { kind: "legDropped", accountId: ACCOUNT, cut },
    line: {
      msg: "A leg was cancelled",
      ...ofLeg,
      qty: 0,
      reason: expect.stringContaining("no such exit any more"),
    },
  },
  legLost: { alarm: { kind: "legLost", accountId: ACCOUNT, leg }, line: ofLeg },
  legStuck: {
    alarm: { kind: "legStuck", accountId: ACCOUNT, cut: { ...cut, why: "noPosition" }, reason },
    line: {
      ...ofLeg,
      qty: 0,
      reason: "Its position is closed; the last answer: The reason",
    },
  },
  positionTurned: {
    alarm: { kind: "positionTurned", accountId: ACCOUNT, contract: ES, netQty: -1 },
    line: { accountId: ACCOUNT, symbol: ES, qty: -1 },
    counted: 'reconciliation_differences_total{kind="turned"}',
  },
  feedFailed: {
    alarm: { kind: "feedFailed", connectionId: CONNECTION, reason },
    line: { connectionId: CONNECTION, reason },
    counted: 'reconciliation_differences_total{kind="feed"}',
    found: { blocked: [{ connection: connection("CONNECTED"), reason }] },
  },
  unexplained: {
    alarm: {
      kind: "unexplained",
      accountId: ACCOUNT,
      difference: {
        kind: "lateOrder",
        contract: ES,
        intentId: intentId("i1"),
        orderId: orderId("o-1"),
        clOrdId: clOrdId("i1-1"),
        state: "LOST",
      },
    },
    line: {
      accountId: ACCOUNT,
      kind: "lateOrder",
      symbol: ES,
      intentId: "i1",
      orderId: "o-1",
      clOrdId: "i1-1",
      reason: "The order works or was filled, and its intent had ended as LOST",
    },
    counted: 'reconciliation_differences_total{kind="lateOrder"}',
  },
  fillCorrected: {
    alarm: { kind: "fillCorrected", accountId: ACCOUNT, fill: bustedFill },
    line: {
      accountId: ACCOUNT,
      orderId: "o-1",
      symbol: ES,
      qty: 2,
      reason: "It was taken back: fill x7",
    },
    counted: 'reconciliation_differences_total{kind="correctedFill"}',
  },
  jobDropped: {
    alarm: { kind: "jobDropped", accountId: ACCOUNT, jobId: "odd-1" },
    line: { accountId: ACCOUNT, intentId: "odd-1" },
    counted: "dead_letters_total",
  },
  followerStopped: {
    alarm: { kind: "followerStopped", entry, reason },
    line: { ...ofCopy, reason },
    counted: "copy_stops_total",
    news: ACCOUNT,
    found: { drifted: [{ account: ACCOUNT, leader: accountId("leader"), state: "stopped" }] },
  },
  followerDrifted: {
    alarm: { kind: "followerDrifted", entry, heldQty: 2, dueQty: 1 },
    line: { ...ofCopy, qty: 2, reason: "It is to hold 1" },
    counted: "copy_drifts_total",
    news: ACCOUNT,
    found: { drifted: [{ account: ACCOUNT, leader: accountId("leader"), state: "drifted" }] },
  },
  strategyMissed: {
    alarm: {
      kind: "strategyMissed",
      evaluation: { ...evaluation, verdict: "missed", missedSlots: 3 },
    },
    line: { ...ofEvaluation, state: "missed", outcome: "rejected", count: 3 },
    found: { failing: [{ name: "S", accountId: ACCOUNT, what: "notEvaluated", reason }] },
  },
  strategyNotCarriedOut: {
    alarm: { kind: "strategyNotCarriedOut", evaluation },
    line: { ...ofEvaluation, state: "exit", outcome: "rejected" },
    counted: 'strategy_unsent_total{decision="exit"}',
    found: { failing: [{ name: "S", accountId: ACCOUNT, what: "notCarriedOut", reason }] },
  },
  startedUnsafe: {
    alarm: { kind: "startedUnsafe", reason },
    line: { reason },
    found: { store: [{ cause: "storeUnsafe", finding: "replicas", text: reason }] },
  },
  answerMissing: {
    alarm: { kind: "answerMissing", intentId: intentId("i1"), accountId: ACCOUNT },
    line: { intentId: "i1", accountId: ACCOUNT },
    counted: "answers_missing_total",
  },
  exitAlertRefused: {
    alarm: {
      kind: "exitAlertRefused",
      intentId: intentId("i1"),
      accountId: ACCOUNT,
      requestId: "r1",
      reason,
    },
    line: { intentId: "i1", accountId: ACCOUNT, requestId: "r1", reason },
  },
  exitTakenForRepeat: {
    alarm: {
      kind: "exitTakenForRepeat",
      intentId: intentId("i1"),
      accountId: ACCOUNT,
      requestId: "r1",
      reason,
    },
    line: { intentId: "i1", accountId: ACCOUNT, requestId: "r1", reason },
  },
  alertNotLogged: {
    alarm: {
      kind: "alertNotLogged",
      intentId: intentId("i1"),
      accountId: ACCOUNT,
      requestId: "r1",
      error: new TypeError("It broke"),
    },
    line: {
      intentId: "i1",
      accountId: ACCOUNT,
      requestId: "r1",
      error: expect.objectContaining({ name: "TypeError", message: "It broke" }),
    },
  },
};

const KINDS = Object.entries(CASES) as [AlarmKind, Case<AlarmKind>][];

function listen() {
  const written: string[] = [];
  const news: unknown[] = [];
  const log = createLogger("debug", { write: (line) => void written.push(line) });
  const alarms = openAlarms(log);
  const metrics = createMetrics("1.2.3");
  onTestFinished(() => metrics.close());
  alarms.listen(createAlarmMetrics(metrics));
  alarms.listen(createOverviewNews({ publish: (...what) => void news.push(what) }));
  const counters = async () =>
    (await metrics.text()).split("\n").filter((line) => /^gateway_\w+_total\b/.test(line));
  return {
    alarms,
    news,
    counters,
    lines: () =>
      written.map((line) => {
        const { time: _, ...said } = JSON.parse(line) as Record<string, unknown>;
        return said;
      }),
  };
}

describe.each(KINDS)("%s", (kind, { alarm, line, counted, news: account, found }) => {
  test("is an error in the log, in the words that are declared, or has a line elsewhere", () => {
    const { alarms, lines } = listen();
    alarms.raise(alarm);
    const declared = { level: "error", msg: ALARMS[kind].message };
    expect(lines()).toEqual(line === undefined ? [] : [{ ...declared, ...line }]);
  });

  test("is counted where it has a counter, and nowhere else", async () => {
    const { alarms, counters } = listen();
    const before = new Set(await counters());
    alarms.raise(alarm);
    const grown = (await counters()).filter((one) => !before.has(one));
    expect(grown).toEqual(counted === undefined ? [] : [`gateway_${counted} 1`]);
  });

  test("has the overview read again where that shows it", () => {
    const { alarms, news } = listen();
    alarms.raise(alarm);
    expect(news).toEqual(account === undefined ? [] : [[{ accountId: account }, "overview"]]);
  });

  test("says what to do, and the overview says the same", () => {
    expect(ALARMS[kind].advice).not.toBe("");
    if (found === undefined) return;
    const [trouble] = findTroubles({ ...QUIET, ...found });
    const { severity, advice } = needOf(kind);
    expect(trouble).toMatchObject({ severity, advice });
  });
});

const QUIET: OverviewFacts = {
  now: 0,
  nameOf: (account) => account,
  holdings: [],
  connections: [],
  work: [],
  switches: { ofUser: false, accounts: [] },
  outOfStep: [],
  unread: [],
  blocked: [],
  drifted: [],
  guards: [],
  plans: [],
  failing: [],
  unclear: [],
  silent: [],
  store: [],
};

test("what is over is told where it stood", () => {
  const { alarms, lines, news } = listen();
  const contract: ContractCode = ES;
  alarms.raise(CASES.storeRefused.alarm);
  alarms.raise(CASES.unprotected.alarm);
  news.length = 0;
  alarms.clear({ kind: "storeRefused" });
  alarms.clear({ kind: "unprotected", accountId: ACCOUNT, contract });
  expect(lines().slice(1)).toEqual([
    { level: "warn", msg: "The store is as it was, and is used again" },
  ]);
  expect(news).toEqual([[{ accountId: ACCOUNT }, "overview"]]);
});
