import { setTimeout as sleep } from "node:timers/promises";
import type { ChaosBroker } from "./chaos-broker.ts";
import type { Wire } from "./cluster.ts";
import type { Struck } from "./faults-done.ts";
import { pullLink } from "./links.ts";
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
  { wire, broker }: Place,
): Promise<Struck> {
  const isHit = await broker.strikeOrder(wire, frame);
  return { note: wire.connection, isHit, kills: 0 };
}
