// Goal: an alert's way is one trace with a span for each stage, which tells no secret and holds nothing up.
// Method: a whole gateway with a Redis of its own sends its spans to a real OTLP receiver over HTTP.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { frontMonth, startGateway, type TestGateway } from "../support/gateway.ts";
import { call, type Reply } from "../support/http-client.ts";
import { attributesOf, type ReceivedSpan, TraceReceiver } from "../support/trace-receiver.ts";
import { eventually, waitUntil } from "../support/wait.ts";

const ES = frontMonth("ES");
const CALLER = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OPEN_METRICS = { accept: "application/openmetrics-text;version=1.0.0,text/plain;q=0.5" };
const STAGES = ["admission", "reading", "accepting", "waiting", "deciding", "sending", "answering"];
const TOKEN = "collector-token-5f1c";

let receiver: TraceReceiver;
let gateway: TestGateway;
let alerts = 0;

beforeAll(async () => {
  receiver = await TraceReceiver.start();
  gateway = await startGateway({
    settings: {
      PAPER_ACCOUNTS: "1-3",
      OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
      OTEL_EXPORTER_OTLP_HEADERS: `authorization=Bearer%20${TOKEN}`,
    },
  });
});
afterAll(async () => {
  await gateway.stop();
  await receiver.stop();
});

/** Each of its own, so that none repeats another. */
const buy = (more: object = {}) => ({
  action: "buy",
  symbol: ES.symbol,
  qty: 1,
  alertId: `canary-${(alerts += 1)}`,
  ...more,
});

const traceOf = (intentId: string) => intentId.slice(1).padStart(32, "0");
const names = (spans: readonly ReceivedSpan[]) => spans.map(({ name }) => name).toSorted();

async function spansOf(intentId: string, count: number): Promise<readonly ReceivedSpan[]> {
  const traceId = traceOf(intentId);
  await waitUntil("the spans came", () => receiver.trace(traceId).length >= count);
  return receiver.trace(traceId);
}

function rootOf(spans: readonly ReceivedSpan[]): ReceivedSpan {
  const [root, ...others] = spans.filter(({ parentSpanId }) => !parentSpanId);
  expect(others).toEqual([]);
  return root as ReceivedSpan;
}

/** The gateway's path of an order of paper-2, asked with a caller's trace. */
async function order(): Promise<Reply> {
  return await gateway.api.post(
    "/v1/accounts/paper-2/orders",
    { symbol: ES.symbol, action: "buy", qty: 1 },
    { traceparent: CALLER },
  );
}

describe("an alert", () => {
  test.each(["the first one, whose webhook is not remembered", "one that is run ahead"])(
    "%s is one trace with one span for each stage",
    async () => {
      const { status, body } = await gateway.alert(buy());
      expect([status, body.outcome]).toEqual([200, "done"]);
      const spans = await spansOf(body.intentId, STAGES.length + 1);
      const root = rootOf(spans);
      expect(names(spans)).toEqual([...STAGES, "POST /hooks/{token}"].toSorted());
      const parents = spans.filter((span) => span !== root).map((span) => span.parentSpanId);
      expect(new Set(parents)).toEqual(new Set([root.spanId]));
      expect(new Set(spans.map(({ spanId }) => spanId)).size).toBe(spans.length);
      expect(attributesOf(root)).toEqual({
        "http.request.method": "POST",
        "http.route": "/hooks/{token}",
        "http.response.status_code": 200,
        "gateway.intent.id": body.intentId,
        "gateway.alert.id": body.alertId,
      });
      const sending = spans.find(({ name }) => name === "sending");
      expect(sending && attributesOf(sending)).toEqual({
        "gateway.intent.id": body.intentId,
        "gateway.alert.id": body.alertId,
        "gateway.intent.kind": "PLACE",
        "gateway.outcome": "done",
      });
    },
  );

  test("each stage ends at the latest when the next one does, by one clock", async () => {
    const { body } = await gateway.alert(buy());
    const spans = await spansOf(body.intentId, STAGES.length + 1);
    const { startTimeUnixNano: begun } = rootOf(spans);
    const endOf = (stage: string) =>
      Number(
        BigInt(spans.find(({ name }) => name === stage)?.endTimeUnixNano ?? 0) - BigInt(begun),
      ) / 1e6;
    for (const [earlier, later] of [
      ["admission", "reading"],
      ["reading", "accepting"],
      ["accepting", "answering"],
      ["waiting", "deciding"],
      ["deciding", "sending"],
    ] as const) {
      expect(endOf(earlier)).toBeLessThanOrEqual(endOf(later));
    }
    expect(endOf("sending")).toBeLessThanOrEqual(endOf("answering"));
  });

  test("one that is refused has the stages that it came to", async () => {
    const { status } = await gateway.alert(buy({ symbol: "NOSUCH" }));
    expect(status).toBe(400);
    const isRefused = (span: ReceivedSpan) =>
      attributesOf(span)["error.type"] === "UNKNOWN_SYMBOL" ||
      attributesOf(span)["http.response.status_code"] === 400;
    await waitUntil("its span came", () => receiver.spans.some(isRefused));
    const { traceId } = receiver.spans.find(isRefused) as ReceivedSpan;
    expect(names(receiver.trace(traceId))).toEqual(["POST /hooks/{token}", "admission", "reading"]);
  });

  test("those of one message have a trace each", async () => {
    const { body } = await gateway.alert([buy(), buy()] as object);
    const ids = (body.alerts as { intentId: string }[]).map(({ intentId }) => intentId);
    expect(ids).toHaveLength(2);
    for (const id of ids) {
      const spans = await spansOf(id, STAGES.length + 1);
      expect(names(spans)).toEqual([...STAGES, "POST /hooks/{token}"].toSorted());
    }
  });

  test("a traceparent on a webhook is nobody's", async () => {
    const url = new URL(gateway.webhook);
    const headers = { traceparent: CALLER, "content-type": "text/plain" };
    const { body } = await call(url.origin, "POST", url.pathname, { headers, body: buy() });
    expect(rootOf(await spansOf(body.intentId, STAGES.length + 1)).links ?? []).toEqual([]);
  });
});

