/**
 * Goal: what the sources leave open of the broker's ways is stood without a difference. Method: the
 * whole suite again, with several knobs turned at once; by hand with each alone (`npm run knobs`).
 */
import { beforeAll, describe } from "vitest";
import type { Settings } from "../simulators/projectx/settings.ts";
import { type ProjectXSimulator, startProjectXSimulator } from "../simulators/projectx/start.ts";
import { brokerAdapterConformance } from "./broker-adapter.ts";
import { knobsAlone } from "./broker-knob.ts";
import { createProjectXOn, PROJECTX_CAPABILITIES } from "./projectx-kit.ts";
import { PROJECTX_KNOBS } from "./projectx-knobs.ts";

const BUNDLES: readonly (readonly [string, Partial<Settings>])[] = [
  [
    "bare payloads with text ids in fragments, told twice beside what cannot be read, trades first, and fees",
    {
      payload: "bare",
      ids: "text",
      nulls: "sent",
      actions: "neverNew",
      framing: "fragmented",
      unreadable: "noId",
      repeatsEvents: true,
      tradeFirst: true,
      tellsOnSubscribe: true,
      negotiates: false,
      feePerSide: "1.40",
    },
  ],
  [
    "answers before it tells, ends groups with a partial exit, uses legs again, and changes none that waits",
    {
      events: "afterAnswer",
      answerDelayMs: 25,
      cancelTakesMs: 100,
      positionEnd: "changed",
      callsStatus: { 6: 99 },
      losesEvents: ["position"],
      partialExit: "endsChildren",
      usedUpChildren: "wait",
      modifySuspended: "passedOver",
      quotesInArrays: true,
      barsNewestFirst: false,
    },
  ],
];

describe.each(knobsAlone(PROJECTX_KNOBS) ?? BUNDLES)("%s", (name, settings) => {
  let simulator: ProjectXSimulator;

  beforeAll(async () => {
    simulator = await startProjectXSimulator();
    return simulator.stop;
  });

  brokerAdapterConformance(`ProjectX's look-alike: ${name}`, PROJECTX_CAPABILITIES, () =>
    createProjectXOn(simulator, {}, settings),
  );
});
