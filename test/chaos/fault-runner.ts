import { setTimeout as sleep } from "node:timers/promises";
import type { Cluster } from "./cluster.ts";
import type { DoneFault, Struck } from "./faults-done.ts";
import { MemberFaults } from "./member-faults.ts";
import type { Fault, PlannedFault } from "./schedule.ts";
import { pullLink, strikeWire } from "./wire-faults.ts";

/** So many faults may be under way at one time. */
const MOST_AT_ONCE = 3;

/** Carries the planned faults out, never so many at once that nothing could work any more. */
export class FaultRunner {
  readonly done: DoneFault[] = [];
  readonly #cluster: Cluster;
  readonly #members: MemberFaults;
  readonly #open = new Set<Promise<void>>();
  readonly #frozen = new Set<"redis" | "broker">();

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
    const { broker, redisProxy, wires } = this.#cluster;
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
        return this.#signalRedis("SIGKILL");
      case "freezeRedis":
        return await this.#freeze("redis", fault.ms, (signal) => this.#signalRedis(signal));
      case "freezeBroker":
        return await this.#freeze("broker", fault.ms, (signal) => {
          broker.signal(signal);
          return { note: "", isHit: true, kills: 0 };
        });
      case "redisLink":
        return await pullLink(redisProxy, fault);
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

  #signalRedis(signal: NodeJS.Signals): Struck {
    const { pid } = this.#cluster.redisServer;
    if (pid === undefined) return { note: "it was not running", isHit: false, kills: 0 };
    process.kill(pid, signal);
    return { note: "", isHit: true, kills: signal === "SIGKILL" ? 1 : 0 };
  }

  async #freeze(
    name: "redis" | "broker",
    ms: number,
    signal: (signal: "SIGSTOP" | "SIGCONT") => Struck,
  ): Promise<Struck> {
    if (this.#frozen.has(name)) return { note: "it was frozen", isHit: false, kills: 0 };
    this.#frozen.add(name);
    const struck = signal("SIGSTOP");
    await sleep(ms);
    signal("SIGCONT");
    this.#frozen.delete(name);
    return struck;
  }
}
