// The goal: what the builder of messages says of risk is what entries of the message would have.
import { describe, expect, test } from "vitest";
import { contractOf } from "../../../src/console/pages/exit-plans/contract-of.ts";
import { type DraftExits, exitsOf } from "../../../src/console/pages/webhooks/draft-exits.ts";
import {
  type Draft,
  hangsExitsOnExits,
  messageOf,
} from "../../../src/console/pages/webhooks/message-draft.ts";
import { withSamples } from "../../../src/console/pages/webhooks/placeholders.ts";
import { readAlerts } from "../../../src/http/alerts/read-alerts.ts";

const NO_LEG = { unit: "none", value: "" } as const;
const BUY: Draft = {
  profile: "native",
  action: "buy",
  symbol: "MNQ1!",
  qty: "2",
  stopLoss: NO_LEG,
  takeProfit: NO_LEG,
  exitPlan: "",
  webhook: { exitPlan: null, sentBy: null },
};
const RUNNER = { name: "runner", plan: { stop: { ticks: 20 } } };
const STOP = { unit: "points", value: "5" } as const;

describe("the exits of an entry", () => {
  test.each<[string, Partial<Draft>, string | null, DraftExits]>([
    ["none are asked for", {}, null, { kind: "none" }],
    ["the message names a plan", { exitPlan: "runner" }, null, { kind: "plan", ...RUNNER }],
    ["the webhook has one", {}, "runner", { kind: "plan", ...RUNNER }],
    [
      "the message's own come first",
      { stopLoss: STOP },
      "runner",
      { kind: "plan", plan: { stop: { offset: 5 } } },
    ],
    [
      "a target and a stop",
      { stopLoss: STOP, takeProfit: { unit: "ticks", value: "40" } },
      null,
      { kind: "plan", plan: { targets: [{ ticks: 40 }], stop: { offset: 5 } } },
    ],
    ["a plan is gone", { exitPlan: "old" }, null, { kind: "gone", name: "old" }],
    [
      "the script says where",
      { stopLoss: { unit: "price", value: '{{plot("Stop")}}' } },
      null,
      { kind: "later" },
    ],
    ["a close has none", { action: "close", exitPlan: "runner" }, "runner", { kind: "none" }],
    [
      "other words cannot name a plan",
      { profile: "traderspost", exitPlan: "runner" },
      null,
      { kind: "none" },
    ],
  ])("%s", (_, draft, ofWebhook, exits) => {
    expect(exitsOf({ ...BUY, ...draft }, [RUNNER], ofWebhook)).toEqual(exits);
  });
});

test("the gateway reads the plan that the message names, and no legs beside it", () => {
  const message = messageOf({ ...BUY, exitPlan: "runner", stopLoss: STOP });
  expect(JSON.parse(message)).not.toHaveProperty("stopLoss");
  const sender = { allowedSide: null, allowedSymbols: null, multiplier: null };
  const { alerts } = readAlerts(withSamples(message, sender), { profile: "native" });
  expect(alerts).toMatchObject([{ request: { ticket: { exitPlan: "runner" } } }]);
});

test("a plan hangs on a strategy's exits like a stop-loss", () => {
  const ofStrategy = { ...BUY, action: "strategy", exitPlan: "runner" } as const;
  const bySender = ([null, "strategy", "indicator"] as const).map((sentBy) =>
    hangsExitsOnExits({ ...ofStrategy, webhook: { exitPlan: null, sentBy } }),
  );
  expect(bySender).toEqual([false, false, true]);
});

test("a contract is found by any form of its symbol", () => {
  const contracts = [{ root: "NQ" }, { root: "MNQ" }, { root: "M2K" }];
  const rootOf = (symbol: string) => contractOf(symbol, contracts)?.root;
  const forms = ["MNQ", "mnq1!", "MNQZ6", "MNQZ2026", "CME_MINI:MNQ1!", "M2KH7", "NQ2!"];
  expect(forms.map(rootOf)).toEqual(["MNQ", "MNQ", "MNQ", "MNQ", "MNQ", "M2K", "NQ"]);
  expect(["", "MNQX", "ES1!", "{{ticker}}"].map(rootOf)).toEqual([
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
