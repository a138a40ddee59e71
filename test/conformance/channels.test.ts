// The goal: each channel keeps what the port promises, whatever its service answers.
// The method: one suite for all, before a look-alike of the services in a process of its own.
import { beforeAll } from "vitest";
import { CHANNEL_KINDS } from "../../src/domain/notify/destination.ts";
import { type NotifySimulator, startNotifySimulator } from "../simulators/notify/start.ts";
import { channelConformance } from "./channel.ts";

let simulator: NotifySimulator;

beforeAll(async () => {
  simulator = await startNotifySimulator();
  return simulator.stop;
});

for (const kind of CHANNEL_KINDS) channelConformance(kind, () => simulator);
