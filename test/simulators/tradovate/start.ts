import { type BrokerProcess, startBrokerProcess } from "../broker-process.ts";
import type { Knob } from "./knobs.ts";
import type { TradovateServer } from "./server.ts";

/** The broker as a process of its own. */
export type TradovateSimulator = TradovateServer & BrokerProcess<Knob>;

export const startTradovateSimulator = (port = 0): Promise<TradovateSimulator> =>
  startBrokerProcess("tradovate-simulator", "The Tradovate simulator", port);
