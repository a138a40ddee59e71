import { describe, expect, test } from "vitest";
import type { LoggedAlert } from "../../../../src/trading/alerts/alert-log.ts";
import { eventOfAlert } from "../../../../src/trading/notify/event-of-alert.ts";
import { delivery, NOW, openReception, withOptions } from "../../trading/alerts/alerts-kit.ts";
import { asksFor } from "./real-life/asks-for.ts";
import { CROSSTRADE } from "./real-life/crosstrade.ts";
import type { Accepted, Message, Refused } from "./real-life/message.ts";
import { NATIVE } from "./real-life/native.ts";
import { OTHER_SERVICES } from "./real-life/other-services.ts";
import { PICKMYTRADE } from "./real-life/pickmytrade.ts";
import { PINE_CONNECTOR } from "./real-life/pine-connector.ts";
import { POSITION } from "./real-life/position.ts";
import { REFUSALS } from "./real-life/refusals.ts";
import { TRADERSPOST } from "./real-life/traderspost.ts";

/** The webhook's own reading, refusing and resolving, in front of a lane that takes everything. */
async function resultOf({ body, options = {}, held = {} }: Message) {
  const { receiveAlerts, submissions, endings } = await openReception();
  const webhook = withOptions(options);
  const { alerts } = await receiveAlerts(webhook, delivery(body, { webhook, receivedAt: NOW }));
  return {
    asks: submissions.map((submission) => asksFor(submission, held)),
    alertId: submissions[0]?.alert?.entry.senderAlertId,
    refusals: alerts.flatMap((one) => ("error" in one ? [refusalIn(one.error)] : [])),
    severities: endings.map((one) => eventOfAlert(one as LoggedAlert)?.severity),
    unread: alerts.map((one) => ("unread" in one ? one.unread : [])),
    notes: alerts.map((one) => ("notes" in one ? one.notes : [])),
  };
}

const refusalIn = ({ name, message, details }: Extract<Handled, { error: unknown }>["error"]) => ({
  code: name,
  says: [message, ...details.map((one) => `${one.path} ${one.message}`)].join("\n"),
});

type Reception = Awaited<ReturnType<typeof openReception>>;
type Handled = Awaited<ReturnType<Reception["receiveAlerts"]>>["alerts"][number];

type Expected = Partial<Awaited<ReturnType<typeof resultOf>>>;

const refusedAs = ({ code, says, severity = "warning" }: Refused): Expected => ({
  asks: [],
  refusals: [{ code, says: expect.stringContaining(says) as string }],
  severities: [severity],
});

const acceptedAs = ({ asks, alertId, unread, notes }: Accepted): Expected => ({
  asks: [...asks],
  refusals: [],
  severities: [],
  ...(alertId !== undefined && { alertId }),
  ...(unread !== undefined && { unread: [unread] }),
  ...(notes !== undefined && { notes: [notes] }),
});

const expectedOf = ({ gives }: Message): Expected =>
  "code" in gives ? refusedAs(gives) : acceptedAs(gives);

const ALL = {
  NATIVE,
  TRADERSPOST,
  CROSSTRADE,
  PICKMYTRADE,
  PINE_CONNECTOR,
  POSITION,
  OTHER_SERVICES,
  REFUSALS,
};

describe.each(Object.entries(ALL))("%s", (_, messages) => {
  test.each(messages)("$from", async (message) => {
    expect(await resultOf(message)).toMatchObject(expectedOf(message));
  });
});
