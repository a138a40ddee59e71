// The goal: a message that the console builds is read by the gateway as it was meant.
// The method: every choice of the builder, its placeholders filled in, through the gateway's own reader.
import { describe, expect, test } from "vitest";
import {
  actionsOf,
  type Draft,
  type DraftAction,
  hangsExitsOnExits,
  type LegUnit,
  legUnitsOf,
  messageOf,
} from "../../../src/console/pages/webhooks/message-draft.ts";
import { placeholdersIn, withSamples } from "../../../src/console/pages/webhooks/placeholders.ts";
import { STRATEGY_ALERT_ID } from "../../../src/domain/declared/strategy-alert-id.ts";
import type { ReadAlert } from "../../../src/domain/alert.ts";
import { ALERT_PROFILES, type AlertProfile } from "../../../src/domain/declared/webhook-options.ts";
import { readAlerts } from "../../../src/http/alerts/read-alerts.ts";

const NO_LEG = { unit: "none", value: "" } as const;
const ANY_SENDER = { allowedSide: null, allowedSymbols: null, multiplier: null } as const;

function draftOf(profile: AlertProfile, action: DraftAction, unit: LegUnit = "none"): Draft {
  // Right on the side that the samples buy, and the other way round for who always sells.
  const [below, above] = action === "sell" ? ["9000", "1000"] : ["1000", "9000"];
  return {
    profile,
    action,
    symbol: "",
    qty: "",
    stopLoss: unit === "none" ? NO_LEG : { unit, value: unit === "price" ? below : "20" },
    takeProfit: unit === "none" ? NO_LEG : { unit, value: unit === "price" ? above : "40" },
    exitPlan: "",
    webhook: { exitPlan: null, sentBy: null },
  };
}

type Sender = Parameters<typeof withSamples>[1];

/** Its samples sell three contracts of MNQ: two fifths of fewer are not one. */
const SELLER: Sender = { allowedSide: "short", allowedSymbols: ["MNQ1!"], multiplier: "0.4" };

function readDraft(draft: Draft, sender: Sender = ANY_SENDER): ReadAlert {
  const message = withSamples(messageOf(draft), sender);
  const { alerts } = readAlerts(message, { profile: draft.profile, defaultQty: 1 });
  expect(alerts).toHaveLength(1);
  return alerts[0] as ReadAlert;
}

/** Both legs of `draftOf` after reading: a strategy's samples buy. */
const LEGS: Readonly<Record<Exclude<LegUnit, "none">, (action: DraftAction) => object>> = {
  ticks: () => ({ stopLoss: { ticks: 20 }, takeProfit: { ticks: 40 } }),
  points: () => ({ stopLoss: { offset: 20 }, takeProfit: { offset: 40 } }),
  price: (action) =>
    action === "sell"
      ? { stopLoss: { price: 9_000 }, takeProfit: { price: 1_000 } }
      : { stopLoss: { price: 1_000 }, takeProfit: { price: 9_000 } },
};

/** Every value that a request has anywhere below this name. */
function namedIn(value: unknown, name: string): unknown[] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) =>
    key === name ? [inner] : namedIn(inner, name),
  );
}

/** Once each: a target also has the side of the order that led to it. */
function sidesOf(request: ReadAlert["request"]): unknown[] {
  const targets = namedIn(request, "netQty").map((qty) => (Number(qty) > 0 ? "BUY" : "SELL"));
  return [...new Set([...namedIn(request, "side"), ...targets])];
}

/** Without the sign that a position on the short side has. */
const quantitiesOf = (request: ReadAlert["request"]): number[] =>
  ["orderQty", "qty", "netQty"].flatMap((name) =>
    namedIn(request, name).map((qty) => Math.abs(Number(qty))),
  );

/** A level is a number in some words and a text in others. */
const bracketsOf = (request: ReadAlert["request"]): unknown[] =>
  namedIn(request, "bracket").map((bracket) =>
    JSON.parse(JSON.stringify(bracket), (key, value: unknown) =>
      key === "price" || key === "offset" ? Number(value) : value,
    ),
  );

const CHOICES = ALERT_PROFILES.flatMap((profile) =>
  actionsOf(profile).flatMap((action) =>
    legUnitsOf(draftOf(profile, action)).map((unit) => [profile, action, unit] as const),
  ),
);

