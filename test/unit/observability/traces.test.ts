import { setImmediate as turn } from "node:timers/promises";
import { SpanKind, SpanStatusCode } from "@opentelemetry/api";
import {
  InMemorySpanExporter,
  RandomIdGenerator,
  type ReadableSpan,
  SimpleSpanProcessor,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import { describe, expect, test } from "vitest";
import { credentialId, intentId } from "../../../src/domain/ids.ts";
import type { IntentRecord } from "../../../src/domain/intent.ts";
import type { FinishedRequest } from "../../../src/http/finished-request.ts";
import { newIntentId } from "../../../src/app/new-ids.ts";
import { createTraces, rootOf, type RootIds } from "../../../src/observability/traces.ts";

const ID = intentId("i00112233445566778899aabbccdd");
const ROOT = { traceId: "000000112233445566778899aabbccdd", spanId: "66778899aabbccdd" };
const REQUEST: FinishedRequest = {
  method: "POST",
  route: "/v1/accounts/{id}/orders",
  status: 201,
  seconds: 0.01,
  requestId: "r1",
};

function open() {
  const exporter = new InMemorySpanExporter();
  const random = new RandomIdGenerator();
  const ids: RootIds = { next: undefined };
  const provider = new TracerProvider({
    idGenerator: {
      generateTraceId: () => ids.next?.traceId ?? random.generateTraceId(),
      generateSpanId: () => ids.next?.spanId ?? random.generateSpanId(),
    },
    spanProcessors: [new SimpleSpanProcessor({ exporter })],
  });
  const spans = async () => {
    await turn();
    return exporter.getFinishedSpans();
  };
  return { traces: createTraces(provider.getTracer("test"), ids), spans };
}

const msOf = ([seconds, ns]: ReadableSpan["startTime"]) => seconds * 1_000 + ns / 1e6;
const timesOf = (spans: readonly ReadableSpan[]) =>
  Object.fromEntries(spans.map((one) => [one.name, [msOf(one.startTime), msOf(one.endTime)]]));

/** Unix ms before any process of today began, as Redis' clock may have it. */
const AT = 1_000_000;

const record = (more: Partial<IntentRecord> = {}): IntentRecord =>
  ({
    intentId: ID,
    source: { kind: "webhook", credentialId: credentialId("wh_1") },
    intent: { kind: "PLACE" },
    acceptedAt: AT + 10,
    sentAt: AT + 30,
    settledAt: AT + 70,
    outcome: { kind: "done" },
    ...more,
  }) as IntentRecord;

describe("a trace's id", () => {
  test("is its intent's, which every process knows", () => {
    expect(rootOf(ID)).toMatchObject(ROOT);
  });

  test("is well formed for every new intent, and another one's for none", () => {
    const roots = Array.from({ length: 200 }, () => rootOf(newIntentId()));
    for (const { traceId, spanId } of roots) {
      expect([traceId, spanId]).toEqual([
        expect.stringMatching(/^[0-9a-f]{32}$/),
        expect.stringMatching(/^(?!0{16})[0-9a-f]{16}$/),
      ]);
    }
    expect(new Set(roots.map(({ traceId }) => traceId)).size).toBe(roots.length);
  });
});

describe("the stages on the lane", () => {
  test("are the parts between the times of the record, below the request that another process had", async () => {
    const { traces, spans } = open();
    expect(traces.intentSettled(record(), AT + 25)).toBe(ROOT.traceId);
    const made = await spans();
    expect(timesOf(made)).toEqual({
      waiting: [AT + 10, AT + 25],
      deciding: [AT + 25, AT + 30],
      sending: [AT + 30, AT + 70],
    });
    for (const span of made) {
      expect(span.spanContext().traceId).toBe(ROOT.traceId);
      expect(span.parentSpanContext).toMatchObject(ROOT);
      expect(span.status.code).toBe(SpanStatusCode.UNSET);
    }
    expect(made.map(({ kind }) => kind)).toEqual([
      SpanKind.INTERNAL,
      SpanKind.INTERNAL,
      SpanKind.CLIENT,
    ]);
  });

  test("of what was run ahead: it waited for nothing", async () => {
    const { traces, spans } = open();
    traces.intentSettled(record({ acceptedAt: AT + 30 }), AT + 28);
    expect(timesOf(await spans())).toEqual({
      waiting: [AT + 28, AT + 28],
      deciding: [AT + 28, AT + 30],
      sending: [AT + 30, AT + 70],
    });
  });

  test("of what was not sent there is no sending, and its failure is the decision's", async () => {
    const { traces, spans } = open();
    const { sentAt: _, ...unsent } = record({
      outcome: { kind: "expired", reason: "too old" },
    });
    traces.intentSettled(unsent, AT + 25);
    const made = await spans();
    expect(timesOf(made)).toEqual({
      waiting: [AT + 10, AT + 25],
      deciding: [AT + 25, AT + 70],
    });
    expect(made.map(({ status }) => status.code)).toEqual([
      SpanStatusCode.UNSET,
      SpanStatusCode.ERROR,
    ]);
  });

  test.each([undefined, AT + 60])(
    "of what was looked up at %s, nothing was decided",
    async (at) => {
      const { traces, spans } = open();
      traces.intentSettled(record(), at);
      expect(timesOf(await spans())).toEqual({
        waiting: [AT + 10, AT + 30],
        deciding: [AT + 30, AT + 30],
        sending: [AT + 30, AT + 70],
      });
    },
  );

  test("have a root of their own where nobody asked over HTTP", async () => {
    const { traces, spans } = open();
    traces.intentSettled(record({ source: { kind: "copy" } }), AT + 25);
    const [root, ...rest] = await spans();
    expect(root?.name).toBe("copy");
    expect(root?.spanContext()).toMatchObject(ROOT);
    expect(root?.parentSpanContext).toBeUndefined();
    expect(rest).toHaveLength(3);
    expect(new Set(rest.map((span) => span.spanContext().spanId)).size).toBe(3);
  });
});

describe("a request", () => {
  function carriedOut(traceparent?: string, request: FinishedRequest = REQUEST) {
    const opened = open();
    const stages = opened.traces.request(traceparent);
    stages.admitted(AT);
    stages.understood(ID);
    stages.accepted(ID);
    stages.settled(ID, AT + 50);
    return { ...opened, traceId: stages.answered(request) };
  }

  test("is the root, and its stages lie within it", async () => {
    const { spans, traceId } = carriedOut();
    expect(traceId).toBe(ROOT.traceId);
    const [root, ...stages] = await spans();
    expect(root?.spanContext()).toMatchObject(ROOT);
    expect(root?.parentSpanContext).toBeUndefined();
    expect(root?.kind).toBe(SpanKind.SERVER);
    expect(stages.map(({ name }) => name)).toEqual([
      "admission",
      "reading",
      "accepting",
      "answering",
    ]);
    for (const stage of stages) {
      expect(stage.parentSpanContext).toMatchObject(ROOT);
      expect(msOf(stage.startTime)).toBeGreaterThanOrEqual(msOf(root?.startTime ?? [0, 0]));
      expect(msOf(stage.endTime)).toBeLessThanOrEqual(msOf(root?.endTime ?? [0, 0]));
    }
  });

  test("is told by Redis' clock, in the latest way that it was heard", async () => {
    const { spans } = carriedOut();
    const answering = (await spans()).find(({ name }) => name === "answering");
    // Settled at 50 in Redis: here it is known after that.
    expect(msOf(answering?.startTime ?? [0, 0])).toBeCloseTo(AT + 50, 3);
  });

  test("that was admitted anew begins anew", async () => {
    const { traces, spans } = open();
    const stages = traces.request(undefined);
    stages.admitted(AT);
    stages.named(newIntentId());
    stages.understood(newIntentId());
    stages.admitted(AT);
    stages.named(ID);
    expect(stages.answered({ ...REQUEST, status: 503 })).toBe(ROOT.traceId);
    const made = await spans();
    expect(made.map(({ name }) => name)).toEqual([
      "POST /v1/accounts/{id}/orders",
      "admission",
      "reading",
    ]);
    expect(made[0]?.status.code).toBe(SpanStatusCode.ERROR);
  });

  test("that nobody was admitted with, or that asked for no intent, is none", async () => {
    const { traces, spans } = open();
    const unknown = traces.request(undefined);
    unknown.named(ID);
    expect(unknown.answered(REQUEST)).toBeUndefined();
    const read = traces.request(undefined);
    read.admitted(AT);
    expect(read.answered(REQUEST)).toBeUndefined();
    expect(await spans()).toEqual([]);
  });

  const TRACE = "0af7651916cd43dd8448eb211c80319c";
  const SPAN = "b7ad6b7169203331";

  test.each([
    [`00-${TRACE}-${SPAN}-01`, 1],
    [`00-${TRACE}-${SPAN}-00`, 1],
    [`cc-${TRACE}-${SPAN}-01-more`, 1],
    [`ff-${TRACE}-${SPAN}-01`, 0],
    [`00-${"0".repeat(32)}-${SPAN}-01`, 0],
    [`00-${TRACE}-${"0".repeat(16)}-01`, 0],
    [`00-${TRACE.toUpperCase()}-${SPAN}-01`, 0],
    [`00-${TRACE}-${SPAN}`, 0],
    ["nonsense", 0],
  ])("with the traceparent %s has %i links", async (traceparent, count) => {
    const [root] = await carriedOut(traceparent).spans();
    expect(root?.links.map(({ context }) => [context.traceId, context.spanId])).toEqual(
      Array.from({ length: count }, () => [TRACE, SPAN]),
    );
  });

  test("of a webhook has no caller's trace", async () => {
    const hook = { ...REQUEST, route: "/hooks/{token}" };
    const [root] = await carriedOut(`00-${TRACE}-${SPAN}-01`, hook).spans();
    expect(root?.links).toEqual([]);
  });
});
