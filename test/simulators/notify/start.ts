import { program } from "../../support/program.ts";
import { startSimulator } from "../simulator-process.ts";
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

export async function startNotifySimulator(): Promise<NotifySimulator> {
  const { server, ask, stop } = await startSimulator<NotifyServer>(
    program("notify-simulator"),
    "The look-alike of the services",
  );
  return {
    ...server,
    turn: async (service, behaviour, times) => {
      await ask("/control", { service, behaviour, ...(times !== undefined && { times }) });
    },
    seen: async (service) => {
      const all = JSON.parse(await ask("/seen")) as readonly Seen[];
      return all.filter((one) => one.service === service);
    },
    write: async (...updates) =>
      JSON.parse(await ask("/telegram/updates", updates)) as readonly number[],
    shown: async () => JSON.parse(await ask("/telegram/messages")) as readonly ShownMessage[],
    tellAgain: async () => void (await ask("/telegram/again", {})),
    stop,
  };
}
