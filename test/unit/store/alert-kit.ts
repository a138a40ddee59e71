import { type CredentialId, credentialId, type IntentId } from "../../../src/domain/ids.ts";
import { alertLogScripts, createRedisAlertLog } from "../../../src/store/alerts/redis-alert-log.ts";
import { intentScripts, openIntentStore } from "../../support/intent-store.ts";
import type {
  AlertEnding,
  AlertEntry,
  AlertLog,
  AlertQuery,
  LoggedAlert,
  SameAlert,
} from "../../../src/trading/alerts/alert-log.ts";
import { ACCOUNT, IntentKit, OWNER, RETENTION_MS } from "../../support/intent-kit.ts";
import { openCorner } from "./open-redis.ts";
import type { IntentStore, NewIntent } from "../../../src/trading/orders/ports.ts";

export const ALERT_RETENTION_MS = 3_600_000;
export const WEBHOOK = credentialId("webhook_1");
export const OTHER_WEBHOOK = credentialId("webhook_2");

export const REFUSED: AlertEnding = {
  kind: "refused",
  code: "VALIDATION_FAILED",
  status: 400,
  message: "qty must be a whole number",
  details: [{ path: "qty", message: "must be a whole number" }],
};

/** One body that is sent again and again: an alert by itself, with a window of 20 seconds. */
export const same = (body: string, change: Partial<SameAlert> = {}): SameAlert => ({
  body,
  place: 0,
  windowMs: 20_000,
  until: "otherBody",
  ...change,
});

type AlertChange = Partial<NewIntent> & {
  readonly entry?: Partial<AlertEntry>;
  readonly sameAs?: SameAlert;
  readonly webhook?: CredentialId;
};

/** Alerts and their log on a real Redis, with the intents they become. */
export class AlertKit {
  readonly base: IntentKit;
  readonly intents: IntentStore;
  readonly log: AlertLog;

  static async open(): Promise<AlertKit> {
    const corner = await openCorner();
    const redis = await corner.open("request", [...intentScripts, ...alertLogScripts]);
    return new AlertKit(new IntentKit(corner, redis));
  }

  constructor(base: IntentKit) {
    this.base = base;
    const { redis, corner } = base;
    const { keys } = corner;
    const alertRetentionMs = ALERT_RETENTION_MS;
    const retentionMs = RETENTION_MS;
    this.intents = openIntentStore({ redis, keys, retentionMs, alertRetentionMs });
    this.log = createRedisAlertLog({ redis, keys, retentionMs: alertRetentionMs });
  }

  /** An alert that is an intent, accepted or not. */
  async newAlert({ entry, sameAs, webhook, ...change }: AlertChange = {}) {
    const source = { kind: "webhook", credentialId: webhook ?? WEBHOOK } as const;
    const intent = await this.base.newIntent({ source, ...change });
    const whole = entryOf(intent, { webhookId: webhook ?? WEBHOOK, ...entry });
    return { ...intent, alert: { entry: whole, ...(sameAs !== undefined && { sameAs }) } };
  }

  /** What the store answers to an alert, and the id that the alert came with. */
  async send(change: AlertChange = {}) {
    const alert = await this.newAlert(change);
    return { id: alert.intentId, ...(await this.intents.accept(alert)) };
  }

  /** Sends an alert that nothing stands against. */
  async accept(change: AlertChange = {}): Promise<IntentId> {
    const { id, kind } = await this.send(change);
    if (kind !== "accepted") throw new Error(`The alert was not accepted: ${kind}`);
    return id;
  }

  /** Writes an alert that has no intent, and answers what the log is to say of it. */
  async end(change: AlertChange = {}, ending: AlertEnding = REFUSED): Promise<LoggedAlert> {
    const { alert } = await this.newAlert(change);
    await this.log.end(alert.entry, ending);
    return { entry: alert.entry, ending };
  }

  /** Every page of the log, as a caller reads it; `between` is called before each next one. */
  async readAll(query: AlertQuery, { accounts = [ACCOUNT], between = async () => {} } = {}) {
    const items: LoggedAlert[] = [];
    let { after } = query;
    for (let pages = 1; ; pages += 1) {
      const read = await this.log.list(accounts, { ...query, ...(after && { after }) });
      items.push(...read.items);
      if (read.next === undefined) return { items, ids: idsOf(items), pages };
      after = read.next;
      await between();
    }
  }
}

export const idsOf = (alerts: readonly LoggedAlert[]): readonly IntentId[] =>
  alerts.map(({ entry }) => entry.alertId);

export function entryOf(intent: NewIntent, change: Partial<AlertEntry> = {}): AlertEntry {
  return {
    alertId: intent.intentId,
    accountId: intent.accountId,
    userId: OWNER.userId,
    webhookId: WEBHOOK,
    requestId: intent.requestId,
    receivedAt: intent.receivedAt,
    sender: "52.89.214.238",
    profile: "native",
    body: '{"action":"buy"}',
    bodyBytes: 16,
    unread: [],
    decisions: [],
    ...change,
  };
}
