import { expect, test } from "vitest";
import type { AskedExitPlan } from "../../../../src/domain/exits/exit-plan.ts";
import { askedPlanInWords } from "../../../../src/http/present/exit-plan.ts";

test.each<[AskedExitPlan, string]>([
  ["runner", 'exit plan "runner"'],
  [{ name: "a", stop: { ticks: 1 } }, 'exit plan "a": stop 1 tick away'],
  [{ stop: { price: "5000.25" } }, "exit plan: stop at 5000.25"],
  [{ targets: [{ ticks: 8 }] }, "exit plan: all out at 8 ticks"],
  [
    { targets: [{ offset: 2.5, qty: 1 }, { percent: "0.5", share: 30 }, {}], stop: { money: 250 } },
    "exit plan: 1 out at 2.5 in price, 30 % out at 0.5 %, the rest runs; stop 250 a contract away",
  ],
  [
    { stop: { ticks: 20 }, breakeven: { after: { r: 1 }, plus: { offset: "0.5" } } },
    "exit plan: stop 20 ticks away, to the entry plus 0.5 in price after 1 r",
  ],
  [
    { trailing: { distance: { ticks: 12 } }, closeAfterSeconds: 60 },
    "exit plan: trailing 12 ticks behind; all out 60 s after the first fill",
  ],
])("%j is said as %s", (asked, words) => {
  expect(askedPlanInWords(asked)).toBe(words);
});
