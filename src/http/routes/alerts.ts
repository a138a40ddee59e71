import { credentialId } from "../../domain/ids.ts";
import type { Gateway } from "../../trading/gateway.ts";
import { asTest, toDelivery } from "../alerts/delivery.ts";
import { alertAnswer, type AlertAudience, alertsAnswer } from "../present/alert.ts";
import { presentLoggedAlert, presentWholeAlert } from "../present/logged-alert.ts";
import { readRange } from "../requests/read-range.ts";
import { type ApiRoute, apiRoute, OWN_RECORD } from "../route.ts";
import {
  ALERT_BODIES,
  ALERT_DONE,
  ALERT_LIST,
  ALERT_TESTED,
  AlertBody,
  AlertDoneReply,
  AlertMixedReply,
  AlertPendingReply,
  AlertsQuery,
  LOGGED_ALERT,
  LOGGED_ALERT_LINE,
  LoggedAlertReply,
  LoggedAlertsReply,
} from "../schemas/alert.ts";
import { CredentialIdText, IntentIdText } from "../schemas/parts.ts";
import { ALERT_ERRORS } from "./error-sets.ts";
import { accountOf, alertOf, webhookOf } from "../requests/path-ids.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

export interface AlertRouteDeps {
  readonly gateway: Gateway;
  readonly describeContract: DescribeContract;
}

/** What became of alerts, and trying them out. */
export function alertRoutes(deps: AlertRouteDeps): ApiRoute[] {
  return [...log(deps), replay(deps), test(deps)];
}

function log({ gateway, describeContract }: AlertRouteDeps): ApiRoute[] {
  return [
    apiRoute({
      method: "GET",
      path: "/v1/alerts",
      id: "listAlerts",
      tag: "Alerts",
      summary: "List alerts and what became of each, newest first",
      effect: "read",
      scope: "read",
      query: AlertsQuery,
      replies: [
        {
          status: 200,
          description: "A page of alerts",
          schema: LoggedAlertsReply,
          example: { alerts: [LOGGED_ALERT_LINE], nextCursor: null },
        },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, query }) {
        const { from, to, accountId, webhookId, ...same } = query;
        const { items, nextCursor = null } = await gateway.listAlerts(caller, {
          ...same,
          ...readRange({ from, to }),
          ...(accountId !== undefined && { accountId: accountOf(accountId) }),
          ...(webhookId !== undefined && { webhookId: credentialId(webhookId) }),
        });
        const alerts = items.map((alert) => presentLoggedAlert(alert, describeContract));
        return { status: 200, body: { alerts, nextCursor } };
      },
    }),
    apiRoute({
      method: "GET",
      path: "/v1/alerts/{alertId}",
      id: "readAlert",
      tag: "Alerts",
      summary: "Read everything about one alert",
      effect: "read",
      scope: "read",
      params: { alertId: IntentIdText },
      replies: [
        { status: 200, description: "The alert", schema: LoggedAlertReply, example: LOGGED_ALERT },
      ],
      errors: ["NOT_FOUND"],
      async handle({ caller, params }) {
        const alert = await gateway.findAlert(caller, alertOf(params));
        return { status: 200, body: presentWholeAlert(alert, describeContract) };
      },
    }),
  ];
}

const REPLIES = [
  { status: 200, description: "It is done", schema: AlertDoneReply, example: ALERT_DONE },
  {
    status: 202,
    description: "It is accepted, and its outcome not known yet",
    schema: AlertPendingReply,
    example: { alertId: "01J8ZK3V7M", intentId: "01J8ZK3V7M", outcome: "pending" },
  },
] as const;

function replay({ gateway, describeContract }: AlertRouteDeps): ApiRoute {
  return apiRoute({
    method: "POST",
    path: "/v1/alerts/{alertId}/replay",
    id: "replayAlert",
    effect: "change",
    audit: { message: "Alert replayed" },
    tag: "Alerts",
    summary: "Carry out an alert that was never sent",
    description:
      "For a person who has looked: an alert that was refused, denied, expired or withdrawn is carried out as if it came now. Asked again, it answers with the first replay.",
    scope: "trade",
    params: { alertId: IntentIdText },
    replies: [...REPLIES],
    errors: [...ALERT_ERRORS, "NOT_FOUND", "NOT_REPLAYABLE"],
    async handle({ caller, params }) {
      const handled = await gateway.replayAlert(caller, alertOf(params));
      const answer = alertAnswer(handled, apiAudience(describeContract, caller.requestId));
      return { ...answer, changed: { intentId: handled.alertId } };
    },
  });
}

function test({ gateway, describeContract }: AlertRouteDeps): ApiRoute {
  return apiRoute({
    method: "POST",
    path: "/v1/webhooks/{id}/test",
    id: "testAlert",
    effect: "change",
    audit: OWN_RECORD,
    tag: "Webhooks",
    summary: "Try an alert: everything but the sending",
    description:
      "The body is what the sender would post, of any content type. Limits, kill switch and what the account holds decide as they would now. It stands in the alert log as a test.",
    scope: "trade",
    params: { id: CredentialIdText },
    takesText: true,
    body: AlertBody,
    bodyExamples: ALERT_BODIES,
    replies: [
      {
        status: 200,
        description: "What would be sent",
        schema: AlertDoneReply,
        example: ALERT_TESTED,
      },
      REPLIES[1],
      {
        status: 207,
        description: "An array whose alerts, or a group whose accounts, are answered differently",
        schema: AlertMixedReply,
        example: ALERT_LIST,
      },
    ],
    errors: [...ALERT_ERRORS, "NOT_FOUND"],
    async handle({ caller, params, body }) {
      const webhook = await gateway.findWebhook(caller, webhookOf(params));
      const { receivedAt, requestId } = caller;
      const text = typeof body === "string" ? body : "";
      const delivery = toDelivery({ webhook, receivedAt, requestId, sender: "api", text });
      const handled = await gateway.receiveAlerts(webhook, asTest(delivery));
      return alertsAnswer(handled, apiAudience(describeContract, requestId));
    },
  });
}

/** Callers of `/v1` are told an error by its own status. */
function apiAudience(describe: DescribeContract, requestId: string): AlertAudience {
  return { describe, requestId, told: (error) => ({ error, status: error.spec.status }) };
}
