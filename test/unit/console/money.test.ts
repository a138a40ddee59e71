// The goal: what the console counts and says of money by itself is what the gateway would say.
import { describe, expect, test } from "vitest";
import { foldedText, splitAccounts } from "../../../src/console/pages/overview/account-rows.ts";
import { ageText, amountText, moneyText } from "../../../src/console/parts/figure-text.ts";
import { markPositions } from "../../../src/console/parts/marked.ts";
import { type AccountMoney, ageOf } from "../../../src/console/parts/money.ts";

const T0 = Date.UTC(2026, 8, 21, 14, 30);
const at = (seconds: number) => new Date(T0 + seconds * 1_000).toISOString();

describe("text", () => {
  test.each([
    [0, "0 s"],
    [119_999, "119 s"],
    [120_000, "2 min"],
    [7_199_999, "119 min"],
    [7_200_000, "2 h"],
    [172_800_000, "2 days"],
    [-5, "0 s"],
  ])("%i ms are %s", (ms, text) => {
    expect(ageText(ms)).toBe(text);
  });

  test.each([
    [1_234.5, "USD", "+1,234.50 USD", "1,234.50 USD"],
    [-7, "JPY", "-7 JPY", "-7 JPY"],
    [0, "EUR", "0.00 EUR", "0.00 EUR"],
    [1, null, "+1.00 (currency not known)", "1.00 (currency not known)"],
    [1, "x", "+1.00 x", "1.00 x"],
  ])("%d of %s", (amount, currency, won, there) => {
    expect([moneyText(amount, currency), amountText(amount, currency)]).toEqual([won, there]);
  });
});

test("an age does not need clocks that agree", () => {
  // The gateway's clock is an hour ahead of this machine's.
  const answered = { asOf: at(3_600), answeredAt: T0 };
  expect(ageOf(at(3_598), answered, T0 + 5_000)).toBe(7_000);
  expect(ageOf(at(3_700), answered, T0)).toBe(0);
});

describe("a position between two readings of it", () => {
  const position = {
    symbol: "MNQZ6",
    side: "long",
    qty: 2,
    averagePrice: 25_000.25,
    markPrice: 24_999,
    markedAt: at(0),
    markStale: false,
    unrealizedPnl: -5,
    unrealizedTicks: -10,
    currency: "USD",
    tickSize: 0.25,
    tickValue: 0.5,
  } as unknown as Parameters<typeof markPositions>[0][number];
  const mark = { symbol: "MNQZ6", netQty: 2, price: 25_010.25, heardAt: at(9) };
  const read = { asOf: at(1), answeredAt: T0 };
  const marked = (one: object | undefined, held: object = {}) =>
    markPositions(
      [{ ...position, ...held }],
      read,
      one && {
        account: { asOf: at(10), marks: [one] } as unknown as AccountMoney,
        answeredAt: T0 + 1_000,
      },
      T0 + 4_000,
    )[0];

  test("is worth what the newest price makes it", () => {
    expect(marked(mark)).toMatchObject({
      markPrice: 25_010.25,
      unrealizedTicks: 80,
      unrealizedPnl: 40,
      markAgeMs: 4_000,
    });
    const short = { side: "short", averagePrice: 25_000.3125 };
    expect(marked({ ...mark, netQty: -2 }, short)).toMatchObject({
      unrealizedTicks: -79.5,
      unrealizedPnl: -39.75,
    });
  });

  test("is not guessed where its terms are not known", () => {
    expect(marked(mark, { tickValue: null })).toMatchObject({ unrealizedPnl: null });
    expect(marked(mark, { averagePrice: null })).toMatchObject({
      markPrice: 25_010.25,
      unrealizedPnl: null,
      unrealizedTicks: null,
    });
  });

  test.each([
    ["nothing is told", undefined],
    ["it is of another contract", { ...mark, symbol: "MNQH7" }],
    ["it is the other side's price", { ...mark, netQty: -2 }],
    ["it has no price", { ...mark, price: null }],
  ])("stays as it was read where %s", (_, one) => {
    expect(marked(one)).toMatchObject({ markPrice: 24_999, unrealizedPnl: -5, markAgeMs: 5_000 });
  });

  test("without any price has no age", () => {
    expect(marked(undefined, { markPrice: null, markedAt: null })?.markAgeMs).toBeNull();
  });
});

describe("which accounts stand in sight", () => {
  const account = (id: string, what: "held" | "traded" | "broker" | "quiet") =>
    ({
      id,
      marks: what === "held" ? [{}] : [],
      currencies: [
        {
          gateway: what === "held" || what === "traded" ? {} : null,
          broker: { realizedPnl: what === "broker" ? 5 : 0 },
        },
      ],
    }) as unknown as AccountMoney;
  const many = (count: number, what: Parameters<typeof account>[1]) =>
    Array.from({ length: count }, (_, n) => account(`${what}-${n}`, what));
  const split = (...accounts: readonly AccountMoney[]) => {
    const rows = splitAccounts(accounts);
    return [rows.shown.map(({ id }) => id), foldedText(rows)];
  };

  test("of a few, all, those first that hold something and then those that traded", () => {
    const [shown] = split(
      account("d", "quiet"),
      account("c", "broker"),
      account("b", "traded"),
      account("a", "held"),
    );
    expect(shown).toEqual(["a", "c", "b", "d"]);
  });

  test("of many, those that do something; the others are counted", () => {
    const [shown, text] = split(...many(497, "quiet"), account("a", "held"));
    expect([shown, text]).toEqual([["a"], "497 more accounts without positions or trades today"]);
  });

  test("10 of those at most, and it is said what the others are", () => {
    const [shown, text] = split(...many(30, "held"), ...many(2, "quiet"));
    expect([shown?.length, text]).toEqual([
      10,
      "22 more accounts: 20 with positions or trades today, 2 without",
    ]);
    expect(split(...many(11, "traded"))[1]).toBe("1 more account with positions or trades today");
  });
});
