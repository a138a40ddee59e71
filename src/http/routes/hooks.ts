import { Type } from "@sinclair/typebox";
import { errors } from "../../errors.ts";
import type { DescribeContract, Gateway } from "../../trading/gateway.ts";
import { readAlert } from "../alert-body.ts";
import { alertAnswer } from "../present/alert.ts";
import type { HookRoute } from "../route.ts";
import { AlertAcceptedReply, AlertBody, AlertDoneReply } from "../schemas/webhook.ts";
import { PLACING_ERRORS } from "./error-sets.ts";
import { ALERT_BODIES, ALERT_DONE } from "./examples.ts";

export interface HookRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

/** Where charting platforms post to. */
export function hookRoutes({ gateway, describeContract }: HookRouteDeps): HookRoute[] {
  return [
    {
      kind: "hook",
      method: "POST",
      path: "/hooks/{token}",
      id: "postAlert",
      tag: "Alerts",
      summary: "Turn an alert into a trade",
      description:
        "Any content type; the body is a JSON object. Answers within 2 seconds. Alert senders send again after a 5xx, but not after a 504: so 503 says that nothing was accepted, 504 that it may have been, and the broker's refusal is a 422.",
      params: {
        token: Type.String({ description: "The secret that POST /v1/webhooks answered with" }),
      },
      body: AlertBody,
      bodyExamples: ALERT_BODIES,
      replies: [
        {
          status: 200,
          description: "It is done",
          schema: AlertDoneReply,
          example: ALERT_DONE,
        },
        {
          status: 202,
          description: "It is accepted, and its outcome not known yet",
          schema: AlertAcceptedReply,
          example: { alertId: "01J8ZK3V7M", intentId: "01J8ZK3V7M", outcome: "pending" },
        },
      ],
      errors: [
        ...PLACING_ERRORS.filter((code) => code !== "OUTCOME_UNKNOWN"),
        "WEBHOOK_PAUSED",
        "SYMBOL_MISMATCH",
        "NO_POSITION",
      ],
      async handle({ webhook, received, text }) {
        await gateway.requireAlertAccount(webhook);
        const alert = readAlert(text);
        if (!alert.ok) throw errors.validationFailed(alert.problems);
        const handled = await gateway.handleAlert(webhook, alert.value, received);
        return alertAnswer(handled, describeContract);
      },
    },
  ];
}
