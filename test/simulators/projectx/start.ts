import { type BrokerProcess, startBrokerProcess } from "../broker-process.ts";
import type { Knob } from "./knobs.ts";
import type { ProjectXServer } from "./server.ts";

/** The broker as a process of its own. */
export type ProjectXSimulator = ProjectXServer & BrokerProcess<Knob>;

export const startProjectXSimulator = (port = 0): Promise<ProjectXSimulator> =>
  startBrokerProcess("projectx-simulator", "The ProjectX simulator", port);
