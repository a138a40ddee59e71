import { beforeEach, expect, test } from "vitest";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import type { ExitPlan } from "../../../../src/domain/exits/exit-plan.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { adjustIntent, to } from "./adjust-kit.ts";
import { ES, type Lane, openLane, place, position } from "../lane-kit.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const plan: ExitPlan = { targets: [], stop: { by: "ticks", ticks: ticks(20) } };
const withPlan = (intent: Intent) => ({ ...intent, handling: { exitPlan: plan } }) as Intent;

test.each<[string, Intent]>([
  ["a plain order", withPlan(place())],
  ["an adjustment", withPlan(adjustIntent(to(2)))],
  ["a protection", { kind: "PROTECT", contract: ES, plan }],
  [
    "a protection as it was written",
    { kind: "PROTECT", writtenPlan: { targets: [], stop: { ticks: 20 } } },
  ],
])("%s with an exit plan is refused, and nothing is sent", async (_, intent) => {
  if (intent.kind === "PROTECT") lane.broker.held = [position(2)];
  const record = await lane.run(intent);
  expect(record).toMatchObject({ state: "DENIED", outcome: { code: "VALIDATION_FAILED" } });
  expect(record.outcome).toMatchObject({ details: [{ path: "exitPlan" }] });
  expect(lane.broker.commands).toEqual([]);
});
