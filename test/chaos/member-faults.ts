import { setTimeout as sleep } from "node:timers/promises";
import { connectionId } from "../../src/domain/ids.ts";
import { type Cluster, reportDeath } from "./cluster.ts";
import { isRarePoint } from "./crash-points.ts";
import {
  HIT_WITHIN_MS,
  SLOT_HIT_WITHIN_MS,
  type Struck,
  type WorkerDeath,
  until,
} from "./faults-done.ts";
import type { Member } from "./member.ts";
import type { Fault } from "./schedule.ts";

type MemberFault = Extract<Fault, { readonly ownerOf: number } | { readonly ingress: number }>;
type Kill = Extract<MemberFault, { readonly kind: "killWorker" | "killIngress" }>;
type Crash = Extract<MemberFault, { readonly kind: "crashWorker" | "crashAhead" | "crashIngress" }>;

/** Somebody else may have to be started before. */
const WAIT_MS = 20_000;
const START_MS = 60_000;
/** It may be dying in that very moment. */
const TAKEN_BACK_MS = 300;
const POLL_MS = 15;
const START_AGAIN_MS = 150;

/** Kills and freezes processes of the gateway, and starts again what it killed. */
export class MemberFaults {
  readonly #cluster: Cluster;

  constructor(cluster: Cluster) {
    this.#cluster = cluster;
  }

  /** Resolves when the process serves again. */
  async strike(fault: MemberFault): Promise<Struck> {
    const member =
      "ownerOf" in fault
        ? await this.#ownerOf(fault.ownerOf, fault.kind === "crashAhead")
        : this.#ingress(fault);
    return await this.#inHand(member, async () => {
      switch (fault.kind) {
        case "killWorker":
        case "killIngress":
          return await this.#kill(member, fault);
        case "crashWorker":
        case "crashAhead":
        case "crashIngress":
          return await this.#crash(member, fault);
        case "freezeWorker":
        case "freezeIngress":
          member.signal("SIGSTOP");
          await sleep(fault.ms);
          member.signal("SIGCONT");
          return { note: member.name, isHit: true, kills: 0 };
      }
    });
  }

  async #kill(member: Member, fault: Kill): Promise<Struck> {
    const death = await this.#deathOf(member, fault, async () => await member.kill());
    await this.#mourn(member, fault);
    const again = fault.kind === "killWorker" && fault.isKilledAgain;
    const kills = again && (await this.#startToDie(member)) ? 2 : 1;
    await this.#restart(member);
    return { note: member.name, isHit: true, kills, ...(member.worksLanes && { death }) };
  }

  /** It kills itself at the point; if it does not come to it, it is let live. */
  async #crash(member: Member, fault: Crash): Promise<Struck> {
    const { point, nth, kind } = fault;
    const death = await this.#deathOf(member, fault, async () => {
      member.order({ point, nth, ...(kind === "crashAhead" && { isAhead: true }) });
      // Only a new session comes to it.
      if (point === "fenced") await this.#cluster.broker.cutSessions();
      await this.#untilDead(member, isRarePoint(point) ? SLOT_HIT_WITHIN_MS : HIT_WITHIN_MS);
    });
    if (member.isRunning) return { note: member.name, isHit: false, kills: 0 };
    await this.#mourn(member, fault);
    await this.#restart(member);
    return { note: member.name, isHit: true, kills: 1, ...(member.worksLanes && { death }) };
  }

  /** Killed again as soon as it takes a connection over; if it gets none, it lives. */
  async #startToDie(member: Member): Promise<boolean> {
    member.start({ point: "fenced", nth: 1 });
    await until(() => member.isUp || !member.isRunning, START_MS);
    await this.#untilDead(member);
    return !member.isRunning;
  }

  /** What was ordered is taken back when it does not happen in time. */
  async #untilDead(member: Member, withinMs = HIT_WITHIN_MS): Promise<void> {
    await until(() => !member.isRunning, withinMs);
    member.order({ point: "none", nth: 0 });
    await until(() => !member.isRunning, TAKEN_BACK_MS);
  }

  async #deathOf(
    { processId = "" }: Member,
    { isReported }: { readonly isReported: boolean },
    end: () => Promise<void>,
  ): Promise<WorkerDeath> {
    const { wires } = this.#cluster;
    const owners = await Promise.all(wires.map(async (wire) => await this.#owner(wire.connection)));
    await end();
    const connections = wires.filter((_, n) => owners[n] === processId);
    return {
      at: Date.now(),
      isReported,
      connections: connections.map(({ connection }) => connection),
    };
  }

  /** Half of the deaths are told to everyone, as a launcher does. */
  async #mourn(
    { processId }: Member,
    { isReported, pauseMs }: { readonly isReported: boolean; readonly pauseMs: number },
  ): Promise<void> {
    if (processId !== undefined) await reportDeath(this.#cluster, processId, { isReported });
    await sleep(pauseMs);
  }

  /** Until it serves: what cannot start while Redis is away is started once more. */
  async #restart(member: Member): Promise<void> {
    const deadline = performance.now() + START_MS;
    while (!member.isUp && performance.now() < deadline) {
      if (!member.isRunning) {
        member.start();
        await sleep(START_AGAIN_MS);
      }
      await sleep(POLL_MS);
    }
  }

  /** Nothing is done to the last one that takes calls in, or that works lanes. */
  async #inHand(member: Member, use: () => Promise<Struck>): Promise<Struck> {
    const others = this.#cluster.members.filter((one) => one !== member);
    const isFree = (one: Member) => one.isUp && !one.isInHand;
    const mayStrike = () =>
      isFree(member) &&
      (!member.takesCalls || others.some((one) => one.takesCalls && isFree(one))) &&
      (!member.worksLanes || others.some((one) => one.worksLanes && isFree(one)));
    await until(mayStrike, WAIT_MS);
    if (!mayStrike()) return { note: `${member.name} was needed`, isHit: false, kills: 0 };
    member.isInHand = true;
    try {
      return await use();
    } finally {
      member.isInHand = false;
    }
  }

  /** Of the connection; where it takes no calls in and has to, of the next one whose owner does. */
  async #ownerOf(connection: number, takesCalls: boolean): Promise<Member> {
    const { wires, members } = this.#cluster;
    const workers = members.filter((one) => one.worksLanes && (one.takesCalls || !takesCalls));
    for (let n = 0; n < (takesCalls ? wires.length : 1); n += 1) {
      const wire = wires[(connection + n) % wires.length];
      const owner = await this.#owner(wire?.connection ?? "");
      const owning = workers.find(({ processId }) => processId === owner);
      if (owning !== undefined) return owning;
    }
    return this.#at(workers, connection % workers.length);
  }

  #ingress({ ingress }: { readonly ingress: number }): Member {
    return this.#at(
      this.#cluster.members.filter(({ role }) => role === "ingress"),
      ingress,
    );
  }

  #at(members: readonly Member[], number: number): Member {
    const member = members[number];
    if (member === undefined) throw new Error(`There is no process ${number}`);
    return member;
  }

  async #owner(connection: string): Promise<string | undefined> {
    return (await this.#cluster.leases.read(connectionId(connection)))?.owner;
  }
}
