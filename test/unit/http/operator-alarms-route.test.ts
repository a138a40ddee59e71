import { describe, expect, test } from "vitest";
import type { OperatorAlarm } from "../../../src/trading/notify/destination-uses.ts";
import { admitted, apiKey, NOW, startApp } from "./http-kit.ts";

describe("an operator's alarms", () => {
  const firing = {
    status: "firing",
    labels: { alertname: "RedisSlow", severity: "page", instance: "a" },
    annotations: { summary: "Redis is slow", runbook_url: "https://runbook.example/#slow" },
    startsAt: "2026-09-21T14:30:00.123456789Z",
    endsAt: "0001-01-01T00:00:00Z",
    generatorURL: "http://prometheus.example/graph",
    fingerprint: "c1d2",
  };
  const sent = (alerts: readonly object[], truncatedAlerts = 0) => ({
    version: "4",
    groupKey: "{}:{}",
    truncatedAlerts,
    status: "firing",
    receiver: "person",
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: "http://alertmanager.example",
    alerts,
  });
  const tell = async (alerts: readonly object[], truncatedAlerts = 0) => {
    const app = await startApp({ gateway: { tellOperatorAlarms: async () => undefined } });
    const reply = await app.post("/v1/operator-alarms", sent(alerts, truncatedAlerts));
    return { reply, alarms: app.calls[0]?.args[1] as readonly OperatorAlarm[] };
  };
  const NONE_LEFT_OUT = expect.objectContaining({ isFiring: false, alertname: expect.any(String) });

  test("are told as Alertmanager sends them", async () => {
    const resolved = { ...firing, status: "resolved", endsAt: "2026-09-21T16:30:00+02:00" };
    const { reply, alarms } = await tell([firing, resolved]);
    expect(reply.status).toBe(204);
    const told = {
      fingerprint: "c1d2",
      isFiring: true,
      alertname: "RedisSlow",
      severity: "critical",
      message: "Redis is slow",
      runbookUrl: "https://runbook.example/#slow",
      at: NOW + 123,
    };
    expect(alarms).toEqual([told, { ...told, isFiring: false, at: NOW }, NONE_LEFT_OUT]);
  });

  test("without any words are told as such: no channel takes an empty message", async () => {
    const blank = { ...firing, labels: { alertname: "" }, annotations: { summary: " " } };
    const { alarms } = await tell([blank]);
    const name = "An alarm without a name";
    expect(alarms[0]).toMatchObject({ alertname: name, message: name });
  });

  test.each([
    ["page", "critical"],
    ["Critical", "critical"],
    ["ticket", "warning"],
    ["warning", "warning"],
    ["sev2", "warning"],
    [undefined, "warning"],
    ["info", "info"],
  ])("the severity %s is %s", async (severity, told) => {
    const { alarms } = await tell([{ ...firing, labels: { alertname: "A", severity } }]);
    expect(alarms[0]).toMatchObject({ severity: told });
  });

  test.each([
    [{}, "RedisSlow"],
    [{ description: "It takes 2 s" }, "It takes 2 s"],
    [{ summary: "Slow", description: "It takes 2 s" }, "Slow. It takes 2 s"],
  ])("of the annotations %j it says %s", async (annotations, message) => {
    const { alarms } = await tell([{ ...firing, annotations }]);
    expect(alarms[0]).toMatchObject({ message });
  });

  test.each([
    ["http://runbook.example/a b#slow", "http://runbook.example/a%20b#slow"],
    ["javascript:alert(1)", undefined],
    ["data:text/html,x", undefined],
    ["/runbook#slow", undefined],
    ["see the wiki", undefined],
    ["", undefined],
    [`https://runbook.example/${"x".repeat(2_048)}`, undefined],
  ])("the runbook %s is passed on as %s", async (runbook, told) => {
    const { reply, alarms } = await tell([{ ...firing, annotations: { runbook_url: runbook } }]);
    expect(reply.status).toBe(204);
    expect(alarms[0]?.runbookUrl).toBe(told);
  });

  test("what is long is cut between two characters", async () => {
    const labels = { alertname: "📈".repeat(101) };
    const annotations = { summary: "📈".repeat(300), description: "x".repeat(300) };
    const { alarms } = await tell([
      { ...firing, labels, annotations },
      { ...firing, labels, annotations: {} },
      { ...firing, annotations: { summary: "📈".repeat(500) } },
    ]);
    const alertname = `${"📈".repeat(99)}…`;
    const message = `${"📈".repeat(300)}. ${"x".repeat(197)}…`;
    expect(alarms).toMatchObject([
      { alertname, message },
      { alertname, message: alertname },
      { message: "📈".repeat(500) },
      NONE_LEFT_OUT,
    ]);
  });

  test.each([
    [{ ...firing, startsAt: "soon" }, "alerts.0.startsAt"],
    [{ ...firing, status: "over" }, "alerts.0.status"],
    [{ ...firing, status: "resolved", endsAt: undefined }, "alerts.0.endsAt"],
    [{ ...firing, fingerprint: undefined }, "alerts.0.fingerprint"],
  ])("%j is refused at %s", async (alarm, path) => {
    const { reply, alarms } = await tell([alarm]);
    expect([reply.status, reply.body.error.details[0].path]).toEqual([400, path]);
    expect(alarms).toMatchObject([{ isFiring: true, severity: "critical" }]);
    expect(alarms[0]?.message).toContain(path);
  });

  test("that were left out of a message are one more alarm", async () => {
    const { alarms } = await tell([firing], 12);
    expect(alarms).toMatchObject([
      { fingerprint: "c1d2" },
      { isFiring: true, alertname: "RedisSlow", severity: "critical" },
    ]);
    expect(alarms[1]?.message).toContain("12 more alarms");
    const after = await tell([firing]);
    expect(after.alarms[1]).toMatchObject({ fingerprint: alarms[1]?.fingerprint, isFiring: false });
  });

  test("of more than are taken at once, the rest counts as left out", async () => {
    const many = Array.from({ length: 230 }, (_, n) => ({ ...firing, fingerprint: `f${n}` }));
    const { reply, alarms } = await tell(many, 5);
    expect(reply.status).toBe(204);
    expect(alarms).toHaveLength(201);
    expect(alarms[200]?.message).toContain("35 more alarms");
  });

  test("with long texts are taken, up to 1 MiB", async () => {
    const summary = "x".repeat(4_000);
    const long = { ...firing, annotations: { summary } };
    const { reply } = await tell(Array.from({ length: 200 }, () => long));
    expect(reply.status).toBe(204);
    const refused = await tell(Array.from({ length: 300 }, () => long));
    expect(refused.reply.status).toBe(400);
    expect(refused.alarms).toMatchObject([
      { isFiring: true, severity: "critical", message: expect.stringContaining("1024 KiB") },
    ]);
  });

  test("that cannot be reported are refused all the same", async () => {
    const app = await startApp({
      gateway: {
        tellOperatorAlarms: async () => {
          throw new Error("the store is away");
        },
      },
    });
    const reply = await app.post("/v1/operator-alarms", { version: "5", alerts: [] });
    expect(reply.status).toBe(400);
  });

  test("another version is refused", async () => {
    const app = await startApp();
    const reply = await app.post("/v1/operator-alarms", { ...sent([firing]), version: "5" });
    expect(reply.body.error.details).toEqual([{ path: "version", message: "must be one of 4" }]);
  });
});

describe("a key as Alertmanager sends it", () => {
  const start = () =>
    startApp({
      gateway: { listDestinations: async () => [] },
      admitKey: async (secret) =>
        secret === "gwk_good" ? admitted(apiKey(["notify"])) : { kind: "unknown" },
    });

  test.each([
    [{ authorization: "Bearer gwk_good" }, 200],
    [{ authorization: "bearer  gwk_good" }, 200],
    [{ authorization: "Bearer gwk_other" }, 401],
    [{ authorization: "Bearer a-proxys-own" }, 401],
    [{ authorization: "Basic gwk_good" }, 401],
    [{ authorization: "Bearer gwk_good", "x-api-key": "gwk_other" }, 401],
    [{ authorization: "Bearer gwk_good", cookie: `__Host-session=gws_${"a".repeat(43)}` }, 200],
  ])("%j is a %i", async (headers: Record<string, string>, status) => {
    const app = await start();
    expect((await app.request("GET", "/v1/destinations", { headers })).status).toBe(status);
  });

  test("may not create keys", async () => {
    const headers = { authorization: "Bearer gwk_good" };
    const { status, body } = await (await start()).request("GET", "/v1/keys", { headers });
    expect([status, body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  });
});
