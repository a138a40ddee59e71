// Goal: what dashboards and alarms ask for is there. Method: a real Prometheus scrapes a real gateway
// under traffic, and answers every query; promtool checks the metrics, the rules and their tests.
import { once } from "node:events";
import { writeFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import {
  ALERT_RULES,
  metricsIn,
  PANEL_QUERIES,
  RULES,
  withEverything,
} from "../support/grafana-files.ts";
import { call } from "../support/http-client.ts";
import {
  type PrometheusServer,
  promtool,
  type Series,
  startPrometheus,
} from "../support/prometheus.ts";
import { textOf, uncommented } from "../support/source-tree.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");

const BARS = [
  { time: "2026-01-05T15:00:00Z", open: 6_900, high: 6_903, low: 6_898, close: 6_899 },
  { time: "2026-01-05T15:05:00Z", open: 6_899, high: 6_905, low: 6_899, close: 6_904.25 },
];

/** Metrics that nothing asks for, and why they are there all the same. */
const UNUSED: Readonly<Record<string, string>> = {};

/** What is empty with the paper broker alone, and why. */
const MAY_BE_EMPTY: Readonly<Record<string, string>> = {
  gateway_connection_last_message_timestamp_seconds:
    "a broker inside the gateway sends no messages",
  gateway_connection_clock_offset_seconds: "nothing is known before two reports agree",
  gateway_store_disk_free_bytes: "this gateway's Redis is the tests' own",
  gateway_store_memory_ratio: "and it has no limit",
  gateway_guard_room_ratio: "no account of this gateway has guards",
  gateway_guard_flatten_seconds: "the same: nothing was closed",
  gateway_guard_judge_seconds: "the same: nothing was judged",
  gateway_account_lane_intents: "an account at rest is not shown",
};

/** Rightly said of a machine that is busy with other tests. */
const TELL_OF_LOAD = new Set([
  "EventLoopLag",
  "IntentWaits",
  "StoreErrors",
  "StoreSlow",
  "GatewayDown",
  "GatewayFiguresMissing",
  "BrokerConnectionDown",
]);

/** Between two rounds of orders: each scrape, once a second, sees some more. */
const PAUSE_MS = 250;

let gateway: TestGateway;
let prometheus: PrometheusServer;
/** Stands where Alertmanager does, and is handed what it would bring to a person. */
const alertmanager = createServer();
const handedOver: Alarm[] = [];

interface Alarm {
  readonly labels: { readonly alertname: string };
  readonly annotations: { readonly runbook_url: string };
}

let isOver = false;
let traffic: Promise<void>;

beforeAll(async () => {
  const settings = {
    METRICS_PER_ACCOUNT: "true",
    PAPER_ACCOUNTS: "1-3",
    // Nobody listens there: the traces are made all the same.
    OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9",
  };
  gateway = await startGateway({ settings });
  await letFollow();
  traffic = drive(await letObserve());
  alertmanager.on("request", (request, response) => {
    void text(request).then((body) => {
      if (request.method === "POST") handedOver.push(...(JSON.parse(body) as readonly Alarm[]));
      response.end();
    });
  });
  alertmanager.listen(0, "127.0.0.1");
  await once(alertmanager, "listening");
  const { port } = alertmanager.address() as AddressInfo;
  prometheus = await startPrometheus(gateway.url, `http://127.0.0.1:${port}`);
});

afterAll(async () => {
  isOver = true;
  await traffic;
  await prometheus?.stop();
  alertmanager.closeAllConnections();
  alertmanager.close();
  await gateway.stop();
});

/** From here on every fill of paper-2 is copied. */
async function letFollow(): Promise<void> {
  const group = { leaderAccountId: "paper-2", followers: [{ accountId: "paper-3" }] };
  const { status } = await gateway.api.post("/v1/copy-groups", group);
  if (status !== 201) throw new Error(`There is no copy group: ${status}`);
}

/** A strategy that decides and sends nothing, and whose evaluation is asked for: its path. */
async function letObserve(): Promise<string> {
  const { status, body } = await gateway.api.post("/v1/strategies", {
    name: "Rising bars",
    accountId: "paper-2",
    symbol: ES.symbol,
    barMinutes: 5,
    conditions: { enterLong: "close[0] > open[0]" },
    mode: "observe",
  });
  if (status !== 201) throw new Error(`There is no strategy: ${status}`);
  return `/v1/strategies/${body.id}`;
}

/** Orders in and out until the test is over. On a busy machine one may be refused: others follow. */
async function drive(strategy: string): Promise<void> {
  const account = "/v1/accounts/paper-2";
  const order = { symbol: ES.symbol, action: "buy", qty: 1, type: "market" };
  while (!isOver) {
    await gateway.alert({ action: "buy", symbol: ES.symbol, qty: 1 });
    await gateway.alert({ action: "close", symbol: ES.symbol });
    await gateway.api.post(`${account}/orders`, order);
    await gateway.api.delete(`${account}/positions`);
    await gateway.api.post(`${strategy}/evaluate`, { bars: BARS });
    await sleep(PAUSE_MS);
  }
}

