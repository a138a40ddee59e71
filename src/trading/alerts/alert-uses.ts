import type { IntentId } from "../../domain/ids.ts";
import type { Settled } from "../orders/order-uses.ts";
import type { GatewayError } from "../../errors.ts";
import type { Webhook } from "../../domain/people/credential.ts";
import type { AlertsRequest, Delivery } from "./alert-requests.ts";
import type { Caller } from "../people/caller.ts";
import type { Page } from "../reads/page-cursor.ts";
import type { LoggedAlert } from "./alert-log.ts";

/** How one alert is answered. Its intent, where there is one, has the same id. */
export type HandledAlert =
  /** `settled` is absent when time ran out. `alertId` is the first one's, of a repeat; `unread` is its own. */
  | {
      readonly alertId: IntentId;
      readonly settled?: Settled;
      readonly duplicate?: true;
      readonly unread: readonly string[];
    }
  | { readonly alertId: IntentId; readonly error: GatewayError };

/** What comes to webhooks, and what became of it. */
export interface AlertUses {
  /**
   * Carries out what came to a webhook's URL, in its order, and answers each alert. Throws only what
   * is a fault of the gateway itself.
   */
  readonly receiveAlerts: (
    webhook: Webhook,
    delivery: Delivery,
  ) => Promise<{ readonly isArray: boolean; readonly alerts: readonly HandledAlert[] }>;
  readonly listAlerts: (caller: Caller, request: AlertsRequest) => Promise<Page<LoggedAlert>>;
  readonly findAlert: (caller: Caller, alert: IntentId) => Promise<LoggedAlert>;
  /** Carries out an alert of which nothing was sent, as if it came now. Once, however often it is asked. */
  readonly replayAlert: (caller: Caller, alert: IntentId) => Promise<HandledAlert>;
}
