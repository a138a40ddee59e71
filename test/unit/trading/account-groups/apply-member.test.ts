import { describe, expect, test } from "vitest";
import type { MemberSize } from "../../../../src/domain/account-groups/account-group.ts";
import type { Aim, AlertRequest } from "../../../../src/domain/alert.ts";
import { applyMember } from "../../../../src/trading/account-groups/apply-member.ts";
import { contracts, NOW } from "../alerts/alerts-kit.ts";

const STOP = { bracket: { stopLoss: { ticks: 20 } } };

const order = (more: object = {}): AlertRequest => ({
  kind: "order",
  ticket: { symbol: "ES1!", side: "BUY", ordType: "MARKET", orderQty: 2, ...more },
});
const adjust = (aim: Aim, more: object = {}): AlertRequest => ({
  kind: "adjust",
  symbol: "ES1!",
  aim,
  terms: { ordType: "MARKET", ...more },
});

const applied = (request: AlertRequest, size: MemberSize, symbolMap = {}) =>
  applyMember({ request, decisions: ["before"] }, { size, symbolMap }, contracts, NOW);

const fixed = (qty: number): MemberSize => ({ by: "fixed", qty });
const times = (multiplier: string): MemberSize => ({ by: "multiplier", multiplier });
const RISK: MemberSize = { by: "risk", size: { risk: "500" } };

test("a multiplier and a map are applied as a webhook's are, after what was decided before", () => {
  const { request, decisions } = applied(order(), times("5"), { ES: "MES" });
  expect(request).toMatchObject({ ticket: { symbol: "MES1!", orderQty: 10 } });
  expect(decisions[0]).toBe("before");
  expect(decisions).toHaveLength(3);
});

test("less than one contract only gets out", () => {
  expect(applied(order({ orderQty: 1 }), times("0.5"))).toMatchObject({
    exitsOnly: expect.any(String) as string,
    exitsOnlyCode: "VALIDATION_FAILED",
  });
});

test("why only exits pass by the webhook's options stands before the member's", () => {
  const asked = { request: order(), decisions: [], exitsOnly: "not ES" };
  const { exitsOnly, exitsOnlyCode } = applyMember(
    asked,
    { size: RISK, symbolMap: {} },
    contracts,
    NOW,
  );
  expect([exitsOnly, exitsOnlyCode]).toEqual(["not ES", undefined]);
});

describe("a fixed quantity", () => {
  test.each([
    ["an order", order({ size: { risk: 1 } }), { ticket: { orderQty: 7 } }],
    [
      "a short target",
      adjust({ to: "position", netQty: -2 }),
      { aim: { to: "position", netQty: -7 } },
    ],
    ["more of it", adjust({ to: "add", qty: 1 }), { aim: { to: "add", qty: 7 } }],
    ["the other side", adjust({ to: "reverse" }), { aim: { to: "reverse", qty: 7 } }],
  ])("is that of %s", (_, request, expected) => {
    const made = applied(request, fixed(7)).request;
    expect(made).toMatchObject(expected);
    expect(JSON.stringify(made)).not.toContain("risk");
  });

  test.each([
    ["flat", adjust({ to: "position", netQty: 0 })],
    ["a part out", adjust({ to: "close", qty: 1 })],
    ["everything out", { kind: "flatten" } as const],
  ])("leaves a way out as it is: %s", (_, request) => {
    expect(applied(request, fixed(7))).toEqual({ request, decisions: ["before"] });
  });
});

describe("a size by risk", () => {
  const distance = { ticks: 20 };
  test.each([
    ["that trails from the entry on", { trailing: { distance } }, undefined],
    ["of its own", { stop: distance }, undefined],
    ["that trails only later", { trailing: { from: distance, distance } }, "VALIDATION_FAILED"],
  ])("goes by a plan's stop %s", (_, exitPlan, exitsOnlyCode) => {
    expect(applied(order({ exitPlan }), RISK).exitsOnlyCode).toBe(exitsOnlyCode);
  });

  test("goes with the order, which is the least it may be until it is sized", () => {
    const { request } = applied(order(STOP), { by: "risk", size: { risk: "500", min: 2 } });
    expect(request).toMatchObject({ ticket: { orderQty: 2, size: { risk: "500", min: 2 } } });
    const entered = applied(adjust({ to: "position", netQty: -9 }, STOP), RISK).request;
    expect(entered).toMatchObject({ aim: { netQty: -1 }, terms: { size: { risk: "500" } } });
  });

  test("without a stop-loss only gets out, with what was asked for", () => {
    expect(applied(order(), RISK)).toMatchObject({
      request: { ticket: { orderQty: 2 } },
      exitsOnlyCode: "VALIDATION_FAILED",
    });
  });

  test("leaves a way out as it is", () => {
    const request = adjust({ to: "close", percent: 50 });
    expect(applied(request, RISK)).toEqual({ request, decisions: ["before"] });
  });
});
