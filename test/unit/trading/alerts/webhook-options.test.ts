import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts as products } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import type { Aim, AlertRequest, WebhookOptions } from "../../../../src/domain/alert.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import type { ExitPlanTicket } from "../../../../src/domain/exits/exit-plan.ts";
import type { OrderTicket } from "../../../../src/domain/order-ticket.ts";
import type { SizeTicket } from "../../../../src/domain/order-handling.ts";
import { GatewayError } from "../../../../src/errors.ts";
import { MAX_ALERT_QTY } from "../../../../src/trading/alerts/multiply-request.ts";
import { applyOptions } from "../../../../src/trading/alerts/webhook-options.ts";

const contracts = createContractDirectory({ products, holidays, closures });
const NOW = Date.parse("2026-11-21T15:00:00Z");
const MARKET = { ordType: "MARKET" } as const;

const apply = (request: AlertRequest, options: WebhookOptions) =>
  applyOptions(request, options, contracts, NOW);

const order = (symbol: string, orderQty = 1): AlertRequest => ({
  kind: "order",
  ticket: { symbol, side: "BUY", ordType: "MARKET", orderQty },
});
const adjust = (aim: Aim, symbol = "NQ1!"): AlertRequest => ({
  kind: "adjust",
  symbol,
  aim,
  terms: MARKET,
});

/** The error that applying them ends with. */
function refusal(request: AlertRequest, options: WebhookOptions): GatewayError {
  try {
    apply(request, options);
  } catch (error) {
    if (error instanceof GatewayError) return error;
    throw error;
  }
  throw new Error("It was not refused");
}

function symbolIn(request: AlertRequest): string | undefined {
  return request.kind === "order" ? request.ticket.symbol : request.symbol;
}

const OPENING: readonly Aim[] = [
  { to: "position", netQty: -2 },
  { to: "order", side: "SELL", qty: 1 },
  { to: "reverse" },
  { to: "add", qty: 1 },
  { to: "enter", side: "BUY", qty: 1, whenHeld: "add", whenOpposite: "close" },
];
const CLOSING: readonly Aim[] = [
  { to: "position", netQty: 0 },
  { to: "close", qty: 1 },
  { to: "close", percent: 50, holding: "LONG" },
];
const EXITS: readonly AlertRequest[] = [
  ...CLOSING.map((aim) => adjust(aim)),
  { kind: "flatten", symbol: "NQ1!" },
  { kind: "exit", symbol: "NQ1!" },
  { kind: "cancel", symbol: "NQ1!" },
  { kind: "protect", symbol: "NQ1!", legs: { stopLoss: { ticks: 20 } } },
];
const EVERY_KIND = [order("NQ1!"), ...OPENING.map((aim) => adjust(aim)), ...EXITS];

test("without options an alert stays as it is", () => {
  for (const request of EVERY_KIND) {
    expect(apply(request, {})).toEqual({ request, decisions: [] });
  }
});

