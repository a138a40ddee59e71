import { Type } from "@sinclair/typebox";
import { choice } from "./parts.ts";

/** What an Alertmanager posts. Its sender is not ours: what is not known of it passes. */
const OPEN = { additionalProperties: true } as const;
const Texts = Type.Record(Type.String(), Type.String());

/** One message is handled in one step. */
export const MOST_AT_ONCE = 200;

export const OperatorAlarmsBody = Type.Object(
  {
    version: choice(["4"]),
    groupKey: Type.Optional(Type.String()),
    truncatedAlerts: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          "How many alarms of the group it left out: they are reported as one more alarm",
      }),
    ),
    alerts: Type.Array(
      Type.Object(
        {
          status: choice(["firing", "resolved"]),
          labels: Texts,
          annotations: Type.Optional(Texts),
          startsAt: Type.String(),
          endsAt: Type.Optional(Type.String()),
          fingerprint: Type.String({ minLength: 1, maxLength: 128 }),
        },
        OPEN,
      ),
      { description: `All beyond ${MOST_AT_ONCE} count as left out` },
    ),
  },
  { title: "OperatorAlarms", description: "The webhook of a Prometheus Alertmanager", ...OPEN },
);

export const OPERATOR_ALARMS = {
  version: "4",
  groupKey: '{}:{alertname="GatewayStoreSlow"}',
  status: "firing",
  receiver: "person",
  truncatedAlerts: 0,
  alerts: [
    {
      status: "firing",
      labels: { alertname: "GatewayStoreSlow", severity: "ticket" },
      annotations: {
        summary: "Redis is slow to write",
        runbook_url: "http://127.0.0.1:9090/consoles/runbook.html#gateway-store-slow",
      },
      startsAt: "2026-09-21T14:30:00.000Z",
      endsAt: "0001-01-01T00:00:00Z",
      generatorURL: "http://127.0.0.1:9090/graph",
      fingerprint: "c1d2e3f4a5b60718",
    },
  ],
};
