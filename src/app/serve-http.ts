import type { Config } from "../../config/index.ts";
import { createHttpApp, type HttpAppDeps } from "../http/http-app.ts";
import type { Lifecycle } from "../lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createRedisAdmissions } from "../store/redis-admissions.ts";
import type { DescribeContract, Gateway } from "../trading/gateway.ts";
import { answerAdmissionFailures } from "./answer-failures.ts";
import { createHttpObserver } from "./observers.ts";
import type { OpenStore } from "./open-store.ts";
import type { LaneWorks } from "./work-lanes.ts";

export interface ServeHttpParts {
  readonly config: Config;
  readonly store: OpenStore;
  readonly gateway: Gateway;
  readonly works: LaneWorks;
  readonly describe: DescribeContract;
  readonly metrics: Metrics;
  readonly log: Logger;
  readonly version: string;
}

/** Starts listening. Answers what printed URLs start with. */
export async function serveHttp(parts: ServeHttpParts, lifecycle: Lifecycle): Promise<string> {
  const { config, gateway, describe, metrics, log, version } = parts;
  const { HOST: host, PORT: port, PUBLIC_URL: publicUrl, SHUTDOWN_SECONDS: seconds } = config;
  let url = publicUrl ?? urlOf(host, port);
  const server = createHttpApp({
    gateway,
    admissions: answerAdmissionFailures(createAdmissions(parts)),
    describeContract: describe,
    observer: createHttpObserver(log, metrics),
    readiness: createReadiness(parts),
    metrics: metrics.text,
    publicUrl: () => url,
    version,
  });
  const listening = await server.start({ host, port });
  url = publicUrl ?? urlOf(host, listening.port);
  // Half of the time for calls that wait; what was sent must still be able to finish after it.
  lifecycle.started("HTTP", () => server.stop({ deadlineMs: seconds * 500 }));
  return url;
}

function createAdmissions({ config, store }: ServeHttpParts) {
  return createRedisAdmissions({
    redis: store.request,
    keys: store.keys,
    keyLimit: config.RATE_LIMIT_PER_MINUTE,
    webhookLimit: config.WEBHOOK_RATE_LIMIT_PER_MINUTE,
  });
}

/** Ready means: orders can be accepted, and there is a broker to send them to. */
function createReadiness({ store, works }: ServeHttpParts): HttpAppDeps["readiness"] {
  return async () => {
    const answer = await store.request.ping().catch(() => "");
    const checks = {
      store: answer === "PONG",
      broker: works.pool.statuses().some(({ status }) => status === "CONNECTED"),
    };
    return { ready: checks.store && checks.broker, checks };
  };
}

/** An address of every network is no address to call; the machine's own name for itself is. */
function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}
