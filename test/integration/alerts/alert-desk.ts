import type { AccountId } from "../../../src/domain/ids.ts";
import type { TestGateway } from "../../support/gateway.ts";
import { type ApiClient, postAlert, type Reply } from "../../support/http-client.ts";
import { untilTaken, waitUntil } from "../../support/wait.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
export type Logged = any;

interface Answer {
  readonly alertId?: string;
  readonly error?: { readonly alertId: string };
}

/** An error names the alert that was refused, or that expired before its answer. */
export const idOf = ({ alertId, error }: Answer): string => alertId ?? error?.alertId ?? "";

/** An answer that a test cannot go on without. */
function must({ status, body, text }: Reply, ...wanted: readonly number[]): Reply["body"] {
  if (!wanted.includes(status)) throw new Error(`Answered ${status}: ${text}`);
  return body;
}

export type AlertDesk = Awaited<ReturnType<typeof openAlertDesk>>;

/**
 * A webhook of any gateway: what it is sent, what is changed of it, and what the log says of it. Its
 * window for duplicates is the longest there is, so a slow machine does not make a resend a new alert.
 */
export async function openAlertDesk(api: () => ApiClient, account: string, options: object = {}) {
  const body = { accountId: account, duplicateWindowSeconds: 3_600, ...options };
  const created = must(await api().post("/v1/webhooks", body), 201);
  const webhookId = created.id as string;
  const url = created.url as string;
  /** Alerts that the store did not take: their sender sent them again. */
  const untaken = new Set<string>();
  const send = async (alert: object | string): Promise<Reply> =>
    await untilTaken(
      async () => await postAlert(url, alert),
      ({ body }) => void untaken.add(body.error.alertId as string),
    );
  const find = async (alertId: string): Promise<Logged> =>
    must(await api().get(`/v1/alerts/${alertId}`), 200);
  /** All that the log has of this webhook, in the order of arrival. */
  const log = async (): Promise<readonly Logged[]> => {
    const path = `/v1/alerts?webhookId=${webhookId}&limit=200`;
    const lines: readonly Logged[] = must(await api().get(path), 200).alerts.toReversed();
    return lines.filter(({ alertId }) => !untaken.has(alertId));
  };
  return {
    account,
    webhookId,
    url,
    send,
    find,
    log,
    outcomes: async (): Promise<readonly string[]> =>
      (await log()).map(({ outcome }) => outcome as string),
    /** Sends what can only be done at once. */
    done: async (alert: object | string): Promise<Reply["body"]> => {
      const body = must(await send(alert), 200);
      if (body.outcome !== "done") throw new Error(`Answered ${JSON.stringify(body)}`);
      return body;
    },
    /** The dry run of a person. */
    tryOut: async (alert: object) => await api().post(`/v1/webhooks/${webhookId}/test`, alert),
    change: async (change: object) =>
      must(await api().patch(`/v1/webhooks/${webhookId}`, change), 200),
    replay: async (alertId: string) => await api().post(`/v1/alerts/${alertId}/replay`, ""),
    /** Waits for the one outcome of an alert that is under way. */
    until: async (alertId: string, outcome: string): Promise<Logged> => {
      let found: Logged;
      const isThere = async () => {
        found = await find(alertId);
        return found.outcome === outcome;
      };
      await waitUntil(`the alert is ${outcome}`, isThere).catch((cause) => {
        throw new Error(`The alert is ${found.outcome}: ${found.reason}`, { cause });
      });
      return found;
    },
  };
}

/** A webhook on a paper account of its own, with that account as the broker has it. */
export async function openPaperDesk(
  gateway: TestGateway,
  account: AccountId,
  options: object = {},
) {
  const desk = await openAlertDesk(() => gateway.api, account, options);
  return {
    ...desk,
    account,
    positions: async () => await gateway.broker.positions(account),
    working: async () => await gateway.broker.working(account),
    /** How many orders filled or rest. */
    orders: async () => {
      const { orders } = await gateway.broker.filled(account);
      return orders + (await gateway.broker.working(account)).length;
    },
    /** An order beside all alerts. */
    order: async (order: object) => {
      const body = { symbol: "ES1!", action: "buy", qty: 1, ...order };
      const path = `/v1/accounts/${account}/orders`;
      return must(await untilTaken(async () => await gateway.api.post(path, body)), 201);
    },
    limit: async (limits: object) =>
      void must(await gateway.api.put(`/v1/accounts/${account}/limits`, limits), 200),
    kill: async (active: boolean) =>
      void must(await gateway.api.put("/v1/kill-switch", { active, accountId: account }), 200),
  };
}
