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
  waiting: 0,
  oldestWaitingSeconds: null,
  troubles: [
    {
      kind: "connection",
      connectionId: "tradovate-1",
      message:
        'The connection "Evaluation" was refused its login by the broker (Incorrect username or password): correct its settings, then reconnect it. Orders are refused meanwhile, and nothing watches its positions',
    },
  ],
  alerts: { minutes: MINUTES, latencyMs: { p50: 12, p99: 12, count: 1 } },
};
