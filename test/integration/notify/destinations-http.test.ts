// The goal: destinations are looked after over HTTP, by who may, and nobody sees another's or a secret.
// The method: the whole gateway, and a program on this machine that its posts are sent to.
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createRedisCredentialStore } from "../../../src/store/people/redis-credential-store.ts";
import { createRedisPeople } from "../../../src/store/people/redis-people.ts";
import { startGateway, type TestGateway } from "../../support/gateway.ts";
import { apiClient, call, type Reply } from "../../support/http-client.ts";
import { ALLOW_RECEIVER, type Posted, Receiver } from "../../support/receiver.ts";
import { waitUntil } from "../../support/wait.ts";

const PATH = "/v1/destinations";
const ALARMS = "/v1/operator-alarms";

let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  [gateway, receiver] = await Promise.all([
    startGateway({ settings: ALLOW_RECEIVER }),
    Receiver.open(),
  ]);
});
afterAll(async () => {
  receiver.close();
  await gateway.stop();
});

async function create(terms: object = {}): Promise<Reply["body"]> {
  const body = { kind: "webhook", name: "Mine", settings: { url: receiver.url }, ...terms };
  const reply = await gateway.api.post(PATH, body);
  expect([reply.status, reply.text]).toEqual([201, expect.any(String)]);
  return reply.body;
}
const read = async (id: string) => (await gateway.api.get(`${PATH}/${id}`)).body;

/** Alarms as an Alertmanager sends them. */
const alarm = (alertname: string, more: object = {}) => ({
  version: "4",
  status: "firing",
  receiver: "person",
  alerts: [
    {
      status: "firing",
      labels: { alertname, severity: "page" },
      annotations: { summary: `${alertname} fires` },
      startsAt: new Date().toISOString(),
      endsAt: "0001-01-01T00:00:00Z",
      fingerprint: alertname,
      ...more,
    },
  ],
});
const tell = async (alertname: string, more?: object) => {
  const { status } = await gateway.api.post(ALARMS, alarm(alertname, more));
  expect(status).toBe(204);
};

const isSigned = (secret: string, { text, headers }: Posted) => {
  try {
    return new Webhook(secret).verify(text, headers as Record<string, string>) !== undefined;
  } catch {
    return false;
  }
};

/** Everything that can be asked of one destination. */
const requestsOf = (id: string) =>
  [
    ["GET", PATH],
    ["POST", PATH, { kind: "webhook", name: "x", settings: { url: receiver.url } }],
    ["GET", `${PATH}/${id}`],
    ["PATCH", `${PATH}/${id}`, { name: "y" }],
    ["POST", `${PATH}/${id}/test`],
    ["POST", `${PATH}/${id}/rotate-secret`],
    ["POST", `${PATH}/${id}/link`],
    ["GET", `${PATH}/${id}/undelivered`],
    ["POST", `${PATH}/${id}/undelivered/replay`, { all: true }],
    ["DELETE", `${PATH}/${id}/undelivered?all=true`],
    ["DELETE", `${PATH}/${id}`],
    ["POST", ALARMS, alarm("A")],
  ] as const;

