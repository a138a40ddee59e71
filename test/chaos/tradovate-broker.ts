import { setTimeout as sleep } from "node:timers/promises";
import { accountId } from "../../src/domain/ids.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import { startTradovateSimulator } from "../simulators/tradovate/start.ts";
import { type Behaviour, type ChaosBroker, ORDER_FRAMES, strikeFrame } from "./chaos-broker.ts";
import type { Wire } from "./cluster.ts";
import type { FrameFate } from "./schedule.ts";

/** Answers to anything else say nothing of an order. */
const ORDER_COMMANDS = ["placeorder", "placeoso", "placeoco", "modifyorder", "cancelorder"];

/**
 * Tradovate's frames have neither a number nor a checksum: that they come whole and once is TLS's
 * doing, which the proxy stands inside of. What cannot reach a broker is not done to it.
 */
const FATES: Partial<Readonly<Record<FrameFate, FrameFate>>> = {
  double: "resetAfter",
  corrupt: "resetBefore",
};

/**
 * The look-alike of Tradovate. It never refuses a clOrdId, and each connection is a user of it. Throws
 * for a behaviour that its simulator does not have.
 */
export async function startTradovateBroker(behaviour: Behaviour = {}): Promise<ChaosBroker> {
  const simulator = await startTradovateSimulator();
  const { control, signal, stop } = simulator;
  // How often anything may be asked is for the conformance suite; here all the calls of a day come
  // within minutes.
  await control({ knob: "set", userLimit: {}, endpointLimits: {}, ...behaviour });
  const names = new AccountNames();
  const { hostname: host, port } = new URL(simulator.url);
  return {
    addressOf: () => ({ name: "tradovate", host, port: Number(port) }),
    pace: { entryMaxAgeSeconds: 15, exitMaxAgeSeconds: 20, delayFactor: 1.5 },
    closesByOrder: true,
    openAccounts: async (user, count) => {
      const answer = await control({ knob: "user", name: user, password: "any", accounts: count });
      return names.open(user, answer["accountIds"] as readonly number[]);
    },
    cutSessions: async () => {
      await control({ knob: "closeSockets" });
    },
    cutAndRefuse: async ({ connection: user, proxy }: Wire, ms) => {
      const refused = proxy.add({ kind: "refuse" });
      try {
        await control({ knob: "closeSockets", user });
        await sleep(ms);
      } finally {
        refused.remove();
      }
    },
    loseNextAnswer: async (user, isCarriedOut) => {
      await control({ knob: "loseNextAnswer", user, isCarriedOut });
    },
    delayAnswers: async (user, ms) => {
      const endpoints = ORDER_COMMANDS.map((name) => `order/${name}`);
      await control({ knob: "set", user, answerDelay: { ms, endpoints } });
    },
    strikeOrder: (wire, planned) =>
      strikeFrame(wire, FATES[planned] ?? planned, ORDER_FRAMES.tradovate),
    signal,
    log: async () => (await simulator.log()).map((entry) => names.rename(entry)),
    positions: async () => {
      const { accounts } = await simulator.state();
      const views = Object.entries(accounts);
      return new Map(views.map(([name, { positions }]) => [names.of(name), positions]));
    },
    stop,
  };
}

/** Accounts as the adapter names them, by the broker's numbers, and as its matching core does. */
class AccountNames {
  readonly #ours = new Map<string, string>();

  /** The core counts the accounts of a user from 1. */
  open(user: string, ids: readonly number[]): readonly string[] {
    const own = ids.map((id) => `${user}-${id}`);
    for (const [n, name] of own.entries()) this.#ours.set(`${user}-${n + 1}`, name);
    return own;
  }

  of(core: string): string {
    return this.#ours.get(core) ?? core;
  }

  rename({ account, ...entry }: LogEntry): LogEntry {
    return account === undefined ? entry : { ...entry, account: accountId(this.of(account)) };
  }
}
