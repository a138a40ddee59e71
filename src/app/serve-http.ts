import { fileURLToPath } from "node:url";
import { contracts as products } from "../../config/contracts.ts";
import { guardPresets } from "../../config/guard-presets.ts";
import type { Config } from "../../config/index.ts";
import { createHttpApp, createOperationsApp, type HttpAppDeps } from "../http/http-app.ts";
import type { Lifecycle } from "./lifecycle.ts";
import type { EarlyListeners } from "./open-listeners.ts";
import type { Logger } from "../observability/logger.ts";
import type { Metrics } from "../observability/metrics.ts";
import type { Traces } from "../observability/traces.ts";
import { createNetworks } from "../trading/people/networks.ts";
import { laneScripts } from "./lane-scripts.ts";
import { findScripts } from "../store/intents/accept-new-intent.ts";
import { createRedisAdmissions } from "../store/people/redis-admissions.ts";
import { requireScripts } from "../store/redis/script.ts";
import type { ChangeFeed } from "../trading/changes.ts";
import type { Gateway } from "../trading/gateway.ts";
import { createHttpObserver } from "../observability/http-observer.ts";
import type { ConnectionBoard } from "../trading/ports.ts";
import type { OpenStore } from "./open-store.ts";
import type { People } from "../trading/people/people.ts";
import type { ContractDirectory } from "../domain/contracts/contract-directory.ts";
import type { DescribeContract } from "../trading/orders/describe-contract.ts";
import { isOfRoom } from "../store/trust/store-room.ts";
import { validators } from "../http/requests/validate.ts";
import { StaticFiles } from "../http/server/static-files.ts";

export interface OperationsParts {
  readonly config: Config;
  readonly store: OpenStore;
  readonly board: ConnectionBoard;
  readonly metrics: Metrics;
  readonly traces: Traces | undefined;
  readonly log: Logger;
  readonly version: string;
  readonly listeners: EarlyListeners;
}

export interface ServeHttpParts extends OperationsParts {
  readonly gateway: Gateway;
  readonly people: People;
  readonly describe: DescribeContract;
  readonly contracts: Pick<ContractDirectory, "product">;
  readonly changes: ChangeFeed;
}

/** Starts listening for callers. Answers what printed URLs start with. */
export async function serveHttp(parts: ServeHttpParts, lifecycle: Lifecycle): Promise<string> {
  const { config, gateway, people, describe, contracts, changes } = parts;
  const { HOST: host, PORT: port, PUBLIC_URL: publicUrl } = config;
  let url = publicUrl ?? urlOf(host, port);
  const server = createHttpApp({
    ...operations(parts),
    gateway,
    people,
    admissions: createAdmissions(parts),
    describeContract: describe,
    isRoot: (text) => contracts.product(text) !== undefined,
    products,
    guardPresets,
    publishChange: changes.publish,
    publicUrl: () => url,
    apiDocs: builtPages("api-docs"),
    console: builtPages("console"),
  });
  const { callers } = parts.listeners;
  const listening = await server.start(callers ?? { host, port });
  reportRefused(parts, callers?.refused ?? 0);
  void validators.compileRest();
  url = publicUrl ?? urlOf(host, listening.port);
  // Half of the time for calls that wait; what was sent must still be able to finish after it.
  const deadlineMs = config.SHUTDOWN_SECONDS * 500;
  lifecycle.started("HTTP", () => server.stop({ deadlineMs }));
  if (config.OPERATIONS_PORT !== undefined) await serveOperations(parts, lifecycle);
  return url;
}

/** Who sends alerts may not say that one was refused; here it is seen. */
function reportRefused({ log }: OperationsParts, count: number): void {
  if (count > 0) log.warn("Callers were asked to come again while the gateway started", { count });
}

/** Health and metrics of this process alone, on a port of its own. Answers where. */
export async function serveOperations(
  parts: OperationsParts,
  lifecycle: Lifecycle,
): Promise<string> {
  const { HOST: host, PORT, OPERATIONS_PORT: port = PORT, SHUTDOWN_SECONDS } = parts.config;
  const server = createOperationsApp(operations(parts));
  const listening = await server.start(
    parts.listeners.operations ?? { host, port, exclusive: true },
  );
  lifecycle.started("health and metrics", () =>
    server.stop({ deadlineMs: SHUTDOWN_SECONDS * 500 }),
  );
  const url = urlOf(host, listening.port);
  parts.log.info("Health and metrics of this process", { address: url });
  return url;
}

function operations(parts: OperationsParts) {
  const { log, metrics, traces, version } = parts;
  const { TRUSTED_PROXIES } = parts.config;
  return {
    observer: createHttpObserver(log, metrics, traces),
    readiness: createReadiness(parts),
    metrics: metrics.text,
    runbook: StaticFiles.read(fileURLToPath(RUNBOOK)),
    version,
    ...(TRUSTED_PROXIES !== undefined && {
      trustedProxies: createNetworks(TRUSTED_PROXIES.split(",")),
    }),
  };
}

function createAdmissions({ config, store }: ServeHttpParts) {
  return createRedisAdmissions({
    redis: store.request,
    keys: store.keys,
    keyLimit: config.RATE_LIMIT_PER_MINUTE,
    webhookLimit: config.WEBHOOK_RATE_LIMIT_PER_MINUTE,
    requireKnown: store.guard.requireKnown,
  });
}

const ACCEPT_SCRIPTS = [...Object.values(laneScripts), ...findScripts];

/**
 * Ready means: orders can be accepted, and there is a broker to send them to. Of a process that only
 * takes them in, the first is enough: others send them, and it accepts what waits for those.
 */
function createReadiness({ store, board, config }: OperationsParts): HttpAppDeps["readiness"] {
  return async () => {
    const isServing = await requireScripts(store.request, ACCEPT_SCRIPTS).then(
      () => true,
      () => false,
    );
    const { reason, findings } = store.guard;
    const reasons = [
      ...(reason === undefined ? [] : [reason]),
      ...findings
        .filter(({ kind }) => isOfRoom(kind) && kind !== "diskLow")
        .map(({ text }) => text),
    ];
    const isFull = findings.some(({ kind }) => kind === "memoryFull");
    const checks = {
      store: isServing && reason === undefined && !isFull,
      broker: board.known().some((id) => board.status(id) === "CONNECTED"),
    };
    const ready = checks.store && (checks.broker || config.ROLE === "ingress");
    return { ready, checks, ...(reasons.length > 0 && { reasons }) };
  };
}

/** An address of every network is no address to call; the machine's own name for itself is. */
function urlOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Where the build puts the pages, seen from this file as it is built and as it is written. */
const BUILT = new URL(
  import.meta.url.includes("/dist/") ? "../../" : "../../dist/",
  import.meta.url,
);

/** The runbook that Prometheus serves too: one file, in the image where it is in the repository. */
const RUNBOOK = new URL("../grafana/prometheus/consoles/", BUILT);

/** The pages that the build made of one folder; none where it was not run. */
function builtPages(folder: "api-docs" | "console"): StaticFiles {
  return StaticFiles.read(fileURLToPath(new URL(`${folder}/`, BUILT)));
}
