import { beforeAll, describe } from "vitest";
import type { Settings } from "../simulators/tradovate/settings.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { createTradovateOn, TRADOVATE_CAPABILITIES } from "./tradovate-kit.ts";

/** What the sources leave open of the broker's ways, each to be stood without a difference. */
const VARIANTS: readonly (readonly [string, Partial<Settings>])[] = [
  [
    "repeats what it created, in lists and in one frame",
    { repeatsCreated: true, entityArrays: true, batchesFrames: true },
  ],
  ["tells fills before their orders", { fillsFirst: true, riskReportFirst: true }],
  ["answers before it tells", { events: { order: "afterAnswer", delayMs: 0 } }],
  ["answers 401 for orders that have ended", { cancelOfDeadOrder: 401 }],
];

describe.each(VARIANTS)("%s", (name, settings) => {
  let simulator: TradovateSimulator;

  beforeAll(async () => {
    simulator = await startTradovateSimulator();
    return simulator.stop;
  });

  brokerAdapterConformance(`Tradovate's look-alike that ${name}`, TRADOVATE_CAPABILITIES, () =>
    createTradovateOn(simulator, {}, settings),
  );
});
