import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type IdGenerator,
  RandomIdGenerator,
  type SpanExporter,
  TracerProvider,
} from "@opentelemetry/sdk-trace";
import type { Logger } from "./logger.ts";
import { createTraces, type RootIds, type Traces } from "./traces.ts";

export interface TracesSettings {
  /** Of an OTLP receiver, as `OTEL_EXPORTER_OTLP_ENDPOINT` names it: the path of traces is added. */
  readonly endpoint: string;
  /** `name=value` pairs with commas between them, values percent-encoded; may hold a secret. */
  readonly headers: string | undefined;
  readonly version: string;
  readonly processId: string;
  readonly log: Logger;
}

export interface OpenTraces extends Traces {
  /** Sends what is left, if it can be sent within this time. */
  readonly close: (withinMs: number) => Promise<void>;
}

/** Spans that wait to be sent; what does not fit is dropped. A span is about 1 KB. */
const MOST_WAITING = 2_048;
const SEND_AFTER_MS = 500;
const GIVE_UP_AFTER_MS = 5_000;
/** A stop is not held up by a receiver that does not answer. */
const LAST_MS = 1_000;

/**
 * Sends spans to an OTLP receiver over HTTP, as JSON. Only loaded where traces are on. Nothing of trading
 * waits for it: spans are made after the fact, and a queue with a bound stands before the receiver.
 */
export function openTraces(settings: TracesSettings): OpenTraces {
  const { endpoint, headers, version, processId, log } = settings;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint}/v1/traces`,
    headers: headersOf(headers),
    timeoutMillis: GIVE_UP_AFTER_MS,
  });
  const ids = new IntentIds();
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      "service.name": "alert-gateway",
      "service.version": version,
      "service.instance.id": processId,
    }),
    // Whichever process has an intent in hand, its trace is whole.
    sampler: new AlwaysOnSampler(),
    idGenerator: ids,
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reporting(exporter, log),
        maxQueueSize: MOST_WAITING,
        scheduledDelayMillis: SEND_AFTER_MS,
        exportTimeoutMillis: GIVE_UP_AFTER_MS,
      }),
    ],
  });
  return {
    ...createTraces(provider.getTracer("alert-gateway", version), ids),
    close: async (withinMs) => {
      const ended = provider.shutdown().catch(() => undefined);
      await Promise.race([ended, lapse(Math.min(withinMs / 2, LAST_MS))]);
    },
  };
}

class IntentIds implements IdGenerator, RootIds {
  readonly #random = new RandomIdGenerator();
  next: RootIds["next"];

  generateTraceId = (): string => this.next?.traceId ?? this.#random.generateTraceId();
  generateSpanId = (): string => this.next?.spanId ?? this.#random.generateSpanId();
}

const SUCCEEDED = 0;

/** A receiver that fails is told of once, until it has taken something again. */
function reporting(exporter: SpanExporter, log: Logger): SpanExporter {
  let isFailing = false;
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        const hasFailed = result.code !== SUCCEEDED;
        if (hasFailed && !isFailing) {
          log.warn("Traces cannot be sent; those that wait too long are dropped", {
            error: result.error,
          });
        }
        isFailing = hasFailed;
        done(result);
      }),
    shutdown: async () => await exporter.shutdown(),
  };
}

function headersOf(pairs = ""): Record<string, string> {
  const read = pairs.split(",").map((pair) => {
    const [name = "", ...value] = pair.split("=");
    return [name.trim(), decodeURIComponent(value.join("=").trim())] as const;
  });
  return Object.fromEntries(read.filter(([name]) => name !== ""));
}

async function lapse(ms: number): Promise<void> {
  await new Promise((resolve) => void setTimeout(resolve, ms).unref());
}
