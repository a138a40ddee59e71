// The goal: groups of accounts are kept as they were asked for, within bounds, refused where something
// would be done twice, and nobody else's business.
// The method: account groups over HTTP on the whole gateway.
import { beforeAll, describe, expect, test } from "vitest";
import { createRedisCredentialStore } from "../../../src/store/people/redis-credential-store.ts";
import { createRedisPeople } from "../../../src/store/people/redis-people.ts";
import { accountNames, startGateway, type TestGateway } from "../../support/gateway.ts";
import { apiClient } from "../../support/http-client.ts";
import { BUY, GROUPS, openGroupDesk } from "./group-desk.ts";

const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

const create = async (...members: object[]) =>
  await gateway.api.post(GROUPS, { name: "All", members });

test("a group is kept as it was asked for, and shows what is set", async () => {
  const [a, b, c] = [nextAccount(), nextAccount(), nextAccount()];
  const { status, body } = await create(
    { accountId: b },
    { accountId: a, fixedQty: 2, enabled: false },
    { accountId: c, size: { risk: "500", min: 1 }, symbolMap: { es: "mes" } },
  );
  expect([status, body.id]).toEqual([201, expect.stringMatching(/^ag_[0-9a-z]+$/)]);
  const bare = { enabled: true, multiplier: null, fixedQty: null, size: null, symbolMap: {} };
  expect(body.members).toEqual([
    { ...bare, accountId: b, multiplier: "1" },
    { ...bare, accountId: a, fixedQty: 2, enabled: false },
    { ...bare, accountId: c, size: { risk: "500", min: 1 }, symbolMap: { ES: "MES" } },
  ]);
  const path = `${GROUPS}/${body.id}`;
  const changed = await gateway.api.patch(path, { name: "Two", members: [{ accountId: a }] });
  expect(changed.body).toMatchObject({ name: "Two", members: [{ accountId: a }] });
  expect((await gateway.api.get(path)).body).toEqual(changed.body);
  const { accountGroups } = (await gateway.api.get(GROUPS)).body;
  expect(accountGroups.map(({ id }: { id: string }) => id)).toContain(body.id);
  expect((await gateway.api.delete(path)).status).toBe(204);
  expect((await gateway.api.get(path)).status).toBe(404);
});

test.each([
  ["no account", [], "VALIDATION_FAILED"],
  ["an account that is none", [{ accountId: "paper-999" }], "NOT_FOUND"],
  ["one account twice", [{ accountId: "paper-1" }, { accountId: "paper-1" }], "COPIED_TWICE"],
  ["two sizes", [{ accountId: "paper-1", multiplier: 2, fixedQty: 1 }], "VALIDATION_FAILED"],
  ["no multiplier", [{ accountId: "paper-1", multiplier: "-1" }], "VALIDATION_FAILED"],
  ["two risks", [{ accountId: "paper-1", size: { risk: 1, riskPercent: 1 } }], "VALIDATION_FAILED"],
  ["an unknown root", [{ accountId: "paper-1", symbolMap: { NO: "ES" } }], "VALIDATION_FAILED"],
])("%s is refused", async (_, members, code) => {
  expect((await create(...members)).body.error.code).toBe(code);
});

test("more than a hundred accounts, or fifty groups, are refused", async () => {
  const many = Array.from({ length: 101 }, (_, n) => ({ accountId: `paper-${n + 1}` }));
  expect((await create(...many)).status).toBe(400);
  const account = { accountId: nextAccount() };
  const made: string[] = [];
  const refusals: string[] = [];
  for (let n = 0; n < 51; n += 1) {
    const { status, body } = await create(account);
    if (status === 201) made.push(body.id);
    else refusals.push(`${status} ${body.error.code}`);
  }
  expect(refusals.length).toBeGreaterThan(0);
  expect(new Set(refusals)).toEqual(new Set(["422 TOO_MANY_ACCOUNT_GROUPS"]));
  await Promise.all(made.map(async (id) => await gateway.api.delete(`${GROUPS}/${id}`)));
});

describe("what would be done twice is refused", () => {
  const copying = async (leader: string, follower: string) =>
    await gateway.api.post("/v1/copy-groups", {
      leaderAccountId: leader,
      followers: [{ accountId: follower }],
    });

  test("a group with a leader and its follower", async () => {
    const [leader, follower] = [nextAccount(), nextAccount()];
    expect((await copying(leader, follower)).status).toBe(201);
    const { status, body } = await create({ accountId: leader }, { accountId: follower });
    expect([status, body.error.code]).toEqual([409, "COPIED_TWICE"]);
    expect((await create({ accountId: follower })).status).toBe(201);
  });

  test("a follower of an account that is in a group with it", async () => {
    const [leader, follower] = [nextAccount(), nextAccount()];
    expect((await create({ accountId: leader }, { accountId: follower })).status).toBe(201);
    const { status, body } = await copying(leader, follower);
    expect([status, body.error.code]).toEqual([409, "COPIED_TWICE"]);
  });
});

