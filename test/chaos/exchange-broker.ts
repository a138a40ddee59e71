import { accountId, connectionId } from "../../src/domain/ids.ts";
import { startExchangeSimulator } from "../simulators/exchange/start.ts";
import { type ChaosBroker, ORDER_FRAMES, strikeFrame } from "./chaos-broker.ts";

/** Of a connection's accounts every third one is slow. */
const SLOW_EVERY = 3;

/** The exchange simulator: a protocol of our own, whose frames are numbered and sealed. */
export async function startExchangeBroker(): Promise<ChaosBroker> {
  const simulator = await startExchangeSimulator();
  const { control, log, signal, stop } = simulator;
  await control({ knob: "duplicates", policy: "accept" });
  const accounts = new Map<string, readonly string[]>();
  const { hostname: host, port } = new URL(simulator.url);
  return {
    addressOf: () => ({ name: "exchange", host, port: Number(port) }),
    pace: { entryMaxAgeSeconds: 15, exitMaxAgeSeconds: 20, delayFactor: 1 },
    closesByOrder: false,
    openAccounts: async (connection, count) => {
      // They are there from the first login on.
      const own = Array.from({ length: count }, (_, n) => `${connection}-${n + 1}`);
      accounts.set(connection, own);
      return await Promise.resolve(own);
    },
    cutSessions: async () => {
      await control({ knob: "closeSessions" });
    },
    cutAndRefuse: async (wire, ms) => {
      const connection = connectionId(wire.connection);
      await control({ knob: "refuseLogins", ms, connection });
      await control({ knob: "closeSessions", connection });
    },
    loseNextAnswer: async (connection, isCarriedOut) => {
      const named = connectionId(connection);
      await control({ knob: "loseNextAnswer", connection: named, isCarriedOut });
    },
    delayAnswers: async (connection, ms) => {
      const slow = (accounts.get(connection) ?? []).filter((_, n) => n % SLOW_EVERY === 0);
      for (const account of slow) {
        await control({ knob: "delay", account: accountId(account), ms });
      }
    },
    strikeOrder: (wire, planned) => strikeFrame(wire, planned, ORDER_FRAMES.exchange),
    signal,
    log: async () => await log(),
    positions: async () => {
      const { accounts: views } = await simulator.state();
      return new Map(Object.entries(views).map(([name, { positions }]) => [name, positions]));
    },
    stop,
  };
}
