import {
  type Attributes,
  type HrTime,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Tracer,
} from "@opentelemetry/api";
import type { IntentId } from "../domain/ids.ts";
import type { IntentRecord, Outcome } from "../domain/intent.ts";
import type { FinishedRequest, RequestTrace } from "../http/finished-request.ts";
import { RequestStages, type RequestTimes } from "./request-stages.ts";

/**
 * Makes spans of what was measured, from the times that it is told. That is done once whoever tells it has
 * gone on: no answer waits for it.
 */
export interface Traces {
  readonly request: (traceparent: string | undefined) => RequestTrace;
  /** `takenAt` is when the lane began with it. Answers the id of its trace. */
  readonly intentSettled: (record: IntentRecord, takenAt: number | undefined) => string;
}

/** The ids that roots are made with. All other spans get random ones. */
export interface RootIds {
  next: Pick<SpanContext, "traceId" | "spanId"> | undefined;
}

interface Span {
  readonly name: string;
  readonly from: number;
  readonly to: number;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  readonly links?: Link[];
  readonly isFailed?: boolean;
}

/**
 * The context of an intent's root span. It follows from the intent's id, so that every process that has
 * the intent in hand knows it, and nothing has to be stored or passed on.
 */
export function rootOf(intent: IntentId): SpanContext {
  const digits = intent.slice(1);
  return {
    traceId: digits.padStart(32, "0"),
    spanId: digits.slice(-16),
    traceFlags: TraceFlags.SAMPLED,
  };
}

export function createTraces(tracer: Tracer, ids: RootIds): Traces {
  return {
    request: (traceparent) => {
      const stages = new RequestStages();
      return Object.assign(stages, {
        answered: (request: FinishedRequest) => {
          const intents = stages.finished();
          const [first] = intents;
          if (first === undefined) return undefined;
          setImmediate(() => {
            for (const times of intents) requestSpans(times, request, traceparent);
          });
          return rootOf(first.intentId).traceId;
        },
      });
    },
    intentSettled: (record, takenAt) => {
      const root = rootOf(record.intentId);
      setImmediate(() => intentSpans(root, record, takenAt));
      return root.traceId;
    },
  };

  function intentSpans(root: SpanContext, record: IntentRecord, takenAt: number | undefined): void {
    const { acceptedAt: from, settledAt: to = from } = record;
    // Of what nobody asked for over HTTP there is no request whose span could be the root.
    if (record.source.credentialId === undefined) {
      startRoot(root, { name: record.source.kind, from, to, attributes: namesOf(record) });
    }
    for (const span of laneSpans(record, takenAt)) start(span, root);
  }

  function requestSpans(
    times: RequestTimes,
    request: FinishedRequest,
    traceparent: string | undefined,
  ): void {
    const { intentId, from, to } = times;
    const { method, route, status, errorCode } = request;
    const root = rootOf(intentId);
    startRoot(root, {
      name: `${method} ${route}`,
      kind: SpanKind.SERVER,
      from,
      to,
      links: linksTo(traceparent, request),
      isFailed: status >= 500,
      attributes: {
        "http.request.method": method,
        "http.route": route,
        "http.response.status_code": status,
        "gateway.intent.id": intentId,
        ...(route.startsWith("/hooks/") && { "gateway.alert.id": intentId }),
        ...(errorCode !== undefined && { "error.type": errorCode }),
      },
    });
    const attributes = { "gateway.intent.id": intentId };
    for (const stage of times.stages) start({ ...stage, attributes }, root);
  }

  function startRoot(root: SpanContext, span: Span): void {
    ids.next = root;
    start(span, undefined);
    ids.next = undefined;
  }

  function start({ name, from, to, isFailed, ...options }: Span, parent: SpanContext | undefined) {
    const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT;
    const span = tracer.startSpan(name, { ...options, startTime: hrTime(from) }, context);
    if (isFailed === true) span.setStatus({ code: SpanStatusCode.ERROR });
    // Redis' clock may be set back in between.
    span.end(hrTime(Math.max(from, to)));
  }
}

/** From the times that its record has, which the histograms of its stages are made from too. */
function laneSpans(record: IntentRecord, takenAt: number | undefined): readonly Span[] {
  const { acceptedAt, sentAt, settledAt = acceptedAt, outcome } = record;
  const attributes = namesOf(record);
  const decidedAt = sentAt ?? settledAt;
  // One that is settled by a look-up was not decided on in this turn.
  const begunAt = takenAt === undefined || takenAt > decidedAt ? decidedAt : takenAt;
  // One that was run ahead was in hand before it was accepted.
  const spans: Span[] = [
    { name: "waiting", from: Math.min(acceptedAt, begunAt), to: begunAt, attributes },
    { name: "deciding", from: begunAt, to: decidedAt, attributes },
  ];
  if (sentAt !== undefined) {
    const kind = SpanKind.CLIENT;
    spans.push({ name: "sending", kind, from: sentAt, to: settledAt, attributes });
  }
  const isFailed = outcome !== undefined && FAILED[outcome.kind];
  return spans.map((span, place) => (place === spans.length - 1 ? { ...span, isFailed } : span));
}

/** Neither secrets nor accounts: who reads traces may not be who may see accounts. */
function namesOf({ intentId, intent, source, outcome }: IntentRecord): Attributes {
  return {
    "gateway.intent.id": intentId,
    ...(source.kind === "webhook" && { "gateway.alert.id": intentId }),
    "gateway.intent.kind": intent.kind,
    ...(outcome !== undefined && { "gateway.outcome": outcome.kind }),
  };
}

const FAILED: Readonly<Record<Outcome["kind"], boolean>> = {
  done: false,
  denied: false,
  overtaken: false,
  withdrawn: false,
  rejected: true,
  unprotected: true,
  notSent: true,
  expired: true,
  unknown: true,
  unfinished: true,
  held: false,
  lost: true,
};

const TRACEPARENT = /^(?!ff)[0-9a-f]{2}-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(?:-.*)?$/;

/**
 * The trace of the caller, which is theirs: ours follows from the intent. Charting platforms have none,
 * so a header on a webhook is nobody's.
 */
function linksTo(traceparent: string | undefined, { route }: FinishedRequest): Link[] {
  if (traceparent === undefined || !route.startsWith("/v1/")) return [];
  const [, traceId = "", spanId = "", flags = ""] = TRACEPARENT.exec(traceparent) ?? [];
  const context = { traceId, spanId, traceFlags: Number.parseInt(flags, 16), isRemote: true };
  return trace.isSpanContextValid(context) ? [{ context }] : [];
}

/** As a number it would be taken for one of `performance.now()` if it is before this process' start. */
function hrTime(ms: number): HrTime {
  const seconds = Math.floor(ms / 1_000);
  return [seconds, Math.round((ms - seconds * 1_000) * 1e6)];
}