describe("the symbol map", () => {
  test.each([
    ["NQ1!", "MNQ1!"],
    ["NQ", "MNQ1!"],
    ["nq!", "MNQ1!"],
    ["CME_MINI:NQ1!", "MNQ1!"],
    ["CME_MINI_DL:NQ1!", "MNQ1!"],
    ["NQZ6", "MNQZ6"],
    ["NQZ26", "MNQZ26"],
    [" nqz2026 ", "MNQZ2026"],
    ["CME_MINI:NQH7", "MNQH7"],
    // One-letter roots are known by their exchange only.
    ["BZ1!", "ICEEUR:B1!"],
    ["BZG7", "ICEEUR:BG7"],
  ])("turns %j into %s", (symbol, traded) => {
    const { request, decisions } = apply(order(symbol), { symbolMap: { NQ: "MNQ", BZ: "B" } });
    expect(symbolIn(request)).toBe(traded);
    expect(decisions).toEqual([`${symbol} is traded as ${traded}`]);
  });

  test.each(EVERY_KIND)("holds for every kind of alert: $kind $aim.to", (request) => {
    const mapped = apply(request, { symbolMap: { NQ: "MNQ" } }).request;
    expect(symbolIn(mapped)).toBe("MNQ1!");
    expect({ ...mapped, symbol: "", ticket: {} }).toEqual({ ...request, symbol: "", ticket: {} });
  });

  test.each([
    ["6E", "M6E", 40, 20],
    ["M6E", "6E", 20, 40],
    ["6E", "E7", 40, 20],
    // 0.00205 is no whole number of ticks there: nearer, so no more is risked.
    ["6E", "M6E", 41, 20],
    ["6E", "M6E", 1, 1],
    ["NQ", "MNQ", 40, 40],
  ])("keeps what a distance in ticks is in price: %s as %s, %d are %d", (from, to, ticks, kept) => {
    const legs = { stopLoss: { ticks }, takeProfit: { offset: "0.01" } };
    const mapped = { stopLoss: { ticks: kept }, takeProfit: { offset: "0.01" } };
    const symbol = `${from}1!`;
    const read = (request: AlertRequest) => apply(request, { symbolMap: { [from]: to } }).request;
    expect(read({ kind: "protect", symbol, legs })).toMatchObject({ legs: mapped });
    const terms = { ...MARKET, bracket: legs };
    const ticket = { symbol, side: "BUY", orderQty: 1, ...terms } as const;
    expect(read({ kind: "order", ticket })).toMatchObject({ ticket: { bracket: mapped } });
    const aim = { to: "position", netQty: 1 } as const;
    expect(read({ kind: "adjust", symbol, aim, terms })).toMatchObject({
      terms: { bracket: mapped },
    });
  });

  describe("to another market", () => {
    const symbolMap = { NQ: "ES" };
    const buy = { symbol: "NQ1!", side: "BUY", orderQty: 1 } as const;
    const onES = (ticket: Partial<OrderTicket>) =>
      apply({ kind: "order", ticket: { ...buy, ...MARKET, ...ticket } }, { symbolMap });
    const reason = /^The prices are of NQ, and ES is another market/;

    test.each<[string, Partial<OrderTicket>]>([
      ["a limit", { ordType: "LIMIT", limitPrice: 25_200 }],
      ["a trigger", { ordType: "STOP", stopPrice: "25200" }],
      ["a stop-loss", { bracket: { stopLoss: { price: 25_000 } } }],
      ["a plan's target", { exitPlan: { targets: [{ price: 25_000 }], stop: { ticks: 20 } } }],
    ])("lets only exits pass with %s of its own", (_, ticket) => {
      expect(onES(ticket)).toMatchObject({
        exitsOnly: expect.stringMatching(reason),
        exitsOnlyCode: "VALIDATION_FAILED",
      });
    });

    test("keeps what counts from the fill", () => {
      const applied = onES({ bracket: { stopLoss: { offset: 20 }, takeProfit: { ticks: 40 } } });
      expect(applied.exitsOnly).toBeUndefined();
    });

    test("places no level of its own, and keeps those of one market", () => {
      const legs = { stopLoss: { price: 25_000 } };
      const protect = { kind: "protect", symbol: "NQ1!", legs } as const;
      expect(refusal(protect, { symbolMap }).details).toEqual([
        { path: "symbol", message: expect.stringMatching(reason) },
      ]);
      expect(apply(protect, { symbolMap: { NQ: "MNQ" } }).request).toMatchObject({ legs });
    });
  });

  test("leaves other symbols, and alerts without one, alone", () => {
    const symbolMap = { NQ: "MNQ", ES: "ES" };
    const others: readonly AlertRequest[] = [order("CL1!"), order("ES1!"), { kind: "flatten" }];
    for (const request of others) {
      expect(apply(request, { symbolMap })).toEqual({ request, decisions: [] });
    }
  });

  test("is applied once: what is traded instead is not mapped again", () => {
    const symbolMap = { NQ: "MNQ", MNQ: "NQ" };
    expect(symbolIn(apply(order("NQ1!"), { symbolMap }).request)).toBe("MNQ1!");
    expect(symbolIn(apply(order("MNQ1!"), { symbolMap }).request)).toBe("NQ1!");
  });

  test.each(["NQ2!", "NQF6", "CBOT:NQ1!", "ZZZ9", "__proto__"])(
    "does not hide that %s is no symbol",
    (symbol) => {
      const { spec, details } = refusal(order(symbol), { symbolMap: { NQ: "MNQ" } });
      expect([spec.code, details[0]?.path]).toEqual(["UNKNOWN_SYMBOL", "symbol"]);
    },
  );

  test("keeps the month, whatever the root and however the year is written", () => {
    const months = fc.constantFrom("H7", "M7", "Z6", "H27", "Z26", "M2027");
    const roots = fc.constantFrom("ES", "NQ", "YM", "RTY", "MES", "MNQ", "MYM", "M2K");
    fc.assert(
      fc.property(roots, roots, months, (from, to, month) => {
        const { request } = apply(order(`${from}${month}`), { symbolMap: { [from]: to } });
        expect(symbolIn(request)).toBe(`${to}${month}`);
      }),
    );
  });
});

