import { setTimeout as sleep } from "node:timers/promises";
import { accountId, clOrdId, legOf } from "../../src/domain/ids.ts";
import type { LogEntry } from "../simulators/exchange/event-log.ts";
import type { Fault } from "../simulators/projectx/faults.ts";
import { startProjectXSimulator } from "../simulators/projectx/start.ts";
import type { Behaviour, ChaosBroker } from "./chaos-broker.ts";
import type { Wire } from "./cluster.ts";
import { HIT_WITHIN_MS } from "./faults-done.ts";
import type { FrameFate } from "./schedule.ts";

/** Orders are requests there, and what can become of one is done to its answer. */
const FATES: Readonly<Record<FrameFate, Fault>> = {
  resetBefore: { kind: "drop", isCarriedOut: false },
  resetAfter: { kind: "drop", isCarriedOut: true, cutsHubs: true },
  drop: { kind: "silence", isCarriedOut: false },
  double: { kind: "code", code: 7, isCarriedOut: true },
  reorder: { kind: "delay", ms: 1_000 },
  corrupt: { kind: "garbage", isCarriedOut: true },
};
const LOOK_MS = 100;
const MANY = 1_000_000;

/** Its own tag for a leg that is placed again: to the gateway it is the same exit. */
const AGAIN = /-r\d(?=-(?:TP|SL)$)/;

/**
 * The look-alike of ProjectX. Each connection is a user of it. A tag that was used is refused, as the
 * service does: what is sent twice is seen in the log as refused.
 */
export async function startProjectXBroker(behaviour: Behaviour = {}): Promise<ChaosBroker> {
  const simulator = await startProjectXSimulator();
  const { control, signal, stop } = simulator;
  const limits = { requestsPerMinute: MANY, barsPerHalfMinute: MANY };
  await control({ knob: "set", ...limits, delaysCommandsOnly: true, ...behaviour });
  const { hostname: host, port } = new URL(simulator.url);
  const connections = new Map<string, string>();
  const nameOf = (account: string) => `${connections.get(account) ?? ""}-${account}`;
  return {
    addressOf: () => ({ name: "projectx", host, port: Number(port) }),
    pace: { entryMaxAgeSeconds: 15, exitMaxAgeSeconds: 20, delayFactor: 1.5 },
    closesByOrder: true,
    openAccounts: async (user, count) => {
      const answer = await control({ knob: "user", name: user, apiKey: "any", accounts: count });
      const made = answer["accounts"] as readonly { readonly id: number }[];
      for (const { id } of made) connections.set(String(id), user);
      return made.map(({ id }) => nameOf(String(id)));
    },
    cutSessions: async () => {
      await control({ knob: "closeHubs" });
    },
    cutAndRefuse: async ({ connection: user, proxy }: Wire, ms) => {
      const refused = proxy.add({ kind: "refuse" });
      try {
        await control({ knob: "closeHubs", user, gapMs: ms });
        await sleep(ms);
      } finally {
        refused.remove();
      }
    },
    loseNextAnswer: async (user, isCarriedOut) => {
      await control({ knob: "loseNextAnswer", user, isCarriedOut });
    },
    delayAnswers: async (user, ms) => {
      await control({ knob: "set", user, answerDelayMs: ms });
    },
    strikeOrder: async ({ connection: user }, planned) => {
      await control({ knob: "fault", user, path: "Order/place", fault: FATES[planned] });
      const until = performance.now() + HIT_WITHIN_MS;
      let left = 1;
      while (left > 0 && performance.now() < until) {
        await sleep(LOOK_MS);
        left = Number((await control({ knob: "faultsLeft", user }))["left"]);
      }
      await control({ knob: "forgetFaults", user });
      return left === 0;
    },
    signal,
    log: async () => (await simulator.log()).map((entry) => rename(entry, nameOf)),
    positions: async () => {
      const { accounts } = await simulator.state();
      const views = Object.entries(accounts);
      return new Map(views.map(([account, { positions }]) => [nameOf(account), positions]));
    },
    stop,
  };
}

/** By the gateway's names; a leg that is placed by itself is a protection. */
function rename(
  { account, clOrdId: tag, command, fill, ...entry }: LogEntry,
  nameOf: (account: string) => string,
): LogEntry {
  const name = tag && clOrdId(tag.replace(AGAIN, ""));
  const isLeg = name !== undefined && legOf(name) !== undefined;
  return {
    ...entry,
    ...(account !== undefined && { account: accountId(nameOf(account)) }),
    ...(name !== undefined && { clOrdId: name }),
    ...(fill !== undefined && { fill: name === undefined ? fill : { ...fill, clOrdId: name } }),
    ...(command !== undefined && {
      command:
        isLeg && entry.op === "submitOrder" ? { ...command, op: "submitProtection" } : command,
    }),
  };
}
