import { hash } from "node:crypto";
import type { ReadAlert } from "../../domain/alert.ts";
import type { Draft } from "../../domain/draft.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { GatewayError } from "../../errors.ts";
import { readableForm } from "./form-encoding.ts";
import { maskSecrets } from "./mask-secrets.ts";
import { readAlerts, type ReadBody } from "./read-alerts.ts";
import type { AdmittedWith } from "../../trading/orders/ports.ts";
import type { Delivery } from "../../trading/alerts/alert-uses.ts";
import type { Stages } from "../../trading/stages.ts";
import { onlyReduces } from "../../trading/alerts/webhook-options.ts";

/** How much of a body the alert log keeps, in characters: alerts are some hundred. */
const LOGGED_LENGTH = 4_096;
/** Secrets are looked for a little further than what is kept, so that none is cut in two. */
const MASKED_LENGTH = LOGGED_LENGTH + 1_024;

/** What came to a webhook's URL, before anybody has read it. */
export interface Received {
  readonly webhook: Webhook;
  readonly receivedAt: number;
  readonly requestId: string;
  /** Given where the request is traced. */
  readonly stages?: Stages | undefined;
  /** The address it came from; undefined when the connection is gone. */
  readonly sender: string | undefined;
  /** The body, whatever its declared type; empty when it could not be read to its end. */
  readonly text: string;
  /** Given where its sender is not admitted yet: that is done with the acceptance. */
  readonly admission?: AdmittedWith;
  /** What it is refused with whatever it says. */
  readonly refusal?: GatewayError;
  /** What everything but its exits is refused with. */
  readonly exitsOnly?: GatewayError;
}

/** A body as the use case takes it: read in the words of the webhook's profile, when it asks. */
export function toDelivery(received: Received): Delivery {
  const { webhook, text, stages, admission, refusal, exitsOnly } = received;
  const delivery: Draft<Delivery> = {
    receivedAt: received.receivedAt,
    requestId: received.requestId,
    sender: received.sender ?? "unknown",
    body: maskSecrets(readableForm(text.slice(0, MASKED_LENGTH))).slice(0, LOGGED_LENGTH),
    bodyBytes: Buffer.byteLength(text),
    fingerprint: hash("sha256", text.trim(), "base64url"),
    read: () => readFor(webhook, text),
  };
  if (stages !== undefined) delivery.stages = stages;
  if (admission !== undefined) delivery.admission = admission;
  if (refusal !== undefined) delivery.refusal = refusal;
  if (exitsOnly !== undefined) {
    delivery.refusalOf = (alert) => (isExit(alert) ? undefined : exitsOnly);
  }
  return delivery;
}

/** A body in the words of the webhook's profile. Throws what is wrong with it. */
export function readFor({ options, groupId }: Webhook, text: string): ReadBody {
  return readAlerts(text, { ...options, ...(groupId !== undefined && { forGroup: true }) });
}

/** The same, with nothing of it sent. */
export function asTest(delivery: Delivery): Delivery {
  const test = (alert: ReadAlert): ReadAlert => ({ ...alert, test: true });
  return {
    ...delivery,
    read: () => {
      const { alerts, isArray } = delivery.read();
      return { isArray, alerts: alerts.map(test) };
    },
  };
}

/**
 * Whether an alert asks for nothing but a way out: closing, cancelling, protecting. By its words
 * alone: an order that would turn out to close something counts as an order.
 */
export function isExit({ request, test }: ReadAlert): boolean {
  return test !== true && onlyReduces(request);
}
