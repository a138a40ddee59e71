/** One alert in the last minute of the hour. */
const FIRST_MINUTE_AT = Date.UTC(2026, 8, 21, 13, 31);
const MINUTES = Array.from({ length: 60 }, (_, minute) => ({
  at: new Date(FIRST_MINUTE_AT + minute * 60_000).toISOString(),
  accepted: minute === 59 ? 1 : 0,
  refused: 0,
}));

export const OVERVIEW = {
  asOf: "2026-09-21T14:30:00.000Z",
  safe: false,
  connections: { total: 2, connected: 1 },
  killSwitch: { active: false, accounts: 0 },
  unknownOutcomes: 0,
  unprotectedPositions: 0,
  positions: { held: 1, protected: 0, noneAsked: 1, missing: 0, unknown: 0 },
  holdings: [
    {
      accountId: "paper-1",
      accountName: "Paper 1",
      environment: "demo",
      symbol: "ESZ6",
      side: "long",
      qty: 1,
      averagePrice: 5000.25,
      markPrice: 5003.5,
      unrealizedPnl: 162.5,
      unrealizedTicks: 13,
      realizedPnl: 0,
      realizedTicks: 0,
      currency: "USD",
      tickSize: 0.25,
      protection: { state: "noneAsked", missing: [], openedBy: "alert", reason: null },
      stopLosses: [],
      takeProfits: [],
      asOf: "2026-09-21T14:29:58.000Z",
      live: true,
    },
  ],
  waiting: 0,
  oldestWaitingSeconds: null,
  troubles: [
    {
      kind: "connection",
      connectionId: "tradovate-1",
      severity: "critical",
      since: "2026-09-21T14:12:03.000Z",
      message:
        'Connection "Evaluation" was refused its login by the broker (Incorrect username or password). Orders are refused meanwhile, and its positions are not watched',
      advice: "Correct its settings, then reconnect it",
      accounts: [],
    },
  ],
  alerts: { minutes: MINUTES, latencyMs: { p50: 12, p99: 12, count: 1 } },
};
