import type { Config } from "../../config/index.ts";
import { type Address, EarlyListener, type StartProgress } from "../http/server/early-listener.ts";
import type { Lifecycle } from "./lifecycle.ts";

/** Listening since the start began. */
export interface EarlyListeners {
  /** What they tell whoever asks. */
  readonly progress: StartProgress;
  /** Absent where nobody calls, and where another process answers on the same port meanwhile. */
  readonly callers?: EarlyListener;
  /** Present where health and metrics have a port to themselves. */
  readonly operations?: EarlyListener;
}

/** Takes the ports before anything else is begun. */
export async function openListeners(
  { HOST: host, PORT, OPERATIONS_PORT, ROLE }: Config,
  othersAnswer: boolean,
  lifecycle: Lifecycle,
): Promise<EarlyListeners> {
  const progress: StartProgress = { waitsFor: "The gateway is starting" };
  const open = async (what: string, address: Address): Promise<EarlyListener> => {
    const listener = new EarlyListener(progress);
    await listener.start(address);
    lifecycle.started(what, () => listener.stop());
    return listener;
  };
  const own = ROLE === "worker" ? (OPERATIONS_PORT ?? PORT) : OPERATIONS_PORT;
  const hasCallers = ROLE !== "worker" && !othersAnswer;
  return {
    progress,
    ...(hasCallers && { callers: await open("the port", { host, port: PORT }) }),
    ...(own !== undefined && {
      operations: await open("the port of health and metrics", {
        host,
        port: own,
        exclusive: true,
      }),
    }),
  };
}
