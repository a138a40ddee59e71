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
      "unprotected",
      "unseen",
      "connection",
      "outOfStep",
      "notUnderstood",
      "copying",
      "strategy",
      "waiting",
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
          environment: choice(["demo", "live"]),
          ...POSITION,
          asOf: Instant,
          live: Type.Boolean({ description: "False while its connection is down: it may be old" }),
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
