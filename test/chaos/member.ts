import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { writeSync } from "node:fs";
import { program } from "../support/program.ts";
import { ROOT } from "../support/source-tree.ts";
import type { AcceptanceNews, CrashOrder, MemberNews } from "./crash-points.ts";

/** `all` takes calls in and works lanes: what is accepted there has the short way to its lane. */
export type Role = "ingress" | "worker" | "all";

export interface MemberOptions {
  readonly name: string;
  readonly role: Role;
  readonly environment: Readonly<Record<string, string>>;
  /** The file that everything it says is appended to. */
  readonly output: number;
  readonly onAccepted: (news: AcceptanceNews) => void;
  /** It ended, and nobody had asked for it. */
  readonly onDeath: (member: Member, how: string) => void;
}

const AGAIN_MS = 500;

/** One process of the gateway: killed, frozen and started again, under one name. */
export class Member {
  readonly name: string;
  readonly role: Role;
  /** Of its present life; a new one in each. */
  processId: string | undefined;
  url: string | undefined;
  apiKey: string | undefined;
  /** Somebody is doing something to it. */
  isInHand = false;
  isFrozen = false;
  /** The order that it has heard of last. */
  obeys: CrashOrder | undefined;
  /** How often its start was given up for want of its store. */
  startsGivenUp = 0;

  readonly #options: MemberOptions;
  #child: ChildProcess | undefined;
  #exited: Promise<unknown> = Promise.resolve();
  #isKilled = false;
  #canCrash = false;

  constructor(options: MemberOptions) {
    this.name = options.name;
    this.role = options.role;
    this.#options = options;
  }

  /** Whether it serves, as far as anybody knows. */
  get isUp(): boolean {
    return this.url !== undefined && !this.isFrozen;
  }

  get takesCalls(): boolean {
    return this.role !== "worker";
  }

  get worksLanes(): boolean {
    return this.role !== "ingress";
  }

  get isRunning(): boolean {
    return this.#child !== undefined;
  }

  start(crash?: CrashOrder): void {
    const { environment, output, name } = this.#options;
    const child = spawn(process.execPath, program("chaos-member"), {
      cwd: ROOT,
      stdio: ["ignore", output, output, "ipc"],
      env: { ...environment, ...(crash && { CHAOS_CRASH_AT: JSON.stringify(crash) }) },
    });
    this.#child = child;
    this.#isKilled = false;
    this.obeys = undefined;
    this.#canCrash = crash !== undefined;
    writeSync(output, `{"member":"${name}","pid":${child.pid}}\n`);
    child.on("message", (news: MemberNews) => this.#hear(news));
    // What is sent to one that has just died fails; its end is heard of anyway.
    child.on("error", () => undefined);
    this.#exited = once(child, "exit").then(([code, signal]) => {
      const wasAsked = this.#isKilled || (this.#canCrash && signal === "SIGKILL");
      const hasServed = this.url !== undefined;
      this.#child = undefined;
      this.url = undefined;
      this.isFrozen = false;
      if (wasAsked) return;
      // A store that is away for long ends a start; a launcher starts it again.
      if (!hasServed && code === 1) this.#startAgain();
      else this.#options.onDeath(this, `${code ?? signal} while it served`);
    });
  }

  #startAgain(): void {
    this.startsGivenUp += 1;
    setTimeout(() => this.isRunning || this.#isKilled || this.start(), AGAIN_MS).unref();
  }

  /** It kills itself at that point. */
  order(crash: CrashOrder): void {
    this.#canCrash = true;
    if (this.#child?.connected === true) this.#child.send(crash, () => undefined);
  }

  signal(signal: "SIGSTOP" | "SIGCONT"): void {
    this.isFrozen = signal === "SIGSTOP" && this.#child !== undefined;
    this.#child?.kill(signal);
  }

  /** Resolves when it is gone. */
  async kill(): Promise<void> {
    this.#isKilled = true;
    this.#child?.kill("SIGKILL");
    await this.#exited;
  }

  #hear(news: MemberNews): void {
    switch (news.kind) {
      case "named":
        this.processId = news.processId;
        return;
      case "obeys":
        this.obeys = news.order;
        return;
      case "accepted":
        this.#options.onAccepted(news.news);
        return;
      case "listening":
        this.url = news.url;
        this.apiKey ??= news.apiKey;
    }
  }
}