test("a signed webhook is made, tried, failed, mended, sent again, and ended", async () => {
  const { id, secret, ...made } = await create({
    rules: [{ types: ["operator.alarm"], tell: "on" }, { tell: "off" }],
  });
  expect(secret).toMatch(/^whsec_/);
  expect(await read(id)).toEqual({ id, ...made });
  const tested = await gateway.api.post(`${PATH}/${id}/test`, "");
  expect(tested.body).toEqual({
    delivered: true,
    status: 200,
    reason: null,
    ms: expect.any(Number),
  });
  expect(isSigned(secret, receiver.of("destination.tested").at(-1) as Posted)).toBe(true);

  const rotated = (await gateway.api.post(`${PATH}/${id}/rotate-secret`, "")).body;
  expect(Date.parse(rotated.formerUntil)).toBeGreaterThan(Date.now());
  await tell("Rotated");
  await waitUntil("the alarm is posted", () => receiver.of("operator.alarm").length > 0);
  const posted = receiver.of("operator.alarm").at(-1) as Posted;
  expect([secret, rotated.secret].map((one) => isSigned(one, posted))).toEqual([true, true]);
  expect(posted.body).toMatchObject({
    type: "operator.alarm",
    apiVersion: "1",
    data: { severity: "critical", message: "Rotated fires", alertname: "Rotated" },
  });

  receiver.status = 410;
  await tell("Lost", { labels: { alertname: "Lost", severity: "ticket" } });
  await waitUntil("it is switched off", async () => (await read(id)).disabled !== null);
  await tell("Missed");
  const listed = async () => (await gateway.api.get(`${PATH}/${id}/undelivered`)).body;
  const names = async () =>
    (await listed()).undelivered.map(
      ({ event }: Posted & { event: Posted["body"] }) => event.data["alertname"],
    );
  await waitUntil("both are undelivered", async () => (await listed()).undelivered.length === 2);
  expect(await names()).toEqual(expect.arrayContaining(["Lost", "Missed"]));
  const page = (await gateway.api.get(`${PATH}/${id}/undelivered?limit=1`)).body;
  const next = await gateway.api.get(`${PATH}/${id}/undelivered?limit=1&cursor=${page.nextCursor}`);
  expect([page.undelivered.length, next.body.undelivered.length, next.body.nextCursor]).toEqual([
    1,
    1,
    null,
  ]);
  const forged = await gateway.api.get(`${PATH}/${id}/undelivered?cursor=foo`);
  expect([forged.status, forged.body.error.details[0].path]).toEqual([400, "cursor"]);
  expect(await read(id)).toMatchObject({
    disabled: { reason: expect.stringContaining("410") as unknown },
    state: { undelivered: 2, failure: { reason: expect.stringContaining("410") as unknown } },
  });

  receiver.status = 200;
  const early = await gateway.api.post(`${PATH}/${id}/undelivered/replay`, { all: true });
  expect([early.status, early.body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
  const on = await gateway.api.patch(`${PATH}/${id}`, { enabled: true });
  expect([on.status, on.body.disabled]).toEqual([200, null]);
  const { undelivered } = await listed();
  const [missed, lost] = ["Missed", "Lost"].map(
    (name) =>
      undelivered.find(({ event }: { event: Posted["body"] }) => event.data["alertname"] === name)
        .event.data.id as string,
  );
  const gone = await gateway.api.delete(`${PATH}/${id}/undelivered?events=${missed}`);
  expect(gone.body).toEqual({ count: 1 });
  const again = await gateway.api.post(`${PATH}/${id}/undelivered/replay`, { events: [lost] });
  expect(again.body).toEqual({ count: 1 });
  const ofLost = () => receiver.posted.filter(({ body }) => body.data.id === lost);
  await waitUntil("it is sent again", () => ofLost().length === 2);
  expect((await listed()).undelivered).toEqual([]);

  expect((await gateway.api.delete(`${PATH}/${id}`)).status).toBe(204);
  expect((await gateway.api.get(`${PATH}/${id}`)).status).toBe(404);
});

describe("what is changed", () => {
  test("stays, and what is not named stays as it was", async () => {
    const { id, state: _, ...made } = await create();
    const terms = {
      name: "Renamed",
      rules: [{ severity: "critical", accounts: ["paper-1"], tell: "silent" }],
      quietHours: { from: "22:30", to: "07:00", zone: "America/Chicago" },
      summary: { at: "16:05", zone: "Europe/Berlin" },
      inOrder: true,
    };
    const changed = await gateway.api.patch(`${PATH}/${id}`, terms);
    expect([changed.status, changed.text]).toEqual([200, expect.any(String)]);
    const { secret: _secret, ...rest } = made;
    expect(await read(id)).toMatchObject({ ...rest, ...terms });
    const none = { quietHours: null, summary: null, inOrder: false, rules: [] };
    expect((await gateway.api.patch(`${PATH}/${id}`, none)).body).toMatchObject(none);
    const elsewhere = { settings: { url: `${receiver.url}/elsewhere` } };
    expect((await gateway.api.patch(`${PATH}/${id}`, elsewhere)).body).toMatchObject(elsewhere);
  });

  test.each([
    [{ rules: [{ accounts: ["paper-99"], tell: "on" }] }, "rules.0.accounts"],
    [{ settings: { url: "https://10.0.0.1/x" } }, "settings"],
    [{ settings: { server: "https://ntfy.example" } }, "settings.server"],
    [{ summary: { at: "16:05", zone: "Chicago" } }, "summary.zone"],
    [{ answers: true }, "answers"],
  ])("%j is refused at %s, and nothing is changed", async (change, path) => {
    const { id, secret: _, ...before } = await create();
    const { status, body } = await gateway.api.patch(`${PATH}/${id}`, change);
    expect([status, body.error.details[0].path]).toEqual([400, path]);
    expect(await read(id)).toEqual({ id, ...before });
  });
});

test("secrets are never shown, and what a destination is not, it refuses", async () => {
  const botToken = "123456:not-for-anyone";
  const { id, ...made } = await create({ kind: "telegram", settings: { botToken }, answers: true });
  expect(made).toMatchObject({ settings: { botToken: true }, linked: false, secret: null });
  const link = (await gateway.api.post(`${PATH}/${id}/link`, "")).body;
  expect(link.send).toBe(`/start ${link.code}`);
  const rotate = await gateway.api.post(`${PATH}/${id}/rotate-secret`, "");
  expect(rotate.body.error).toMatchObject({ code: "VALIDATION_FAILED" });
  const all = (await gateway.api.get(PATH)).text;
  const stored = await gateway.redis.hgetall(gateway.keys.destinations);
  for (const text of [all, JSON.stringify(stored), gateway.log.join("\n")]) {
    expect(text).not.toContain(botToken);
    expect(text).not.toContain(link.code);
  }
  await gateway.api.delete(`${PATH}/${id}`);
});

describe("who may", () => {
  test("is a key with the scope, and no other", async () => {
    const { id } = await create();
    const other = await gateway.createKey("read", "trade", "manage");
    const codes = await Promise.all(
      requestsOf(id).map(async ([method, path, body]) => {
        const headers = { "x-api-key": other.secret };
        const init = body === undefined ? { headers } : { headers, body };
        return (await call(gateway.url, method, path, init)).body.error.code as string;
      }),
    );
    expect(new Set(codes)).toEqual(new Set(["INSUFFICIENT_SCOPE"]));
    const mine = await gateway.createKey("notify");
    expect((await mine.api.get(`${PATH}/${id}`)).status).toBe(200);
    expect((await mine.api.get("/v1/accounts")).status).toBe(403);
    expect((await mine.api.put("/v1/kill-switch", { active: true })).status).toBe(403);
    const headers = { authorization: `Bearer ${mine.secret}` };
    const sent = await call(gateway.url, "POST", ALARMS, { headers, body: alarm("Bearer") });
    expect(sent.status).toBe(204);
  });

  test("is nobody else: another's is as one that is not there", async () => {
    const { id } = await create();
    const { redis, keys, url } = gateway;
    const { userId } = await createRedisPeople({ redis, keys }).addUser("stranger");
    const asked = { userId, name: "theirs", scopes: ["notify"] as const };
    const { secret } = await createRedisCredentialStore({ redis, keys }).createKey(asked);
    const headers = { "x-api-key": secret };
    const ofOne = requestsOf(id).filter(([, path]) => path.startsWith(`${PATH}/`));
    for (const [method, path, body] of ofOne) {
      const init = body === undefined ? { headers } : { headers, body };
      const reply = await call(url, method, path, init);
      expect([method, path, reply.status]).toEqual([method, path, 404]);
    }
    expect((await apiClient(url, secret).get(PATH)).body).toEqual({ destinations: [] });
    const count = receiver.posted.length;
    expect((await apiClient(url, secret).post(ALARMS, alarm("Theirs"))).status).toBe(204);
    await tell("Mine");
    await waitUntil("mine is posted", () => receiver.posted.length > count);
    expect(receiver.posted.some(({ body }) => body.data["alertname"] === "Theirs")).toBe(false);
  });
});

test("each change leaves its line in the log, by ids alone", async () => {
  const { id } = await create();
  await gateway.api.patch(`${PATH}/${id}`, { name: "Not for logs" });
  await gateway.api.delete(`${PATH}/${id}`);
  const lines = gateway.log.filter((line) => line.includes(id as string));
  for (const said of ["Destination created", "Destination changed", "Destination deleted"]) {
    expect(lines.some((line) => line.includes(said))).toBe(true);
  }
  expect(gateway.log.join("\n")).not.toMatch(/Not for logs|127\.0\.0\.1:\d+\/told/);
});