describe("a webhook", () => {
  test("goes to a group or to an account, and back", async () => {
    const [a, b] = [nextAccount(), nextAccount()];
    const { hook, groupId, changeHook, send, change } = await openGroupDesk(
      () => gateway.api,
      [a, b],
    );
    expect(hook).toMatchObject({ groupId, accountId: a, name: "All" });
    const alone = nextAccount();
    expect(await changeHook({ accountId: alone })).toMatchObject({
      groupId: null,
      accountId: alone,
    });
    expect((await send(BUY)).body).toMatchObject({ outcome: "done", accountId: alone });
    expect((await gateway.api.delete(`${GROUPS}/${groupId}`)).status).toBe(204);
    const back = await gateway.api.patch(`/v1/webhooks/${hook.id}`, { groupId });
    expect(back.status).toBe(404);
    expect(change).toBeDefined();
  });

  test("needs one of the two, and not both", async () => {
    const { groupId } = await openGroupDesk(() => gateway.api, [nextAccount()]);
    const both = await gateway.api.post("/v1/webhooks", { groupId, accountId: "paper-1" });
    const none = await gateway.api.post("/v1/webhooks", { name: "nowhere" });
    expect([both.status, none.status]).toEqual([400, 400]);
  });

  test("keeps its group from being deleted", async () => {
    const { path, webhookId } = await openGroupDesk(() => gateway.api, [nextAccount()]);
    const { status, body } = await gateway.api.delete(path);
    expect([status, body.error.code]).toEqual([409, "ACCOUNT_GROUP_IN_USE"]);
    await gateway.api.delete(`/v1/webhooks/${webhookId}`);
    expect((await gateway.api.delete(path)).status).toBe(204);
  });

  test("counts an alert once, however many accounts it goes to", async () => {
    const { send } = await openGroupDesk(() => gateway.api, [nextAccount(), nextAccount()], {
      rateLimitPerMinute: 2,
    });
    const statuses = [];
    for (let n = 0; n < 3; n += 1) statuses.push((await send({ ...BUY, alertId: `${n}` })).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  test("paused refuses the alert as a whole", async () => {
    const { send, changeHook, log } = await openGroupDesk(() => gateway.api, [nextAccount()]);
    await changeHook({ paused: true });
    const { status, body } = await send(BUY);
    expect([status, body.error.code]).toEqual([403, "WEBHOOK_PAUSED"]);
    expect((await log()).map(({ outcome }) => outcome)).toEqual(["refused"]);
  });

  test("is tried out in each account, and nothing is sent", async () => {
    const accounts = [nextAccount(), nextAccount()];
    const { webhookId } = await openGroupDesk(() => gateway.api, accounts);
    const { status, body } = await gateway.api.post(`/v1/webhooks/${webhookId}/test`, BUY);
    expect([status, body.accounts.map(({ outcome }: { outcome: string }) => outcome)]).toEqual([
      200,
      ["test", "test"],
    ]);
    for (const account of accounts) expect((await gateway.broker.filled(account)).orders).toBe(0);
  });
});

test("another user finds nothing of it, and cannot use its accounts", async () => {
  const { path, groupId } = await openGroupDesk(() => gateway.api, [nextAccount()]);
  const { redis, keys, url } = gateway;
  const { userId } = await createRedisPeople({ redis, keys }).addUser("stranger");
  const credentials = createRedisCredentialStore({ redis, keys });
  const asked = { userId, name: "theirs", scopes: ["read", "trade"] as const };
  const api = apiClient(url, (await credentials.createKey(asked)).secret);
  expect((await api.get(GROUPS)).body).toEqual({ accountGroups: [] });
  const replies = [
    await api.get(path),
    await api.patch(path, { name: "mine" }),
    await api.delete(path),
    await api.post(`${path}/orders`, BUY),
    await api.post(`${path}/flatten`, {}),
    await api.post("/v1/webhooks", { groupId }),
    await api.post(GROUPS, { name: "mine", members: [{ accountId: "paper-1" }] }),
  ];
  expect(replies.map(({ status }) => status)).toEqual(replies.map(() => 404));
});
