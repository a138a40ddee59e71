import type { ErrorCode } from "../errors.ts";
import type { HttpObserver } from "../http/observer.ts";
import type { StreamObserver } from "../http/stream/health-hub.ts";
import type { Logger } from "./logger.ts";
import type { Metrics } from "./metrics.ts";
import type { Traces } from "./traces.ts";

/** The store did not answer, or refused to write. */
const STORE_FAILED: ReadonlySet<ErrorCode> = new Set(["STORE_UNAVAILABLE", "ACCEPTANCE_UNKNOWN"]);

/** Writes what the HTTP room reports into the log and the metrics. */
export function createHttpObserver(
  log: Logger,
  metrics: Metrics,
  traces?: Pick<Traces, "request">,
): HttpObserver & StreamObserver {
  return {
    trace: traces?.request,
    requestFinished: (request) => {
      const { method, route, status, seconds, errorCode } = request;
      metrics.httpRequests.inc({ method, route, status });
      metrics.requestSeconds({ method, route }, seconds, request.trace?.answered(request));
      // What the console polls would bury all else; its changes and failures are still logged.
      const isPolling = request.isUnattended === true && method === "GET" && status < 400;
      log[isPolling ? "debug" : "info"]("Request answered", {
        method,
        route,
        status,
        seconds,
        requestId: request.requestId,
        userId: request.userId,
        credentialId: request.credentialId,
        accountId: request.accountId,
        errorCode,
      });
      if (errorCode !== undefined && STORE_FAILED.has(errorCode)) {
        metrics.storeErrors("request");
      }
    },
    requestFailed: (error, where) => log.error("Request failed", { error, ...where }),
    changeMade: ({ message, level = "warn" }, who, changed) =>
      log[level](message, { ...who, ...changed }),
    authFailed: (kind) => metrics.authFailures(kind),
    rateLimited: (kind) => metrics.rateLimited(kind),
    streamsOpen: (count) => metrics.streamsOpen(count),
    streamDropped: ({ userId, credentialId, requestId }) => {
      metrics.streamDropped();
      const message = "A stream was dropped because its client does not read";
      log.warn(message, { userId, credentialId, requestId });
    },
  };
}