describe("allowed symbols", () => {
  const allowedSymbols = ["MNQ", "MES"];

  test("let the symbols of their roots through", () => {
    for (const symbol of ["MNQ1!", "mes", "MESZ6", "CME_MINI:MES1!"]) {
      expect(apply(order(symbol), { allowedSymbols })).toEqual({
        request: order(symbol),
        decisions: [],
      });
    }
  });

  const FORBIDDEN = /^The webhook may not open or grow a position in (NQ|ES)1!; .* only/;

  test("let others out only, and say what is allowed", () => {
    expect(apply(order("NQ1!"), { allowedSymbols })).toEqual({
      request: order("NQ1!"),
      decisions: ["NQ1! is not among the allowed symbols: only exits pass"],
      exitsOnly:
        "The webhook may not open or grow a position in NQ1!; it is allowed MNQ and MES only, and exits pass",
    });
  });

  test.each(OPENING)("let nothing else of an aim through: $to", (aim) => {
    expect(apply(adjust(aim), { allowedSymbols }).exitsOnly).toMatch(FORBIDDEN);
  });

  test.each(EXITS)("let pass what can only reduce, and say so: $kind $aim", (request) => {
    expect(apply(request, { allowedSymbols })).toEqual({
      request,
      decisions: ["NQ1! is not among the allowed symbols: only exits pass"],
    });
  });

  test("are looked at after the map", () => {
    const options = { allowedSymbols, symbolMap: { NQ: "MNQ", MES: "ES" } };
    expect(symbolIn(apply(order("NQ1!"), options).request)).toBe("MNQ1!");
    expect(apply(order("NQ1!"), options).exitsOnly).toBeUndefined();
    expect(apply(order("MES1!"), options).exitsOnly).toMatch(FORBIDDEN);
  });
});

