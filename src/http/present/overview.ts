import type { AlertTraffic, Overview } from "../../trading/reads/overview.ts";
import type { Holding } from "../../trading/reads/read-holdings.ts";
import { MOST_HOLDINGS } from "../schemas/overview.ts";
import { presentHolding } from "./account.ts";
import { presentTime, presentTimeOrNull } from "./figures.ts";
import type { DescribeContract } from "../../trading/orders/describe-contract.ts";

const MS_PER_SECOND = 1_000;

export function presentOverview(overview: Overview, describe: DescribeContract) {
  const { asOf, connections, killSwitch, unknownOutcomes, unprotectedPositions } = overview;
  const { waiting, oldestWaitingMs, troubles, alerts, holdings } = overview;
  const positions = countsOf(holdings);
  return {
    asOf: presentTime(asOf),
    safe: troubles.length === 0 && positions.protected === positions.held,
    connections,
    killSwitch,
    unknownOutcomes,
    unprotectedPositions,
    positions,
    holdings: holdings.slice(0, MOST_HOLDINGS).map((holding) => ({
      accountId: holding.account.accountId,
      accountName: holding.account.name,
      environment: holding.account.environment,
      ...presentHolding(holding, describe),
      asOf: presentTime(holding.asOf),
      live: holding.live,
    })),
    waiting,
    oldestWaitingSeconds: oldestWaitingMs === undefined ? null : oldestWaitingMs / MS_PER_SECOND,
    troubles: troubles.map(({ kind, severity, message, advice, since, accounts = [], ...of }) => ({
      kind,
      ...(of.accountId !== undefined && { accountId: of.accountId }),
      ...(of.connectionId !== undefined && { connectionId: of.connectionId }),
      severity,
      message,
      advice,
      since: presentTimeOrNull(since),
      accounts,
    })),
    alerts: {
      minutes: alerts.minutes.map(({ at, ...counts }) => ({ at: presentTime(at), ...counts })),
      latencyMs: presentLatency(alerts.latenciesMs),
    },
  };
}

function countsOf(holdings: readonly Holding[]) {
  const counts = { held: holdings.length, protected: 0, noneAsked: 0, missing: 0, unknown: 0 };
  for (const { protection } of holdings) counts[protection.kind] += 1;
  return counts;
}

/** By nearest rank: each figure is one that was measured. */
export function presentLatency(latenciesMs: AlertTraffic["latenciesMs"]) {
  const count = latenciesMs.length;
  if (count === 0) return null;
  const sorted = [...latenciesMs].sort((a, b) => a - b);
  const rank = (share: number) => sorted[Math.ceil(share * count) - 1] ?? 0;
  return { p50: rank(0.5), p99: rank(0.99), count };
}
