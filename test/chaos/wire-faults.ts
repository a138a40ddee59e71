import { setTimeout as sleep } from "node:timers/promises";
import { accountId, connectionId } from "../../src/domain/ids.ts";
import type { FaultProxy } from "../faults/proxy.ts";
import type { ExchangeSimulator } from "../simulators/exchange/start.ts";
import type { Wire } from "./cluster.ts";
import { HIT_WITHIN_MS, type Struck } from "./faults-done.ts";
import { until } from "./member-faults.ts";
import type { Fault } from "./schedule.ts";

type WireFault = Extract<Fault, { readonly connection: number }>;

interface Place {
  readonly wire: Wire;
  readonly broker: ExchangeSimulator;
  readonly accounts: readonly string[];
}

/** Of a connection's accounts every third one is slow. */
const SLOW_EVERY = 3;

/** Lets something fail between a connection and its broker; resolves when it is over. */
export async function strikeWire(fault: WireFault, place: Place): Promise<Struck> {
  const { wire, broker } = place;
  const connection = connectionId(wire.connection);
  const struck = { note: wire.connection, isHit: true, kills: 0 };
  switch (fault.kind) {
    case "cutSession":
      await broker.control({ knob: "refuseLogins", ms: fault.refusedMs, connection });
      await broker.control({ knob: "closeSessions", connection });
      return struck;
    case "loseAnswer": {
      const { isCarriedOut } = fault;
      await broker.control({ knob: "loseNextAnswer", connection, isCarriedOut });
      return struck;
    }
    case "delayAnswers":
      await delayAnswers(fault, place);
      return struck;
    case "brokerFrame":
      return await strikeFrame(fault, wire);
    case "brokerLink":
      return { ...(await pullLink(wire.proxy, fault)), note: wire.connection };
  }
}

async function delayAnswers(
  { delayMs, ms }: Extract<Fault, { kind: "delayAnswers" }>,
  { wire, broker, accounts }: Place,
): Promise<void> {
  const own = accounts.filter((account) => account.startsWith(`${wire.connection}-`));
  const slow = own.filter((_, n) => n % SLOW_EVERY === 0).map(accountId);
  for (const account of slow) await broker.control({ knob: "delay", account, ms: delayMs });
  await sleep(ms);
  for (const account of slow) await broker.control({ knob: "delay", account, ms: 0 });
}

/** The next order's. */
async function strikeFrame(
  { frame: kind }: Extract<Fault, { kind: "brokerFrame" }>,
  { connection, frames }: Wire,
): Promise<Struck> {
  const where = (text: string) => text.includes('"op":"submitOrder"');
  const handle = frames.add({ kind, direction: "toTarget", where });
  await until(() => handle.hits > 0, HIT_WITHIN_MS);
  handle.remove();
  return { note: connection, isHit: handle.hits > 0, kills: 0 };
}

/** Lets a whole link fail for a while, and heals it. */
export async function pullLink(
  proxy: FaultProxy,
  { link, ms }: { readonly link: "cut" | "halfOpen" | "latency"; readonly ms: number },
): Promise<Struck> {
  if (link === "cut") {
    const down = proxy.add({ kind: "down" });
    // Long enough: what was cut comes back at once.
    await sleep(ms / 4);
    down.remove();
    return { note: "", isHit: true, kills: 0 };
  }
  const fault =
    link === "halfOpen"
      ? proxy.add({ kind: "halfOpen" })
      : proxy.add({ kind: "latency", ms: 100, jitterMs: 300 });
  await sleep(ms);
  fault.remove();
  return { note: "", isHit: fault.hits > 0, kills: 0 };
}