const exported = async () => {
  const { text } = await call(gateway.url, "GET", "/metrics");
  return [...text.matchAll(/^# TYPE (\S+) /gm)].map(([, name = ""]) => name);
};

describe("the metrics", () => {
  test("pass promtool's linter", async () => {
    const { text } = await call(gateway.url, "GET", "/metrics");
    expect(await promtool(["check", "metrics"], text)).toEqual({ code: 0, said: "" });
  });

  test("that are latencies bring a trace along", async () => {
    const asked = "/api/v1/query_exemplars?start=0&end=9999999999&query=";
    for (const metric of [
      "gateway_http_request_duration_seconds",
      "gateway_intent_stage_seconds",
    ]) {
      const kept = async () => JSON.stringify(await prometheus.get(`${asked}${metric}_bucket`));
      await expect.poll(kept).toMatch(/"labels":\{"trace_id":"0000[0-9a-f]{28}"\}/);
    }
  });

  const queries = [...PANEL_QUERIES, ...RULES].map(({ expr }) => expr);
  const asked = new Set(queries.flatMap(metricsIn));

  test("that are asked for all exist", async () => {
    const names = new Set([...(await exported()), "up"]);
    expect([...asked].filter((name) => !names.has(name))).toEqual([]);
  });

  test("that exist are all asked for, or it is said why not", async () => {
    const left = (await exported()).filter((name) => !asked.has(name) && !(name in UNUSED));
    expect(left).toEqual([]);
  });
});

describe("the alarms", () => {
  const rules = "grafana/prometheus/rules/gateway.yml";
  // Each file of tests goes through hours of alarms, which takes seconds of a processor.
  test.each([
    ["check", "config", "grafana/prometheus/prometheus.yml"],
    ["check", "rules", "--lint=all", "--lint-fatal", rules],
    ...["gateway", "closed-hours", "objectives", "links"].map((name) => [
      "test",
      "rules",
      `grafana/prometheus/tests/${name}.yml`,
    ]),
  ])("pass promtool %s %s %s", async (...words) => {
    expect(await promtool(words)).toMatchObject({ code: 0 });
  });

  test("are brought to a person by settings that Alertmanager takes", async () => {
    const folder = await temporaryFolder();
    const settings = path.join(folder, "alertmanager.yml");
    // Debian's is of 2023 and cannot read an address from a file yet.
    const shipped = textOf("grafana/alertmanager/alertmanager.yml") ?? "";
    await writeFile(settings, shipped.replace(/url_file: .*/, 'url: "http://127.0.0.1:1/"'));
    expect(await promtool(["check-config", settings], "", "amtool")).toMatchObject({ code: 0 });
    const both = uncommented(shipped).replace(/url_file: .*/, 'url: "http://127.0.0.1:1/"');
    await writeFile(settings, both);
    expect(await promtool(["check-config", settings], "", "amtool")).toMatchObject({ code: 0 });
    expect(shipped).toContain("url_file: /run/secrets/alarm-webhook-url");
  });

  test("are all loaded, evaluated without an error, and silent in health", async () => {
    const read = async () => {
      const data = (await prometheus.get("/api/v1/rules")) as {
        groups: { rules: { name: string; health: string; state: string; lastError?: string }[] }[];
      };
      return data.groups.flatMap(({ rules }) => rules);
    };
    await waitUntil("every rule was evaluated", async () => {
      const rules = await read();
      return rules.length > 0 && rules.every(({ health }) => health !== "unknown");
    });
    const rules = await read();
    expect(rules.map(({ name }) => name)).toEqual(
      RULES.map((rule) => ("alert" in rule ? rule.alert : rule.record)),
    );
    expect(rules.filter(({ health }) => health !== "ok")).toEqual([]);
    const firing = rules.filter(({ state }) => state === "firing").map(({ name }) => name);
    expect(firing.filter((name) => !TELL_OF_LOAD.has(name))).toEqual([]);
  });

  test("are handed over, with a link that opens its section of the runbook", async () => {
    const killSwitch = "/v1/kill-switch";
    await gateway.api.put(killSwitch, { accountId: "paper-1", active: true, reason: "a test" });
    const ofSwitch = () => handedOver.find(({ labels }) => labels.alertname === "KillSwitchOn");
    await waitUntil("the alarm was handed over", () => ofSwitch() !== undefined);
    const link = new URL(ofSwitch()?.annotations.runbook_url ?? "");
    const opened = await fetch(link);
    expect([opened.status, link.hash]).toEqual([200, "#kill-switch-on"]);
    expect(await opened.text()).toContain('<h2 id="kill-switch-on">Kill switch on</h2>');
    await gateway.api.put(killSwitch, { accountId: "paper-1", active: false });
  });

  test.each(ALERT_RULES.map(({ alert, expr }) => [alert, expr] as const))(
    "%s looks at metrics that have data",
    async (_, expr) => {
      for (const metric of metricsIn(expr).filter((name) => !(name in MAY_BE_EMPTY))) {
        // A histogram is kept by its parts.
        expect(await dataFor(`{__name__=~"${metric}(_count)?"}`)).not.toEqual([]);
      }
    },
  );
});

describe("the panels", () => {
  test.each(PANEL_QUERIES)("$dashboard, $panel: $expr", async ({ expr }) => {
    const promql = withEverything(expr);
    const mayBeEmpty = metricsIn(expr).some((name) => name in MAY_BE_EMPTY);
    const series = mayBeEmpty ? await prometheus.query(promql) : await dataFor(promql);
    expect(series.length > 0 || mayBeEmpty).toBe(true);
  });

  test("a query that is not valid fails, so the others were understood", async () => {
    await expect(prometheus.query("sum(")).rejects.toThrow("parse error");
    expect(await prometheus.query("gateway_nothing_of_the_kind")).toEqual([]);
  });
});

/** What Prometheus has to say, once it has something; it may take several scrapes. */
async function dataFor(promql: string): Promise<readonly Series[]> {
  let series: readonly Series[] = [];
  await waitUntil(`there is data for ${promql}`, async () => {
    series = (await prometheus.query(promql)).filter(({ value: [, value] }) => value !== "NaN");
    return series.length > 0;
  });
  return series;
}
