import { describe, expect, test } from "vitest";
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
  const sent = (alerts: readonly object[]) => ({
    version: "4",
    groupKey: "{}:{}",
    truncatedAlerts: 0,
    status: "firing",
    receiver: "person",
    groupLabels: {},
    commonLabels: {},
    commonAnnotations: {},
    externalURL: "http://alertmanager.example",
    alerts,
  });
  const tell = async (alerts: readonly object[]) => {
    const app = await startApp({ gateway: { tellOperatorAlarms: async () => undefined } });
    const reply = await app.post("/v1/operator-alarms", sent(alerts));
    return { reply, alarms: app.calls[0]?.args[1] };
  };

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
    expect(alarms).toEqual([told, { ...told, isFiring: false, at: NOW }]);
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
    expect(alarms).toMatchObject([{ severity: told }]);
  });

  test.each([
    [{}, "RedisSlow"],
    [{ description: "It takes 2 s" }, "It takes 2 s"],
    [{ summary: "Slow", description: "It takes 2 s" }, "Slow. It takes 2 s"],
  ])("of the annotations %j it says %s", async (annotations, message) => {
    const { alarms } = await tell([{ ...firing, annotations }]);
    expect(alarms).toMatchObject([{ message }]);
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
    const [alarm] = alarms as readonly { readonly runbookUrl?: string }[];
    expect(alarm?.runbookUrl).toBe(told);
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
    ]);
  });

  test.each([
    [{ ...firing, startsAt: "soon" }, "alerts.0.startsAt"],
    [{ ...firing, status: "over" }, "alerts.0.status"],
    [{ ...firing, status: "resolved", endsAt: undefined }, "alerts.0.endsAt"],
    [{ ...firing, fingerprint: undefined }, "alerts.0.fingerprint"],
  ])("%j is refused at %s", async (alarm, path) => {
    const { reply, alarms } = await tell([alarm]);
    expect([reply.status, reply.body.error.details[0].path, alarms]).toEqual([
      400,
      path,
      undefined,
    ]);
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
