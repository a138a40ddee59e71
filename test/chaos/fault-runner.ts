import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { DoneFault, Struck } from "./faults-done.ts";
import { MemberFaults } from "./member-faults.ts";
import type { Fault, PlannedFault } from "./schedule.ts";
import { strikeWire } from "./wire-faults.ts";

/** So many faults may be under way at one time. */
const MOST_AT_ONCE = 3;

/** Carries the planned faults out, never so many at once that nothing could work any more. */
export class FaultRunner {
  readonly done: DoneFault[] = [];
  readonly #cluster: Cluster;
  readonly #members: MemberFaults;
  readonly #open = new Set<Promise<void>>();
  #isBrokerFrozen = false;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
    this.#members = new MemberFaults(cluster);
  }

  /** Resolves when the last fault is over and everything runs again. */
  async run(plan: readonly PlannedFault[], signal: AbortSignal): Promise<void> {
    const startedAt = performance.now();
    for (const { atMs, fault } of plan) {
      const waitMs = atMs - (performance.now() - startedAt);
      if (waitMs > 0) await sleep(waitMs, undefined, { signal }).catch(() => undefined);
      while (this.#open.size >= MOST_AT_ONCE) await Promise.race(this.#open);
      if (signal.aborted) break;
      const one: Promise<void> = this.#carryOut(fault).finally(() => this.#open.delete(one));
      this.#open.add(one);
    }
    await Promise.all(this.#open);
  }

  async #carryOut(fault: Fault): Promise<void> {
    const startedAt = Date.now();
    const struck = await this.#strike(fault).catch((error: unknown): Struck => {
      return { note: `failed: ${String(error)}`, isHit: false, kills: 0 };
    });
    this.done.push({ fault, startedAt, endedAt: Date.now(), ...struck });
  }

  async #strike(fault: Fault): Promise<Struck> {
    const { broker, store, wires } = this.#cluster;
    switch (fault.kind) {
      case "killWorker":
      case "killIngress":
      case "crashWorker":
      case "crashAhead":
      case "crashIngress":
      case "freezeWorker":
      case "freezeIngress":
        return await this.#members.strike(fault);
      case "killRedis":
      case "freezeRedis":
      case "redisLink":
        return await store.strike(fault);
      case "freezeBroker":
        return await this.#freezeBroker(fault.ms);
      case "cutSession":
      case "loseAnswer":
      case "delayAnswers":
      case "brokerFrame":
      case "brokerLink": {
        const wire = wires[fault.connection];
        if (wire === undefined) throw new Error(`There is no connection ${fault.connection}`);
        return await strikeWire(fault, { wire, broker });
      }
    }
  }

  async #freezeBroker(ms: number): Promise<Struck> {
    if (this.#isBrokerFrozen) return { note: "it was frozen", isHit: false, kills: 0 };
    this.#isBrokerFrozen = true;
    const { broker } = this.#cluster;
    broker.signal("SIGSTOP");
    await sleep(ms);
    broker.signal("SIGCONT");
    this.#isBrokerFrozen = false;
    return { note: "", isHit: true, kills: 0 };
  }
}
