import { ACCOUNT_ENVIRONMENTS } from "../../domain/environment.ts";
import { Type } from "@sinclair/typebox";
import { AccountIdText, choice, Instant, nullable } from "./parts.ts";
import { ConnectionIdText } from "./connection.ts";
import { POSITION } from "./position.ts";

/** Of more positions than these only the counts are told. */
export const MOST_HOLDINGS = 200;

const Count = Type.Integer({ minimum: 0 });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const Milliseconds = Type.Number({ minimum: 0 });

const TroubleReply = Type.Object(
  {
    kind: choice([
      "store",
      "unknown",
      "exit",
      "unprotected",
      "unseen",
      "connection",
      "outOfStep",
      "notUnderstood",
      "copying",
      "strategy",
      "waiting",
      "guard",
      "exitPlan",
      "webhook",
      "killSwitch",
    ]),
    accountId: Type.Optional(AccountIdText),
    connectionId: Type.Optional(ConnectionIdText),
    severity: choice(["critical", "warning", "info"], {
      description:
        "critical: money is at risk now. warning: something is not traded, or cannot be seen. info: a person has switched it so",
    }),
    since: nullable(Instant),
    message: Type.String({ description: "What has happened, and what follows from it" }),
    advice: Type.String({ description: "What to do" }),
    accounts: Type.Array(
      Type.Object({ accountId: AccountIdText, name: Type.String() }, { title: "AccountName" }),
      { description: "Where it is true of several accounts alike: which, 200 at most" },
    ),
  },
  { title: "Trouble" },
);

const AlertMinuteReply = Type.Object(
  {
    at: Instant,
    accepted: count("Alerts that were handed on to their account"),
    refused: count("Alerts of which nothing was handed on: refused ones, and repeats"),
  },
  { title: "AlertMinute" },
);

const LatencyReply = Type.Object(
  { p50: Milliseconds, p99: Milliseconds, count: Type.Integer({ minimum: 1 }) },
  { title: "Latency" },
);

export const OverviewReply = Type.Object(
  {
    asOf: Instant,
    safe: Type.Boolean({
      description:
        "Whether there is no trouble, and every position that is held was seen to have a stop-loss. A position without one is never safe, whoever chose that",
    }),
    connections: Type.Object(
      { total: Count, connected: Count },
      { description: "Paused ones are left out" },
    ),
    killSwitch: Type.Object(
      {
        active: Type.Boolean({ description: "Of every account of the user" }),
        accounts: count("How many accounts have their own one on"),
      },
      { title: "KillSwitchState" },
    ),
    unknownOutcomes: count("Requests of which it is not known what became of them at the broker"),
    unprotectedPositions: count("Contracts whose exits were asked for and may be missing"),
    positions: Type.Object(
      {
        held: Count,
        protected: Count,
        noneAsked: count("Without a stop-loss, and none was asked for"),
        missing: count("Without exits that were asked for"),
        unknown: count("Whether a stop-loss rests cannot be seen"),
      },
      { title: "PositionCounts", description: "Over all accounts" },
    ),
    holdings: Type.Array(
      Type.Object(
        {
          accountId: AccountIdText,
          accountName: Type.String(),
          environment: choice(ACCOUNT_ENVIRONMENTS),
          ...POSITION,
          asOf: Instant,
          live: Type.Boolean({
            description:
              "False while its connection is down, or its broker has not shown it for over a minute: it may be old",
          }),
        },
        { title: "Holding" },
      ),
      {
        maxItems: MOST_HOLDINGS,
        description: `What is held, over all accounts: what needs a person first, ${MOST_HOLDINGS} at most`,
      },
    ),
    waiting: count("Requests that were accepted and that the broker has not answered yet"),
    oldestWaitingSeconds: nullable(
      Type.Number({ minimum: 0, description: "null when nothing waits" }),
    ),
    troubles: Type.Array(TroubleReply, { description: "The most severe first" }),
    alerts: Type.Object(
      {
        minutes: Type.Array(AlertMinuteReply, {
          minItems: 60,
          maxItems: 60,
          description: "The last 60, oldest first; the last one is not over yet",
        }),
        latencyMs: nullable(LatencyReply),
      },
      {
        title: "AlertTraffic",
        description:
          "latencyMs: from receipt to the broker's acknowledgement, of those among the newest 200 alerts of the hour that have one",
      },
    ),
  },
  { title: "Overview" },
);

/** The example: one alert in the last minute of the hour. */
const FIRST_MINUTE_AT = Date.UTC(2026, 8, 21, 13, 31);
const MINUTES = Array.from({ length: 60 }, (_, minute) => ({
  at: new Date(FIRST_MINUTE_AT + minute * 60_000).toISOString(),
  accepted: minute === 59 ? 1 : 0,
  refused: 0,
}));

export const OVERVIEW = {
  asOf: "2026-09-21T14:30:00.000Z",
  safe: false,
  connections: { total: 2, connected: 1 },
  killSwitch: { active: false, accounts: 0 },
  unknownOutcomes: 0,
  unprotectedPositions: 0,
  positions: { held: 1, protected: 0, noneAsked: 1, missing: 0, unknown: 0 },
  holdings: [
    {
      accountId: "paper-1",
      accountName: "Paper 1",
      environment: "demo",
      symbol: "ESZ6",
      side: "long",
      qty: 1,
      averagePrice: 5000.25,
      markPrice: 5003.5,
      markedAt: "2026-09-21T14:29:59.000Z",
      markStale: false,
      unrealizedPnl: 162.5,
      unrealizedTicks: 13,
      realizedPnl: 0,
      realizedTicks: 0,
      currency: "USD",
      tickSize: 0.25,
      tickValue: 12.5,
      protection: { state: "noneAsked", missing: [], openedBy: "alert", reason: null },
      stopLosses: [],
      takeProfits: [],
      asOf: "2026-09-21T14:29:58.000Z",
      live: true,
    },
  ],
  waiting: 0,
  oldestWaitingSeconds: null,
  troubles: [
    {
      kind: "connection",
      connectionId: "tradovate-1",
      severity: "critical",
      since: "2026-09-21T14:12:03.000Z",
      message:
        'Connection "Evaluation" was refused its login by the broker (Incorrect username or password). Orders are refused meanwhile, and its positions are not watched',
      advice: "Correct its settings, then reconnect it",
      accounts: [],
    },
  ],
  alerts: { minutes: MINUTES, latencyMs: { p50: 12, p99: 12, count: 1 } },
};
