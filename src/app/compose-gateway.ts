import { defaultLimits } from "./default-limits.ts";
import type { EvaluationObserver } from "../trading/strategies/end-evaluation.ts";
import { openOverviewSources, type OverviewSources } from "./overview-sources.ts";
import { type Links, type UseCaseParts, useCaseParts } from "./open-links.ts";
import type { Foundation } from "./open-foundation.ts";
import { createFindRevokedKeys } from "../store/people/redis-credential-store.ts";
import { createTellRepeatedExit } from "../trading/alerts/repeated-exit.ts";
import { createRecordAlertOutcome } from "../trading/alerts/record-alert-outcome.ts";
import { hash, randomUUID } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import type { Config } from "../../config/index.ts";
import { errors } from "../errors.ts";
import type { AnswerTimes } from "../trading/orders/answer-times.ts";
import { createAnswerIntents } from "../trading/orders/answer-intent.ts";
import { createOrderUses } from "../trading/orders/manage-orders.ts";
import type { Gateway } from "../trading/gateway.ts";
import { createAccountGroupUses } from "../trading/account-groups/manage-account-groups.ts";
import { createOrderGroup } from "../trading/account-groups/order-group.ts";
import { createAlertHistory } from "../trading/alerts/alert-history.ts";
import { createReceiveAlerts, type ReceiveAlertsDeps } from "../trading/alerts/receive-alerts.ts";
import { createReplayAlert } from "../trading/alerts/replay-alert.ts";
import type { ConnectionUses } from "../trading/connections/connection-uses.ts";
import { createForgetPositions } from "../trading/connections/forget-positions.ts";
import { createConnectionUses } from "../trading/connections/manage-connections.ts";
import { createReadCalendar } from "../calendars/read-calendar.ts";
import { createCalendarUses } from "../trading/guards/calendar-uses.ts";
import { createExitPlanUses } from "../trading/exits/exit-plan-uses.ts";
import { createRiskUses } from "../trading/guards/manage-risk.ts";
import { createWebhookUses } from "../trading/alerts/manage-webhooks.ts";
import { createRepeatIntent } from "../trading/orders/repeat-intent.ts";
import { createReadHoldings } from "../trading/reads/read-holdings.ts";
import { createReadOverview } from "../trading/reads/read-overview.ts";
import { createAccountDayUses } from "../trading/money/change-account-day.ts";
import { createReadMoney } from "../trading/money/read-money.ts";
import { createAccountReads } from "../trading/reads/read-account.ts";
import { createRequireConnection } from "../trading/connections/require-connection.ts";
import { createOpenContracts } from "../trading/orders/open-contracts.ts";
import { createFindFailingStrategies } from "../trading/strategies/strategy-views.ts";
import { createSubmitIntent } from "../trading/orders/submit-intent.ts";
import type { DestinationUses } from "../trading/notify/destination-uses.ts";
import { createWatchChanges } from "../trading/changes.ts";
import { createWatchConnections } from "../trading/connections/watch-connections.ts";
import { createTryConnection } from "../brokers/try-connection.ts";
import { composeStrategyUses } from "./compose-strategy-uses.ts";
import { composeGuardUses } from "./compose-guard-uses.ts";
import { composeCopyUses } from "./compose-copy-uses.ts";
import { memberIdOf, newAccountGroupId, newIntentId } from "./new-ids.ts";

const MS_PER_SECOND = 1_000;

interface GatewayParts extends UseCaseParts, OverviewSources {
  readonly destinationUses: DestinationUses;
  readonly recordAlertOutcome: ReceiveAlertsDeps["recordAlertOutcome"];
  readonly tellRepeatedExit: ReceiveAlertsDeps["tellRepeatedExit"];
  readonly alertObserver: ReceiveAlertsDeps["observer"];
  readonly evaluationObserver: EvaluationObserver;
  readonly answerTimes: AnswerTimes | undefined;
  readonly findRevokedKeys: Gateway["findRevokedKeys"];
}