describe("the multiplier", () => {
  test.each([
    [2, "3", 6, "2 × 3 is 6"],
    [3, "0.5", 1, "3 × 0.5 is 1.5, rounded to 1"],
    [10, "0.25", 2, "10 × 0.25 is 2.5, rounded to 2"],
    // 0.29 * 100 is 28.999999999999996 in floating point.
    [100, "0.29", 29, "100 × 0.29 is 29"],
    [10_000, "0.0001", 1, "10000 × 0.0001 is 1"],
    [10, "1000", 10_000, "10 × 1000 is 10000"],
  ])("makes of %d times %s the quantity %d", (qty, multiplier, expected, said) => {
    const { request, decisions } = apply(order("NQ1!", qty), { multiplier });
    expect(request).toEqual(order("NQ1!", expected));
    expect(decisions).toEqual([`The quantity is multiplied: ${said}`]);
  });

  test.each<[Aim, Aim]>([
    [
      { to: "position", netQty: 4 },
      { to: "position", netQty: 6 },
    ],
    [
      { to: "position", netQty: -3 },
      { to: "position", netQty: -4 },
    ],
    [
      { to: "position", netQty: 0 },
      { to: "position", netQty: 0 },
    ],
    [
      { to: "order", side: "SELL", qty: 2 },
      { to: "order", side: "SELL", qty: 3 },
    ],
    [{ to: "reverse" }, { to: "reverse" }],
    [
      { to: "reverse", qty: 2 },
      { to: "reverse", qty: 3 },
    ],
    [
      { to: "add", qty: 2 },
      { to: "add", qty: 3 },
    ],
    [
      { to: "close", qty: 2 },
      { to: "close", qty: 3 },
    ],
    [
      { to: "close", percent: 50 },
      { to: "close", percent: 50 },
    ],
    [
      { to: "enter", side: "BUY", qty: 2, whenHeld: "replace", whenOpposite: "close" },
      { to: "enter", side: "BUY", qty: 3, whenHeld: "replace", whenOpposite: "close" },
    ],
  ])("by 1.5 turns %j into %j", (aim, expected) => {
    expect(apply(adjust(aim), { multiplier: "1.5" }).request).toEqual(adjust(expected));
  });

  test("leaves alerts without a quantity alone, and 1 leaves all", () => {
    for (const request of EXITS.filter(({ kind }) => kind !== "adjust")) {
      expect(apply(request, { multiplier: "2" })).toEqual({ request, decisions: [] });
    }
    for (const request of EVERY_KIND) {
      expect(apply(request, { multiplier: "1" })).toEqual({ request, decisions: [] });
    }
  });

  const LITTLE = "2 × 0.25 is less than one contract";

  test.each<[Aim, Aim]>([
    [
      { to: "order", side: "SELL", qty: 2 },
      { to: "order", side: "SELL", qty: 1 },
    ],
    [
      { to: "reverse", qty: 2 },
      { to: "reverse", qty: 1 },
    ],
    [
      { to: "enter", side: "SELL", qty: 2, whenHeld: "refuse", whenOpposite: "reduceIfLess" },
      { to: "enter", side: "SELL", qty: 1, whenHeld: "refuse", whenOpposite: "reduceIfLess" },
    ],
  ])("lets what comes to less than one contract out only: %j", (aim, expected) => {
    expect(apply(adjust(aim), { multiplier: "0.25" })).toEqual({
      request: adjust(expected),
      decisions: [
        "The quantity is multiplied: 2 × 0.25 is 0.5, rounded to 1 where it closes; it opens nothing",
      ],
      exitsOnly: `${LITTLE}, so it may not open or grow a position; exits pass`,
      exitsOnlyCode: "VALIDATION_FAILED",
    });
  });

  test("does the same to a plain order, and says first what symbols are allowed", () => {
    const applied = apply(order("NQ1!", 2), { multiplier: "0.25" });
    expect(applied).toMatchObject({
      request: order("NQ1!", 1),
      exitsOnlyCode: "VALIDATION_FAILED",
    });
    const both = apply(order("NQ1!", 2), { multiplier: "0.25", allowedSymbols: ["ES"] });
    expect(both.exitsOnly).toMatch(/it is allowed ES only/);
    expect(both.exitsOnlyCode).toBeUndefined();
  });

  test("refuses to add less than one contract, which is never a way out", () => {
    const { details } = refusal(adjust({ to: "add", qty: 2 }), { multiplier: "0.25" });
    expect(details).toEqual([{ path: "qty", message: LITTLE }]);
  });

  test.each([
    [1, "0.5", 0],
    [-1, "0.5", 0],
    [-3, "0.5", -1],
    [9_999, "0.0001", 0],
  ])("makes of a target of %d times %s the target %d", (netQty, multiplier, expected) => {
    const { request, exitsOnly } = apply(adjust({ to: "position", netQty }), { multiplier });
    expect(request).toEqual(adjust({ to: "position", netQty: expected }));
    expect(exitsOnly).toBeUndefined();
  });

  test("never holds a close back, however small or large it comes to", () => {
    for (const [qty, multiplier, expected] of [
      [1, "0.0001", 1],
      [10_000, "1000", MAX_ALERT_QTY],
    ] as const) {
      const { request } = apply(adjust({ to: "close", qty }), { multiplier });
      expect(request).toEqual(adjust({ to: "close", qty: expected }));
    }
  });

  test.each([
    [10_000, "1.0001", "10000 × 1.0001 is more than 10000 contracts"],
    [10_000, "1000", "10000 × 1000 is more than 10000 contracts"],
  ])("refuses %d times %s", (qty, multiplier, message) => {
    const { spec, details } = refusal(order("NQ1!", qty), { multiplier });
    expect([spec.code, spec.status]).toEqual(["VALIDATION_FAILED", 400]);
    expect(details).toEqual([{ path: "qty", message }]);
  });

  /** Counted in ten-thousandths, the finest that a multiplier may be. */
  const FINEST = 10_000n;
  const qtys = fc.integer({ min: 1, max: MAX_ALERT_QTY });
  const units = fc.integer({ min: 1, max: 10_000_000 });
  const written = (count: number) =>
    `${Math.floor(count / 10_000)}.${String(count % 10_000).padStart(4, "0")}`;
  const product = (qty: number, count: number) => BigInt(qty) * BigInt(count);
  const isInRange = (exact: bigint) => exact >= FINEST && exact / FINEST <= BigInt(MAX_ALERT_QTY);

  test("never gives more than exactly the product, and less by less than one contract", () => {
    fc.assert(
      fc.property(qtys, units, (qty, count) => {
        const exact = product(qty, count);
        fc.pre(isInRange(exact));
        const { request } = apply(order("NQ1!", qty), { multiplier: written(count) });
        expect(request).toEqual(order("NQ1!", Number(exact / FINEST)));
      }),
    );
  });

  test("lets only exits through of less than one contract, and refuses what is too much", () => {
    fc.assert(
      fc.property(qtys, units, (qty, count) => {
        const exact = product(qty, count);
        fc.pre(!isInRange(exact));
        const read = () => apply(order("NQ1!", qty), { multiplier: written(count) });
        const code =
          exact < FINEST
            ? read().exitsOnlyCode
            : refusal(order("NQ1!", qty), { multiplier: written(count) }).spec.code;
        expect(code).toBe("VALIDATION_FAILED");
      }),
    );
  });
});

