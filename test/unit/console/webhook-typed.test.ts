// The goal: what is typed into a webhook's form is what the gateway is asked for, and nothing else.
import { describe, expect, test } from "vitest";
import type { Webhook } from "../../../src/console/pages/webhooks/types.ts";
import {
  changeOf,
  creationOf,
  typedOf,
  type WebhookTyped,
} from "../../../src/console/pages/webhooks/webhook-typed.ts";

const STORED = {
  id: "wh_1",
  accountId: "paper-1",
  groupId: null,
  name: "Breakout",
  paused: false,
  profile: "traderspost",
  defaultQty: 2,
  multiplier: "0.5",
  symbolMap: { NQ: "MNQ" },
  allowedSymbols: ["MNQ", "ES"],
  allowedSide: "long",
  allowedSenders: ["tradingview", "10.0.0.0/8"],
  entryMaxAgeSeconds: 30,
  exitMaxAgeSeconds: null,
  duplicateWindowSeconds: 0,
  rateLimitPerMinute: 60,
} as unknown as Webhook;

const NEW = typedOf(undefined, "paper-1");
const edited = (more: Partial<WebhookTyped>) => changeOf({ ...typedOf(STORED), ...more }, STORED);

test("a new webhook without options asks for its account only", () => {
  expect(creationOf(NEW)).toEqual({ accountId: "paper-1" });
});

test("a form that was opened and left as it was changes nothing", () => {
  expect(edited({})).toEqual({});
});

describe("a change", () => {
  test.each<[string, Partial<WebhookTyped>, object]>([
    ["a number", { defaultQty: "3" }, { defaultQty: 3 }],
    ["nought is a number", { defaultQty: "0" }, { defaultQty: 0 }],
    ["emptied means the gateway's own", { defaultQty: "" }, { defaultQty: null }],
    ["a decimal stays as it was written", { multiplier: "0.50" }, { multiplier: "0.50" }],
    ["the native profile is none", { profile: "native" }, { profile: null }],
    ["both sides", { allowedSide: "" }, { allowedSide: null }],
    ["exits refused", { exitsWhenClosed: "refuse" }, { exitsWhenClosed: "refuse" }],
    ["symbols", { allowedSymbols: "ES MES;NQ" }, { allowedSymbols: ["ES", "MES", "NQ"] }],
    ["no symbols", { allowedSymbols: " , " }, { allowedSymbols: null }],
    ["a symbol map", { symbolMap: "NQ=MNQ, ES -> MES" }, { symbolMap: { NQ: "MNQ", ES: "MES" } }],
    ["no symbol map", { symbolMap: "" }, { symbolMap: null }],
    ["not TradingView", { fromTradingView: false }, { allowedSenders: ["10.0.0.0/8"] }],
    ["anybody", { fromTradingView: false, allowedSenders: "" }, { allowedSenders: null }],
    ["a name without its edges", { name: "  Other " }, { name: "Other" }],
    ["no name keeps the one that there is", { name: " " }, {}],
    ["another account", { accountId: "paper-2" }, { accountId: "paper-2" }],
    ["a group", { groupId: "ag_1" }, { groupId: "ag_1" }],
  ])("%s", (_, typed, change) => {
    expect(edited(typed)).toEqual(change);
  });

  test("what is no number goes as it is, for the gateway to name its place", () => {
    expect(edited({ rateLimitPerMinute: "many" })).toEqual({ rateLimitPerMinute: "many" });
  });
});

describe("a webhook of a group", () => {
  const OF_GROUP = { ...STORED, groupId: "ag_1" };
  const change = (more: Partial<WebhookTyped>) =>
    changeOf({ ...typedOf(OF_GROUP), ...more }, OF_GROUP);

  test("is created for the group, and not for an account", () => {
    expect(creationOf({ ...NEW, groupId: "ag_1" })).toEqual({ groupId: "ag_1" });
  });

  test("left as it was changes nothing, whichever account it lies with", () => {
    expect(change({})).toEqual({});
    expect(change({ accountId: "paper-9" })).toEqual({});
  });

  test("may go to another group, or to one account, be it the one that it lies with", () => {
    expect(change({ groupId: "ag_2" })).toEqual({ groupId: "ag_2" });
    expect(change({ groupId: "" })).toEqual({ accountId: "paper-1" });
  });
});
