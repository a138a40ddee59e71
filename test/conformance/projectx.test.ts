import { afterAll, beforeAll } from "vitest";
import { type ProjectXSimulator, startProjectXSimulator } from "../simulators/projectx/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { createProjectXOn, PROJECTX_CAPABILITIES } from "./projectx-kit.ts";

let simulator: ProjectXSimulator;
beforeAll(async () => {
  simulator = await startProjectXSimulator();
});
afterAll(async () => await simulator.stop());

brokerAdapterConformance("projectx", PROJECTX_CAPABILITIES, () => createProjectXOn(simulator));
