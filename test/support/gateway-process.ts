import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Settings } from "./gateway.ts";
import { giveEveryScope } from "./every-scope.ts";
import { type ApiClient, apiClient, postAlert, type Reply } from "./http-client.ts";
import { program } from "./program.ts";
import { clockEnvironment } from "./run-date.ts";
import { ROOT } from "./source-tree.ts";
import { untilBrokerIsThere, waitUntil } from "./wait.ts";
import { ROOMY } from "./roomy.ts";

/** How one run of the program ended, and everything it said. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** One running gateway, as an operator starts it. */
export interface GatewayProcess {
  readonly pid: number;
  readonly url: string;
  /** Everything printed so far, logs included. */
  readonly stdout: () => string;
  readonly signal: (signal: NodeJS.Signals) => void;
  readonly ended: Promise<Ended>;
}

const LISTENS = /^The gateway listens on (http:\S+)$/m;
/** Of a worker, which takes no calls. */
const ANSWERS = /"address":"(http:[^"]+)","msg":"Health and metrics/;
/** The last line of a start: after it, everything is printed. */
const STARTED = /"msg":"Started"/;

/** A machine of the test's own: a home and a data folder that the program can be run on. */
export class GatewayMachine {
  readonly home: string;
  readonly dataDir: string;
  readonly #settings: Settings;
  readonly #command: readonly string[];
  readonly #children = new Set<ChildProcess>();
  #first: { key: string; webhookPath: string } | undefined;
  #running: GatewayProcess | undefined;

  private constructor(home: string, settings: Settings, command: readonly string[]) {
    this.home = home;
    this.dataDir = path.join(home, "data");
    this.#settings = settings;
    this.#command = command;
  }

  static async create(
    settings: Settings = {},
    command = [process.execPath, ...program("gateway")],
  ): Promise<GatewayMachine> {
    const home = await mkdtemp(path.join(tmpdir(), "gateway-home-"));
    return new GatewayMachine(home, settings, command);
  }

  /** Starts the gateway and waits until it has said everything that a start says. */
  async start(settings: Settings = {}): Promise<GatewayProcess> {
    const run = this.#spawn([], settings);
    const ended = run.ended;
    const said = await Promise.race([run.until(STARTED), ended]);
    if (typeof said !== "string") {
      throw new Error(`The gateway did not start (${said.code}):\n${said.stdout}${said.stderr}`);
    }
    const gateway: GatewayProcess = {
      pid: run.pid,
      url: (LISTENS.exec(said) ?? ANSWERS.exec(said))?.[1] ?? "",
      stdout: run.stdout,
      signal: (signal) => void process.kill(run.pid, signal),
      ended,
    };
    this.#running = gateway;
    const given = { ...this.#settings, ...settings };
    // The broker of an ingress is another process' own; a worker does not say where it is asked.
    if ((given["ROLE"] ?? "all") === "all") await untilBrokerIsThere(gateway.url);
    const key = /^ {2}(gwk_\S+)$/m.exec(said)?.[1];
    const webhookPath = /^ {2}http\S+(\/hooks\/\S+)$/m.exec(said)?.[1];
    if (key === undefined || webhookPath === undefined) return gateway;
    this.#first = { key, webhookPath };
    const { REDIS_URL } = given;
    await giveEveryScope({ DATA_DIR: this.dataDir, REDIS_URL }, key);
    return gateway;
  }

  /** Runs the program to its end: a command, or a start that is expected to fail. */
  async run(...words: string[]): Promise<Ended> {
    return await this.#spawn(words, {}).ended;
  }

  /** Begins a start that something keeps from its end. */
  begin(): Pick<GatewayProcess, "stdout" | "ended"> {
    return this.#spawn([], {});
  }

  get first() {
    if (this.#first === undefined) throw new Error("There was no first start");
    return this.#first;
  }

  /** Of the first key, at the gateway that was started last. */
  get api(): ApiClient {
    return apiClient(this.#url, this.first.key);
  }

  get webhook(): string {
    return `${this.#url}${this.first.webhookPath}`;
  }

  readonly alert = async (alert: object): Promise<Reply> => await postAlert(this.webhook, alert);

  /** The alert's outcome: a busy process may answer before it is known, and a repeat hears of it. */
  readonly outcomeOf = async (alert: object): Promise<Reply> =>
    await outcomeOf(this.webhook, { alertId: randomUUID(), ...alert });

  async redisPid(): Promise<number> {
    const text = await readFile(path.join(this.dataDir, "redis/redis.pid"), "utf8").catch(() => "");
    return Number(text);
  }

  /** Ends whatever this machine still runs, and removes it. */
  readonly stop = async (): Promise<void> => {
    for (const child of this.#children) child.kill("SIGKILL");
    await Promise.all([...this.#children].map((child) => once(child, "exit")));
    // A killed gateway leaves its Redis behind.
    const pid = await this.redisPid();
    if (pid > 1) tryKill(pid);
    await rm(this.home, { recursive: true, force: true, maxRetries: 5 });
  };

  get #url(): string {
    if (this.#running === undefined) throw new Error("The gateway was not started");
    return this.#running.url;
  }

  #spawn(words: readonly string[], settings: Settings) {
    const binary = process.env["REDIS_SERVER_BIN"];
    const [file = "", ...before] = this.#command;
    const child = spawn(file, [...before, ...words], {
      cwd: ROOT,
      stdio: ["ignore", "pipe", "pipe"],
      // Nothing of the tester's own environment gets in.
      env: {
        PATH: process.env["PATH"],
        HOME: this.home,
        DATA_DIR: this.dataDir,
        ...ROOMY,
        ...clockEnvironment(),
        ...(binary !== undefined && { REDIS_SERVER_BIN: binary }),
        ...this.#settings,
        ...settings,
      },
    });
    this.#children.add(child);
    const output = { stdout: "", stderr: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
    child.once("exit", () => this.#children.delete(child));
    const ended = once(child, "close").then(([code, signal]): Ended => {
      return { code: code as number | null, signal: signal as NodeJS.Signals | null, ...output };
    });
    return {
      pid: child.pid ?? 0,
      ended,
      stdout: () => output.stdout,
      until: (pattern: RegExp) =>
        new Promise<string>((resolve) => {
          const look = () => pattern.test(output.stdout) && resolve(output.stdout);
          child.stdout.on("data", look);
        }),
    };
  }
}

/** Accepted, certainly not accepted, or not known: a sender comes again. */
const COMES_AGAIN: ReadonlySet<number> = new Set([202, 503, 504]);

/** Sends an alert that has an id until it is answered with its outcome. */
export async function outcomeOf(
  webhook: string,
  alert: { readonly alertId: string } & Readonly<Record<string, unknown>>,
): Promise<Reply> {
  let reply = await postAlert(webhook, alert);
  await waitUntil("the alert is answered with its outcome", async () => {
    if (!COMES_AGAIN.has(reply.status)) return true;
    reply = await postAlert(webhook, alert);
    return false;
  });
  return reply;
}

function tryKill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended already.
  }
}