describe("every message that can be built", () => {
  test("there are many", () => {
    expect(CHOICES.length).toBeGreaterThan(50);
  });

  test.each(CHOICES)("is read: %s, %s, exits by %s", (profile, action, unit) => {
    const { request, unread } = readDraft(draftOf(profile, action, unit));
    expect(unread.filter((name) => name !== "date" && name !== "price" && name !== "time")).toEqual(
      [],
    );
    const closes = action === "close";
    expect(["flatten", "exit"].includes(request.kind)).toBe(closes);
    const sides = closes ? [] : [action === "sell" ? "SELL" : "BUY"];
    expect(sidesOf(request)).toEqual(sides);
    const legs = closes || unit === "none" ? [] : [LEGS[unit](action)];
    expect(bracketsOf(request)).toEqual(legs);
  });

  test.each(CHOICES.filter(([, action]) => action === "strategy"))(
    "sells what a strategy sells: %s, %s, exits by %s",
    (profile, action, unit) => {
      const { request } = readDraft({ ...draftOf(profile, "sell", unit), action }, SELLER);
      expect(request).toMatchObject({ kind: expect.stringMatching(/^(order|adjust)$/) });
      expect(sidesOf(request)).toEqual(["SELL"]);
      expect(namedIn(request, "symbol")).toEqual(["MNQ1!"]);
      expect(quantitiesOf(request)).toEqual([3]);
      expect(bracketsOf(request)).toEqual(unit === "none" ? [] : [LEGS[unit]("sell")]);
    },
  );

  test.each(CHOICES)("has an id, so that it counts once: %s, %s, %s", (profile, action, unit) => {
    expect(readDraft(draftOf(profile, action, unit)).senderAlertId).toMatch(/\d{4}-\d\d-\d\dT/);
  });

  const ofStrategy = CHOICES.filter(([, action]) => action === "strategy");

  test.each(ofStrategy)(
    "has another id for each fill of one bar: %s, %s, %s",
    (profile, action, unit) => {
      const message = messageOf(draftOf(profile, action, unit));
      expect(message).toContain(STRATEGY_ALERT_ID);
    },
  );

  test.each(CHOICES)("says when it fired: %s, %s, %s", (profile, action, unit) => {
    expect(readDraft(draftOf(profile, action, unit)).firedAt).toBeGreaterThan(Date.UTC(2026, 0));
  });

  test.each(ALERT_PROFILES)("names only placeholders that the console explains: %s", (profile) => {
    for (const action of actionsOf(profile)) {
      const message = messageOf(draftOf(profile, action));
      const named = new Set(message.match(/\{\{[^}]+\}\}/g) ?? []);
      expect(new Set(placeholdersIn(message).map(({ name }) => name))).toEqual(named);
      const asksStrategy = [...named].some((name) => name.startsWith("{{strategy."));
      expect(asksStrategy).toBe(action === "strategy");
    }
  });
});

describe("what was typed", () => {
  test.each(ALERT_PROFILES)("of a symbol and a quantity is what is asked for: %s", (profile) => {
    const [action = "buy"] = actionsOf(profile).filter((one) => one !== "strategy");
    if (!actionsOf(profile).includes(action)) return;
    const { request } = readDraft({ ...draftOf(profile, action), symbol: "MNQZ6", qty: "3" });
    const text = JSON.stringify(request);
    expect(text).toContain('"MNQZ6"');
    expect(text).toMatch(/"(orderQty|qty|netQty)":3\b/);
  });

  test("of a unit that the profile's words cannot say asks for no exit", () => {
    const draft = { ...draftOf("pickmytrade", "buy"), stopLoss: { unit: "ticks", value: "20" } };
    expect(messageOf(draft as Draft)).not.toContain("20");
  });

  test("of exits for a close is left out", () => {
    const draft = { ...draftOf("native", "buy", "ticks"), action: "close" } as const;
    expect(messageOf(draft)).not.toContain("ticks");
  });
});

describe("a warning that exits would hang on a strategy's exits", () => {
  test.each<[AlertProfile, DraftAction, LegUnit, boolean]>([
    ["native", "strategy", "ticks", true],
    ["pickmytrade", "strategy", "price", true],
    ["native", "strategy", "none", false],
    ["native", "buy", "ticks", false],
    ["traderspost", "strategy", "points", false],
    ["position", "strategy", "ticks", false],
  ])("%s, %s, %s: %s", (profile, action, unit, isWarned) => {
    expect(hangsExitsOnExits(draftOf(profile, action, unit))).toBe(isWarned);
  });
});

test("samples keep to the webhook's side, symbols and multiplier", () => {
  const only = { allowedSide: "short", allowedSymbols: ["MNQ"], multiplier: "0.5" } as const;
  const message = withSamples(messageOf(draftOf("native", "strategy")), {
    ...only,
    allowedSymbols: [...only.allowedSymbols],
  });
  expect(JSON.parse(message)).toMatchObject({ action: "sell", symbol: "MNQ", qty: "2" });
});

describe("the message of a strategy beside an exit plan", () => {
  const draft = (change: Partial<Draft>): Draft => ({
    ...draftOf("native", "strategy"),
    ...change,
  });
  const saying = (sentBy: "strategy" | "indicator" | null, plan: "own" | "webhook") =>
    readDraft(
      draft({
        exitPlan: plan === "own" ? "runner" : "",
        webhook: { exitPlan: plan === "webhook" ? "runner" : null, sentBy },
      }),
    ).request;

  test.each([
    ["strategy", "own"],
    ["strategy", "webhook"],
    [null, "own"],
    [null, "webhook"],
  ] as const)("sent by %s, with the plan of the %s, says the position", (sentBy, plan) => {
    const terms = plan === "own" ? { exitPlan: "runner" } : {};
    expect(saying(sentBy, plan)).toMatchObject({
      kind: "adjust",
      aim: { to: "position", netQty: 1, strategy: { side: "BUY", from: 0 } },
      terms,
    });
  });

  test("stays an order where an indicator sends", () => {
    expect(saying("indicator", "webhook")).toMatchObject({ kind: "order" });
  });
});
