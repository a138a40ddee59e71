import type { Lifecycle } from "./lifecycle.ts";
import type { Metrics } from "../observability/metrics.ts";
import { createRedisAlertLog } from "../store/alerts/redis-alert-log.ts";
import { createFindRevokedKeys } from "../store/people/revoked-keys.ts";
import type { LiveConnectionBoard } from "../trading/ports.ts";
import type { EvaluationObserver } from "../trading/strategies/end-evaluation.ts";
import type { Foundation } from "./open-foundation.ts";
import { openOverviewSources } from "./overview-sources.ts";
import type { BrokerDesk } from "../trading/connections/broker-desk.ts";
import { composeGateway } from "./compose-gateway.ts";
import { composePeople } from "./compose-people.ts";
import type { Greeting } from "../processes/greeting.ts";
import { createRedisCredentialStore } from "../store/people/redis-credential-store.ts";
import { createRedisPeople } from "../store/people/redis-people.ts";
import { claimFirstStart } from "../store/people/claim-first-start.ts";
import { createFirstCredentials, offerSetUp } from "../trading/people/first-start.ts";
import { retryUntilDeadline } from "../store/retry-until-deadline.ts";
import { createRecordAlertOutcome } from "../trading/alerts/record-alert-outcome.ts";
import { alertRetentionMs } from "../store/retention.ts";
import { serveHttp, type ServeHttpParts } from "./serve-http.ts";
import type { LaneWorks } from "./work-lanes.ts";
import type { Lanes } from "../trading/orders/ports.ts";

export interface IngressParts extends Foundation, BrokerDesk {
  readonly board: LiveConnectionBoard;
  /** Absent where connections and lanes are other processes'. */
  readonly works: LaneWorks | undefined;
  readonly lanes: Lanes;
  readonly metrics: Metrics;
  readonly evaluationObserver: EvaluationObserver;
  readonly version: string;
  readonly listeners: ServeHttpParts["listeners"];
}

/** The caller's side: makes intents durable, puts them on their lanes, and answers HTTP. */
export async function takeAlerts(parts: IngressParts, lifecycle: Lifecycle): Promise<Greeting> {
  const { store, processId, accounts, user } = parts;
  const { board, ...rest } = parts;
  const gateway = composeGateway({
    ...rest,
    ...openAlertLog(parts),
    ...openOverviewSources(parts),
    board,
    reads: parts,
    findRevokedKeys: createFindRevokedKeys({ redis: store.request, keys: store.keys }),
  });
  const people = composePeople(parts);
  const url = await serveHttp({ ...parts, gateway, people }, lifecycle);
  await store.worker.set(store.keys.url, url);
  await retryUntilDeadline(() => accounts.load());
  const { worker: redis, keys } = store;
  const first = await createFirstCredentials({
    credentials: createRedisCredentialStore({ redis, keys }),
    accounts,
    user,
    claim: async () => await claimFirstStart(redis, keys, processId),
  });
  return { url, first, setUpLink: await offerSetUp(createRedisPeople({ redis, keys }), url, user) };
}

function openAlertLog({ store, config, alarms, metrics }: IngressParts) {
  const { request, worker, keys } = store;
  const kept = { keys, retentionMs: alertRetentionMs(config) };
  const alerts = createRedisAlertLog({ redis: request, ...kept });
  const patient = createRedisAlertLog({ redis: worker, ...kept });
  return {
    alerts,
    recordAlertOutcome: createRecordAlertOutcome({ prompt: alerts, patient, alarms }),
    alertObserver: { alertAnswered: metrics.alerts },
  };
}
