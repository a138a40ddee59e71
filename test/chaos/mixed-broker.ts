import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { ChaosBroker } from "./chaos-broker.ts";
import { startExchangeBroker } from "./exchange-broker.ts";
import { startProjectXBroker } from "./projectx-broker.ts";
import { startTradovateBroker } from "./tradovate-broker.ts";

/** Connections of one run at several brokers, in turns: leaders and followers trade at different ones. */
export async function startMixedBroker(): Promise<ChaosBroker> {
  const brokers = [
    await startProjectXBroker(),
    await startTradovateBroker(),
    await startExchangeBroker(),
  ];
  const of = (connection: string): ChaosBroker => {
    const number = Number(connection.replaceAll(/\D/g, ""));
    const broker = brokers[(number - 1) % brokers.length];
    if (broker === undefined) throw new Error(`There is no connection ${connection}`);
    return broker;
  };
  const all = async (act: (broker: ChaosBroker) => Promise<unknown>) => {
    await Promise.all(brokers.map(act));
  };
  return {
    addressOf: (connection) => of(connection).addressOf(connection),
    // The slowest sets the pace.
    pace: { entryMaxAgeSeconds: 15, exitMaxAgeSeconds: 20, delayFactor: 1.5 },
    closesByOrder: true,
    openAccounts: async (connection, count) => await of(connection).openAccounts(connection, count),
    cutSessions: async () => await all((broker) => broker.cutSessions()),
    cutAndRefuse: async (wire, ms) => await of(wire.connection).cutAndRefuse(wire, ms),
    loseNextAnswer: async (connection, isCarriedOut) =>
      await of(connection).loseNextAnswer(connection, isCarriedOut),
    delayAnswers: async (connection, ms) => await of(connection).delayAnswers(connection, ms),
    strikeOrder: async (wire, planned) => await of(wire.connection).strikeOrder(wire, planned),
    signal: (signal) => {
      for (const broker of brokers) broker.signal(signal);
    },
    log: async () => inOne(await Promise.all(brokers.map(async (broker) => await broker.log()))),
    positions: async () => {
      const held = await Promise.all(brokers.map(async (broker) => await broker.positions()));
      return new Map(held.flatMap((one) => [...one]));
    },
    stop: async () => await all((broker) => broker.stop()),
  };
}

/** One log, by time; each broker's own order stays, and so does that of each account. */
function inOne(logs: readonly (readonly LogEntry[])[]): readonly LogEntry[] {
  return logs
    .flat()
    .toSorted((one, other) => one.at - other.at)
    .map((entry, n) => ({ ...entry, seq: n + 1 }));
}
