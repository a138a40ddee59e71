import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { program } from "../../support/program.ts";
import { ROOT } from "../../support/source-tree.ts";
import type { Behaviour, Seen, Service } from "./behaviour.ts";
import type { NotifyServer } from "./server.ts";
import type { NewUpdate, ShownMessage } from "./telegram-inbox.ts";

/** The services as a process of its own. */
export interface NotifySimulator extends NotifyServer {
  /** How a service answers, for so many requests or until it is turned again. */
  readonly turn: (service: Service, behaviour: Behaviour, times?: number) => Promise<void>;
  /** What a service was asked. */
  readonly seen: (service: Service) => Promise<readonly Seen[]>;
  /** People write to Telegram's bot, or press a button. Answers the numbers of the updates. */
  readonly write: (...updates: readonly NewUpdate[]) => Promise<readonly number[]>;
  /** What stands in the chats of Telegram's bot. */
  readonly shown: () => Promise<readonly ShownMessage[]>;
  /** Telegram tells all that was ever written once more. */
  readonly tellAgain: () => Promise<void>;
  readonly stop: () => Promise<void>;
}

const START_MS = 30_000;
const CONTROL_MS = 10_000;

export async function startNotifySimulator(): Promise<NotifySimulator> {
  const words = [...program("notify-simulator"), "--until-stdin-ends"];
  const child = spawn(process.execPath, words, { cwd: ROOT, stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  const stop = async () => {
    child.kill("SIGKILL");
    await exited;
  };
  const lines = createInterface(child.stdout);
  const ready = once(lines, "line", { signal: AbortSignal.timeout(START_MS) });
  const [line] = (await Promise.race([ready, exited]).catch(stop)) ?? [];
  if (typeof line !== "string") throw new Error("The look-alike of the services did not start");
  const server = JSON.parse(line) as NotifyServer;
  const { controlUrl } = server;

  return {
    ...server,
    turn: async (service, behaviour, times) => {
      const body = JSON.stringify({ service, behaviour, ...(times !== undefined && { times }) });
      await ask(`${controlUrl}/control`, { method: "POST", body });
    },
    seen: async (service) => {
      const all = JSON.parse(await ask(`${controlUrl}/seen`)) as readonly Seen[];
      return all.filter((one) => one.service === service);
    },
    write: async (...updates) => {
      const body = JSON.stringify(updates);
      const numbers = await ask(`${controlUrl}/telegram/updates`, { method: "POST", body });
      return JSON.parse(numbers) as readonly number[];
    },
    shown: async () =>
      JSON.parse(await ask(`${controlUrl}/telegram/messages`)) as readonly ShownMessage[],
    tellAgain: async () => void (await ask(`${controlUrl}/telegram/again`, { method: "POST" })),
    stop,
  };
}

async function ask(url: string, options: RequestInit = {}): Promise<string> {
  const response = await fetch(url, { ...options, signal: AbortSignal.timeout(CONTROL_MS) });
  const answer = await response.text();
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${answer}`);
  return answer;
}
