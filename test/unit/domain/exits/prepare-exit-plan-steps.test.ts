import { expect, test } from "vitest";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import { prepareExitPlan } from "../../../../src/domain/exits/prepare-exit-plan.ts";

const ES = { tickSize: tickSize("0.25") };

test.each([
  [{ offset: "0.5" }, 2],
  [{ offset: 1 }, 4],
  [3, 3],
])("a step of %j is %d ticks", (step, ticks) => {
  const plan = prepareExitPlan(
    {
      stop: { ticks: 20 },
      breakeven: { after: { offset: "5" }, plus: step },
      trailing: { from: { offset: 5 }, distance: { offset: "4.0" }, step },
    },
    ES,
  );
  expect(plan).toMatchObject({
    ok: true,
    value: { breakeven: { plus: ticks }, trailing: { step: ticks } },
  });
});

test("a step between ticks, or backwards, is named", () => {
  const plan = prepareExitPlan(
    {
      stop: { ticks: 20 },
      breakeven: { after: { ticks: 4 }, plus: { offset: "-1" } },
      trailing: { distance: { ticks: 8 }, step: { offset: "0.3" } },
    },
    ES,
  );
  const far = { after: { offset: "1" }, plus: { offset: "1.00" } };
  expect(prepareExitPlan({ stop: { ticks: 20 }, breakeven: far }, ES)).toMatchObject({
    problems: [{ path: "exitPlan.breakeven.plus" }],
  });
  const paths = plan.ok ? [] : plan.problems.map(({ path }) => path);
  expect(paths).toEqual(["exitPlan.breakeven.plus", "exitPlan.trailing.step.offset"]);
});
