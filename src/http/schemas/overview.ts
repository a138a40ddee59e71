import { Type } from "@sinclair/typebox";
import { AccountIdText, choice, Instant, nullable } from "./parts.ts";
import { ConnectionIdText } from "./connection.ts";

const Count = Type.Integer({ minimum: 0 });
const count = (description: string) => Type.Integer({ minimum: 0, description });
const Milliseconds = Type.Number({ minimum: 0 });

const TroubleReply = Type.Object(
  {
    kind: choice([
      "store",
      "unknown",
      "unprotected",
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
    message: Type.String({ description: "What is wrong, what follows from it and what to do" }),
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
    safe: Type.Boolean({ description: "Whether there is no trouble at all" }),
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
    waiting: count("Requests that were accepted and that the broker has not answered yet"),
    oldestWaitingSeconds: nullable(
      Type.Number({ minimum: 0, description: "null when nothing waits" }),
    ),
    troubles: Type.Array(TroubleReply, { description: "The gravest first" }),
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