/** What callers may ask of this process, and what it asks of itself to tell users what happened. */
export function openGateway(
  base: Foundation,
  links: Links,
  uses: Pick<GatewayParts, "evaluationObserver" | "destinationUses">,
): Gateway {
  const { store, stores, patient, alarms, metrics } = base;
  const parts = useCaseParts(base, links);
  return composeGateway({
    ...parts,
    ...openOverviewSources(base),
    ...uses,
    answerTimes: base.answerTimes,
    recordAlertOutcome: createRecordAlertOutcome({
      prompt: stores.alerts,
      patient: patient.alerts,
      alarms,
    }),
    tellRepeatedExit: createTellRepeatedExit({ ...parts, alarms }),
    alertObserver: { alertAnswered: metrics.alerts },
    findRevokedKeys: createFindRevokedKeys({ redis: store.request, keys: store.keys }),
  });
}

/** Wires the use cases that HTTP and the command line call. */
function composeGateway(parts: GatewayParts): Gateway {
  const { config, credentials, intents, reading, answerTimes } = parts;
  const { views } = reading;
  const elapsed = () => performance.now();
  const submit = createSubmitIntent({ ...parts, newIntentId, elapsed });
  const repeat = createRepeatIntent(parts);
  const answers = createAnswerIntents({ intents, views, submit, repeat, answerTimes });
  const requireConnection = createRequireConnection(parts.board, Date.now);
  const openContracts = createOpenContracts(parts);
  const exits = { openContracts, requireConnection };
  const deps = { ...parts, ...answers, ...exits, submit, repeat };
  const receiveAlerts = createReceiveAlerts({
    ...deps,
    observer: parts.alertObserver,
    defaults: alertDefaults(config),
    newIntentId,
    memberIdOf,
    fingerprint,
    elapsed,
  });

  const connectionUses = composeConnectionUses(parts);
  // For what only reads; `replayAlert` decides by what it reads.
  const seen = { ...deps, ...reading };
  const holdings = createReadHoldings(seen);
  return {
    ...createOrderUses(deps),
    receiveAlerts,
    ...createAlertHistory(seen),
    replayAlert: createReplayAlert({ ...deps, receiveAlerts }),
    ...createAccountReads({ ...seen, holdings }),
    ...createReadMoney({ ...seen, askBalances: parts.reads.balances }),
    ...createAccountDayUses({ ...parts, now: Date.now }),
    ...connectionUses,
    ...createReadOverview({
      ...seen,
      ...connectionUses,
      holdings,
      findFailingStrategies: createFindFailingStrategies(seen),
    }),
    ...createRiskUses({ ...deps, switches: reading.limits, defaults: defaultLimits(config) }),
    ...composeGuardUses({
      ...seen,
      statusOf: (connection) => parts.board.status(connection),
    }),
    ...createForgetPositions({ ...parts, now: Date.now }),
    ...createCalendarUses({
      ...seen,
      calendars: parts.calendars,
      readCalendar: createReadCalendar(),
    }),
    ...createExitPlanUses(parts),
    ...createWebhookUses(parts),
    ...createAccountGroupUses({ ...parts, newGroupId: newAccountGroupId }),
    ...createOrderGroup(deps),
    ...composeCopyUses(parts),
    ...composeStrategyUses(deps),
    ...parts.destinationUses,
    readUser: async ({ userId }) => {
      const user = (await credentials.users()).find((one) => one.userId === userId);
      if (user === undefined) throw errors.notFound("user");
      return user;
    },
    watchConnections: createWatchConnections({ ...parts, pause }),
    watchChanges: createWatchChanges(parts),
    findRevokedKeys: parts.findRevokedKeys,
  };
}

/** For HTTP and the command line alike. */
export function composeConnectionUses(
  parts: Pick<
    UseCaseParts,
    "records" | "setups" | "catalog" | "secrets" | "accounts" | "contracts" | "log"
  >,
): ConnectionUses {
  const now = Date.now;
  return createConnectionUses({
    ...parts,
    brokers: parts.catalog,
    seals: parts.secrets,
    tryConnection: createTryConnection({ ...parts, now }),
    newDeviceId: randomUUID,
    now,
  });
}

/** Charting platforms send again for 15 s at the most, 5 s apart. */
const DUPLICATE_WINDOW_MS = 20_000;

function alertDefaults(config: Config): ReceiveAlertsDeps["defaults"] {
  return {
    entryMaxAgeMs: config.ENTRY_MAX_AGE_SECONDS * MS_PER_SECOND,
    exitMaxAgeMs: config.EXIT_MAX_AGE_SECONDS * MS_PER_SECOND,
    duplicateWindowMs: DUPLICATE_WINDOW_MS,
  };
}

const fingerprint = (text: string): string => hash("sha256", text, "base64url");

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal, ref: false }).catch(() => undefined);
}
