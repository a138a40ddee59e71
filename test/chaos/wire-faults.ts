import { setTimeout as sleep } from "node:timers/promises";
import type { FaultProxy } from "../faults/proxy.ts";
import { type ChaosBroker, ORDER_FRAMES } from "./chaos-broker.ts";
import type { Wire } from "./cluster.ts";
import { HIT_WITHIN_MS, type Struck } from "./faults-done.ts";
import { until } from "./member-faults.ts";
import type { Fault } from "./schedule.ts";

type WireFault = Extract<Fault, { readonly connection: number }>;

interface Place {
  readonly wire: Wire;
  readonly broker: ChaosBroker;
}

/** Lets something fail between a connection and its broker; resolves when it is over. */
export async function strikeWire(fault: WireFault, place: Place): Promise<Struck> {
  const { wire, broker } = place;
  const struck = { note: wire.connection, isHit: true, kills: 0 };
  switch (fault.kind) {
    case "cutSession":
      await broker.cutAndRefuse(wire, fault.refusedMs);
      return struck;
    case "loseAnswer":
      await broker.loseNextAnswer(wire.connection, fault.isCarriedOut);
      return struck;
    case "delayAnswers":
      await delayAnswers(fault, place);
      return struck;
    case "brokerFrame":
      return await strikeFrame(fault, place);
    case "brokerLink":
      return { ...(await pullLink(wire.proxy, fault)), note: wire.connection };
  }
}

async function delayAnswers(
  { delayMs, ms }: Extract<Fault, { kind: "delayAnswers" }>,
  { wire: { connection }, broker }: Place,
): Promise<void> {
  await broker.delayAnswers(connection, Math.round(delayMs * broker.pace.delayFactor));
  await sleep(ms);
  await broker.delayAnswers(connection, 0);
}

/** The next order's. */
async function strikeFrame(
  { frame }: Extract<Fault, { kind: "brokerFrame" }>,
  { wire: { connection, frames }, broker }: Place,
): Promise<Struck> {
  const kind = broker.fateOf(frame);
  const where = (text: string) => ORDER_FRAMES[broker.name].test(text);
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
