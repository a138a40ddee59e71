import { beforeAll } from "vitest";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { createTradovateOn, TRADOVATE_CAPABILITIES } from "./tradovate-kit.ts";

let simulator: TradovateSimulator;

beforeAll(async () => {
  simulator = await startTradovateSimulator();
  return simulator.stop;
});

brokerAdapterConformance("Tradovate's look-alike", TRADOVATE_CAPABILITIES, () =>
  createTradovateOn(simulator),
);
