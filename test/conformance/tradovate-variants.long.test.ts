/**
 * Goal: what the sources leave open of the broker's ways is stood without a difference. Method: the
 * whole suite again, with several knobs turned at once; by hand with each alone (`npm run knobs`).
 */
import { beforeAll, describe } from "vitest";
import type { Settings } from "../simulators/tradovate/settings.ts";
import { startTradovateSimulator, type TradovateSimulator } from "../simulators/tradovate/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { knobsAlone } from "./broker-knob.ts";
import { createTradovateOn, TRADOVATE_CAPABILITIES } from "./tradovate-kit.ts";
import { OF_ORDERS, TRADOVATE_KNOBS } from "./tradovate-knobs.ts";

const BUNDLES: readonly (readonly [string, Partial<Settings>])[] = [
  [
    "repeats what it created, in lists and in one frame, tells fills before their orders, opens without " +
      "a word, syncs by name, answers 401 for orders that have ended, and names what is unknown",
    {
      repeatsCreated: true,
      fillsFirst: true,
      riskReportFirst: true,
      entityArrays: true,
      batchesFrames: true,
      sendsOpen: false,
      syncBrings: "named",
      cancelOfDeadOrder: 401,
      unknownSymbol: "InvalidContract",
    },
  ],
  [
    "answers before it tells, tells fees, and leaves earlier orders bare",
    {
      events: { order: "afterAnswer", delayMs: 0 },
      commission: 0.62,
      forgets: { types: OF_ORDERS, isGone: false },
    },
  ],
];

describe.each(knobsAlone(TRADOVATE_KNOBS) ?? BUNDLES)("%s", (name, settings) => {
  let simulator: TradovateSimulator;

  beforeAll(async () => {
    simulator = await startTradovateSimulator();
    return simulator.stop;
  });

  brokerAdapterConformance(`Tradovate's look-alike: ${name}`, TRADOVATE_CAPABILITIES, () =>
    createTradovateOn(simulator, {}, settings),
  );
});
