import { Type } from "@sinclair/typebox";
import type { Gateway } from "../../trading/gateway.ts";
import { isExit, readFor, toDelivery } from "../alerts/delivery.ts";
import { alertsAnswer } from "../present/alert.ts";
import { errorForSender, hookStatus } from "../present/outcome.ts";
import { type HookRoute, OWN_RECORD } from "../route.ts";
import {
  ALERT_BODIES,
  ALERT_DONE,
  ALERT_LIST,
  AlertBody,
  AlertDoneReply,
  AlertMixedReply,
  AlertPendingReply,
} from "../schemas/alert.ts";
import { ALERT_ERRORS } from "./error-sets.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

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
      reserve: (webhook, text) => {
        const { alerts } = readFor(webhook, text);
        return alerts.some(isExit);
      },
      effect: "change",
      audit: OWN_RECORD,
      tag: "Alerts",
      summary: "Turn an alert into a trade",
      description:
        "Any content type. Answers within 2 seconds. Alert senders send again after a 5xx, but not after a 504: so 503 says that nothing was accepted, 504 that it may have been, and the broker's refusal is a 422. The same alert again is answered with the first one's outcome and marked. An array is answered with one answer for each alert; its status is theirs where all are 200 or all 202, else 207. So is an alert of a webhook for an account group, with one answer for each account.",
      params: {
        token: Type.String({ description: "The secret that POST /v1/webhooks answered with" }),
      },
      body: AlertBody,
      bodyExamples: ALERT_BODIES,
      replies: [
        { status: 200, description: "It is done", schema: AlertDoneReply, example: ALERT_DONE },
        {
          status: 202,
          description:
            "It is accepted, and its outcome not known yet, or an exit that is not done goes on by itself",
          schema: AlertPendingReply,
          example: { alertId: "01J8ZK3V7M", intentId: "01J8ZK3V7M", outcome: "pending" },
        },
        {
          status: 207,
          description: "An array whose alerts, or a group whose accounts, are answered differently",
          schema: AlertMixedReply,
          example: ALERT_LIST,
        },
      ],
      errors: ALERT_ERRORS,
      async handle(received) {
        const handled = await gateway.receiveAlerts(received.webhook, toDelivery(received));
        return alertsAnswer(handled, {
          describe: describeContract,
          requestId: received.requestId,
          told: (error) => {
            const told = errorForSender(error);
            return { error: told, status: hookStatus(told) };
          },
        });
      },
    },
  ];
}