test("what each option did is told in its order", () => {
  const options = { symbolMap: { NQ: "MNQ" }, allowedSymbols: ["MNQ"], multiplier: "10" };
  expect(apply(order("NQ1!", 2), options)).toEqual({
    request: order("MNQ1!", 20),
    decisions: ["NQ1! is traded as MNQ1!", "The quantity is multiplied: 2 × 10 is 20"],
  });
});

describe("an entry that is sized by what it may lose", () => {
  const stop = { bracket: { stopLoss: { ticks: 20 } } };
  const sized = (size: SizeTicket): AlertRequest => ({
    kind: "order",
    ticket: { symbol: "NQ1!", side: "BUY", orderQty: 1, ...MARKET, ...stop, size },
  });

  test.each<[SizeTicket, string, SizeTicket, string]>([
    [{ risk: 150 }, "0.5", { risk: "75" }, "150 × 0.5 is 75"],
    [{ riskPercent: "1.5", min: 1 }, "2", { riskPercent: "3", min: 1 }, "1.5 × 2 is 3"],
    [{ risk: "0.333333333333" }, "0.3333", { risk: "0.111099999999" }, "is 0.111099999999"],
  ])("%j times %s risks %j", (size, multiplier, risked, said) => {
    const { request, decisions, exitsOnly } = apply(sized(size), { multiplier });
    expect(request).toEqual(sized(risked));
    expect(decisions).toEqual([expect.stringContaining(said)]);
    expect(exitsOnly).toBeUndefined();
    const enter = adjust({ to: "add", qty: 1 });
    const terms = { ...MARKET, ...stop, size };
    expect(apply({ ...enter, terms } as AlertRequest, { multiplier }).request).toEqual({
      ...enter,
      terms: { ...terms, size: risked },
    });
  });
});

describe("an exit plan under the symbol map", () => {
  const planned = (exitPlan: ExitPlanTicket, symbol = "SI1!"): AlertRequest => ({
    kind: "order",
    ticket: { symbol, side: "BUY", orderQty: 1, ...MARKET, exitPlan },
  });

  test("keeps its distances in price: ticks are counted anew", () => {
    const { request } = apply(
      planned({
        targets: [{ ticks: 40, qty: 1 }, { percent: 2 }],
        stop: { ticks: 21 },
        breakeven: { after: { ticks: 10 }, plus: 0 },
        trailing: { from: { ticks: 20 }, distance: { offset: "0.1" }, step: 1 },
      }),
      { symbolMap: { SI: "QI" } },
    );
    const [from, to] = ["SI", "QI"].map((root) => Number(contracts.product(root)?.tickSize));
    const anew = (count: number) =>
      Math.max(1, Math.floor((count * (from ?? 0)) / (to ?? 1) + 1e-9));
    expect(from).not.toBe(to);
    expect(request).toEqual(
      planned(
        {
          targets: [{ ticks: anew(40), qty: 1 }, { percent: 2 }],
          stop: { ticks: anew(21) },
          breakeven: { after: { ticks: anew(10) }, plus: 0 },
          trailing: { from: { ticks: anew(20) }, distance: { offset: "0.1" }, step: 1 },
        },
        "QI1!",
      ),
    );
  });

  test("is as it was where the ticks are alike, or none are counted", () => {
    const plan = { targets: [{ percent: 2 }], stop: { offset: 5 } };
    expect(apply(planned(plan), { symbolMap: { SI: "QI" } }).request).toEqual(
      planned(plan, "QI1!"),
    );
    const counted = { stop: { ticks: 20 } };
    expect(apply(planned(counted, "NQ1!"), { symbolMap: { NQ: "MNQ" } }).request).toEqual(
      planned(counted, "MNQ1!"),
    );
  });
});
