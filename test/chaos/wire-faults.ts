import { setTimeout as sleep } from "node:timers/promises";
import { type ChaosBroker, ORDER_FRAMES } from "./chaos-broker.ts";
import type { Wire } from "./cluster.ts";
import { HIT_WITHIN_MS, type Struck } from "./faults-done.ts";
import { pullLink } from "./links.ts";
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
