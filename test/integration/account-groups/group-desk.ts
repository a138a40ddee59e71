import { type ApiClient, postAlert, type Reply } from "../../support/http-client.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- tests reach into bodies freely
export type Body = any;

export const BUY = { action: "buy", symbol: "ES1!", qty: 1 };

export const GROUPS = "/v1/account-groups";

function must({ status, body, text }: Reply, wanted: number): Body {
  if (status !== wanted) throw new Error(`Answered ${status}: ${text}`);
  return body;
}

/** A group of accounts, and a webhook whose alerts go to it. */
export async function openGroupDesk(
  api: () => ApiClient,
  members: readonly (string | { readonly accountId: string })[],
  options: object = {},
) {
  const asked = members.map((one) => (typeof one === "string" ? { accountId: one } : one));
  const group = must(await api().post(GROUPS, { name: "All", members: asked }), 201);
  const hook = must(await api().post("/v1/webhooks", { groupId: group.id, ...options }), 201);
  const url = hook.url as string;
  const log = async (query = ""): Promise<readonly Body[]> => {
    const path = `/v1/alerts?webhookId=${hook.id}&limit=200${query}`;
    return must(await api().get(path), 200).alerts.toReversed();
  };
  return {
    group,
    groupId: group.id as string,
    path: `${GROUPS}/${group.id}`,
    webhookId: hook.id as string,
    hook,
    url,
    /** Once: a resend would hide a 503 of which a part was sent. */
    send: async (alert: object | string): Promise<Reply> => await postAlert(url, alert),
    log,
    find: async (alertId: string): Promise<Body> =>
      must(await api().get(`/v1/alerts/${alertId}`), 200),
    change: async (change: object): Promise<Body> =>
      must(await api().patch(`${GROUPS}/${group.id}`, change), 200),
    changeHook: async (change: object): Promise<Body> =>
      must(await api().patch(`/v1/webhooks/${hook.id}`, change), 200),
    order: async (order: object, key?: string): Promise<Reply> =>
      await api().post(
        `${GROUPS}/${group.id}/orders`,
        { ...BUY, ...order },
        key === undefined ? {} : { "Idempotency-Key": key },
      ),
    flatten: async (body: object = {}): Promise<Reply> =>
      await api().post(`${GROUPS}/${group.id}/flatten`, body),
  };
}

/** Each account with its status and, where there is one, its error or outcome. */
export const each = ({ accounts }: Body): readonly unknown[] =>
  accounts.map(({ httpStatus, error, outcome, status }: Body) => [
    httpStatus,
    error?.code ?? outcome ?? status,
  ]);