describe("a call of /v1", () => {
  test("is linked to the trace of its caller", async () => {
    const { status, body } = await order();
    expect(status).toBe(201);
    const intents = await gateway.api.get("/v1/intents?accountId=paper-2");
    const id = (body.intentId ?? intents.body.intents?.[0]?.intentId) as string;
    const spans = await spansOf(id, STAGES.length + 1);
    expect(names(spans)).toEqual([...STAGES, "POST /v1/accounts/{id}/orders"].toSorted());
    const { links = [] } = rootOf(spans);
    expect(links).toEqual([
      expect.objectContaining({
        traceId: "0af7651916cd43dd8448eb211c80319c",
        spanId: "b7ad6b7169203331",
      }),
    ]);
  });

  test("that asks for no intent is no trace", async () => {
    const before = receiver.spans.length;
    await gateway.api.get("/v1/accounts");
    const { body } = await gateway.alert(buy());
    await spansOf(body.intentId, STAGES.length + 1);
    const since = receiver.spans.slice(before).map(({ name }) => name);
    expect(since).not.toContain("GET /v1/accounts");
  });
});

describe("what is sent", () => {
  test("holds no token, key, account or word of an alert", async () => {
    const { body } = await gateway.alert(buy({ comment: "canary-comment" }));
    await spansOf(body.intentId, STAGES.length + 1);
    const all = receiver.bodies.join("\n");
    const token = gateway.webhook.split("/").at(-1) ?? "";
    for (const secret of [token, gateway.key, TOKEN, "canary", "paper-", ES.symbol, ES.code]) {
      expect(all).not.toContain(secret);
    }
    expect(receiver.headers.at(-1)).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      "content-type": "application/json",
    });
    expect(gateway.log.join("\n")).not.toContain(TOKEN);
  });
});

describe("the latency histograms", () => {
  const metrics = async (headers: Record<string, string> = {}) =>
    await call(gateway.url, "GET", "/metrics", { headers });

  test("name a trace as their exemplar where OpenMetrics is asked for", async () => {
    const { body } = await gateway.alert(buy());
    const exemplar = `# {trace_id="${traceOf(body.intentId)}"}`;
    // A request is measured once its answer has left.
    const { text, headers } = await eventually(async () => {
      const reply = await metrics(OPEN_METRICS);
      const named = reply.text.split("\n").filter((line) => line.includes(exemplar));
      expect(new Set(named.map((line) => line.split(/[{_]bucket/)[0]))).toEqual(
        new Set(["gateway_http_request_duration_seconds", "gateway_intent_stage_seconds"]),
      );
      return reply;
    });
    expect(headers.get("content-type")).toBe(
      "application/openmetrics-text; version=1.0.0; charset=utf-8",
    );
    expect(text.endsWith("\n# EOF\n")).toBe(true);
  });

  test("name none in Prometheus' own format", async () => {
    const { text, headers } = await metrics();
    expect(headers.get("content-type")).toBe("text/plain; version=0.0.4; charset=utf-8");
    expect(text).not.toContain("trace_id");
    expect(text).toContain("# TYPE gateway_alerts_total counter");
  });
});

describe("a receiver that hangs", () => {
  test("holds up no alert, nor the stop", async () => {
    receiver.hangs = true;
    const waited = receiver.bodies.length;
    const answered: number[] = [];
    const isHanging = () => receiver.bodies.length > waited;
    for (let sent = 0; sent < 50; sent += 1) answered.push((await gateway.alert(buy())).status);
    await waitUntil("it hangs", isHanging);
    for (let more = 0; more < 20; more += 1) answered.push((await gateway.alert(buy())).status);
    expect(new Set(answered)).toEqual(new Set([200]));
    // It throws where something does not end in time.
    await gateway.halt();
    receiver.hangs = false;
  });

  test("one that is not there is told of once, and alerts go on", async () => {
    await gateway.restart({ OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" });
    // The gateway of before may still say that its receiver hangs.
    const told = () =>
      gateway.log.filter(
        (line) => line.includes("Traces cannot be sent") && line.includes("ECONNREFUSED"),
      );
    const before = told().length;
    for (let sent = 0; sent < 5; sent += 1) expect((await gateway.alert(buy())).status).toBe(200);
    await waitUntil("it is told of", () => told().length > before);
    expect(told().length).toBe(before + 1);
  });
});
