import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { contracts } from "../../../../config/contracts.ts";
import { closures, holidays } from "../../../../config/holidays.ts";
import { otherExchanges } from "../../../../config/other-exchanges.ts";
import { createBusinessCalendar } from "../../../../src/domain/calendar/business-days.ts";
import { type CivilDay, parseIsoDate } from "../../../../src/domain/calendar/civil-day.ts";
import { createTradingDay } from "../../../../src/domain/calendar/trading-day.ts";
import { createContractDirectory } from "../../../../src/domain/contracts/contract-directory.ts";
import {
  contractCode,
  contractSymbol,
  MONTH_CODES,
} from "../../../../src/domain/contracts/contract.ts";

const directory = createContractDirectory({
  products: contracts,
  holidays,
  closures,
  otherExchanges,
});
const at = (text: string) => Date.parse(text);
const tradingDayAt = createTradingDay({ holidays: closures });
const NOV_21 = at("2026-11-21T15:00:00Z");

/** The full-year code a symbol resolves to, or the reason why it does not. */
function resolved(symbol: string, nowMs = NOV_21): string {
  const found = directory.resolve(symbol, nowMs);
  return found.kind === "resolved" ? contractCode(found.contract) : found.reason;
}

describe("a symbol resolves", () => {
  test.each([
    ["ESZ6", "ESZ2026"],
    ["ESZ26", "ESZ2026"],
    ["ESZ2026", "ESZ2026"],
    ["ES", "ESZ2026"],
    ["ES!", "ESZ2026"],
    ["ES1!", "ESZ2026"],
    ["CME_MINI:ES1!", "ESZ2026"],
    ["CME_MINI_DL:ES1!", "ESZ2026"],
    ["CME_DLY:ESZ6", "ESZ2026"],
    ["ESH7", "ESH2027"],
    ["nymex:cl1!", "CLF2027"],
    ["CLF7", "CLF2027"],
    ["6EZ6", "6EZ2026"],
    ["10YF7", "10YF2027"],
    ["30Y1!", "30YX2026"],
    ["SR31!", "SR3U2026"],
    ["E71!", "E7Z2026"],
    ["GC1!", "GCZ2026"],
    ["ICEEUR:BZ6", "BZ2026", "2026-10-01T12:00:00Z"],
    ["ICEEUR_DLY:G1!", "GZ2026"],
    ["BZZ6", "BZZ2026", "2026-10-01T12:00:00Z"],
    ["EUREX:FDAX1!", "FDAXZ2026"],
    ["CBOE:VX1!", "VXZ2026"],
    ["VXM7", "VXM2027"],
    ["VXM1!", "VXMZ2026"],
    ["SR1!", "SR1X2026"],
    ["1OZG7", "1OZG2027"],
    // Serial months, which are never the front month but are listed.
    ["HGF7", "HGF2027"],
    ["SIF7", "SIF2027"],
    ["GCF7", "GCF2027"],
    ["6EF7", "6EF2027"],
    ["PLG7", "PLG2027"],
    ["MHGF7", "MHGF2027"],
    ["COMEX:HGF27", "HGF2027"],
    ["SR3V6", "SR3V2026"],
    // As far ahead as anything is listed by one digit: whether it is, the broker knows.
    ["GCM2", "GCM2032"],
    // Their word of charting platforms needs no exchange: nothing else is called so.
    ["BRN1!", "BG2027"],
    ["ICEEUR:BRN1!", "BG2027"],
    ["BRNG7", "BG2027"],
    ["ICEEUR_DLY:ULS1!", "GZ2026"],
    ["CME_GBX:ES1!", "ESZ2026"],
    ["XCME:ES1!", "ESZ2026"],
    ["GLOBEX:CL1!", "CLF2027"],
    ["CMEMINI:ES1!", "ESZ2026"],
    ["CME MINI:ES1!", "ESZ2026"],
    ["CME:CME_MINI:ES1!", "ESZ2026"],
    ["ESZ1", "ESZ2031"],
  ])("%s to %s", (symbol, code, when = "2026-11-21T15:00:00Z") => {
    expect(resolved(symbol, at(when))).toBe(code);
  });
});

test.each([
  ["ES", true],
  ["ES!", true],
  ["ES1!", true],
  ["CME_MINI:ES1!", true],
  ["CME_MINI_DL:ES1!", true],
  ["CME_MINI:ES", true],
  ["SR31!", true],
  ["ESZ6", false],
  ["ESZ26", false],
  ["ESZ2026", false],
  ["CME_MINI:ESZ2026", false],
])("whether %s leaves the month open is told: %s", (symbol, isFrontMonth) => {
  expect(directory.resolve(symbol, at("2026-11-21T15:00:00Z"))).toMatchObject({ isFrontMonth });
});

describe("a symbol is refused with its reason", () => {
  test.each([
    ["ES2!", '"ES2!" is not the front month; use ES1! or a full contract such as ESZ6'],
    ["SR32!", '"SR32!" is not the front month; use SR31! or a full contract such as SR3U6'],
    ["ZZZ", '"ZZZ" has no known root; only futures of the contract table are traded here'],
    ["CLX", '"CLX" has a month but no year; use CL1! or a full contract such as CLF7'],
    ["ESI6", '"ESI6" has no month: I is no month code; use ES1! or a full contract such as ESZ6'],
    [
      "ESF6",
      '"ESF6" names a month that is not listed: ES has HMUZ; use ES1! or a full contract such as ESZ6',
    ],
    [
      "ESU6",
      '"ESU6" expired: it last traded on 2026-09-18 (for 2036 write ESU36); use ES1! or a full contract such as ESZ6',
    ],
    // Two years after its end it is not taken for the contract of eight years ahead.
    [
      "ESZ4",
      '"ESZ4" expired: it last traded on 2024-12-20 (for 2034 write ESZ34); use ES1! or a full contract such as ESZ6',
    ],
    [
      "ESU26",
      '"ESU26" expired: it last traded on 2026-09-18; use ES1! or a full contract such as ESZ6',
    ],
    ["ESZ1999", '"ESZ1999" expired long ago; use ES1! or a full contract such as ESZ6'],
    ["ESZ99", '"ESZ99" is too far ahead; use ES1! or a full contract such as ESZ6'],
    [
      "NYMEX:ES1!",
      '"NYMEX:ES1!" names the exchange NYMEX, but ES trades on CME; use ES1! or a full contract such as ESZ6',
    ],
    [
      "CME_MNI:ES1!",
      '"CME_MNI:ES1!" names the exchange CME_MNI, but ES trades on CME; use ES1! or a full contract such as ESZ6',
    ],
    // It is no advice for who means a share.
    ["NYSE:CL", '"NYSE:CL" names the exchange NYSE, but CL trades on NYMEX, and is Crude Oil here'],
    [
      "NYSE:CL1!",
      '"NYSE:CL1!" names the exchange NYSE, but CL trades on NYMEX, and is Crude Oil here',
    ],
    [
      "SOMEWHERE:ES",
      '"SOMEWHERE:ES" names the exchange SOMEWHERE, but ES trades on CME, and is E-mini S&P 500 here',
    ],
    [
      "BZ6",
      '"BZ6" needs its exchange, for it would be Brent Crude on ICE EU; use ICEEUR:B1! or a full contract such as ICEEUR:BG7',
    ],
    [
      "G1!",
      '"G1!" needs its exchange, for it would be Low Sulphur Gasoil on ICE EU; use ICEEUR:G1! or a full contract such as ICEEUR:GZ6',
    ],
  ])("%s", (symbol, reason) => {
    expect(resolved(symbol)).toBe(reason);
  });

  test.each([
    ["MNQQ1!", "MNQ1!"],
    ["MNQQZ6", "MNQZ6"],
    ["CME_MINI:MNQQ1!", "MNQ1!"],
    ["SE1!", "ES1!"],
    ["MGCC!", "MGC!"],
    ["FGBX1!", "FGBL1! or FGBM1! or FGBS1!"],
  ])("%s, with the nearest root: %s", (symbol, near) => {
    expect(resolved(symbol)).toBe(
      `"${symbol}" has no known root; only futures of the contract table are traded here. Did you mean ${near}?`,
    );
  });

  const NEAR_TO_NONE =
    "AAPL NASDAQ:TSLA BINANCE:BTCUSDT XX1! QQQ MSFT META AMD NYSE:NKE NASDAQ:META1!";

  test.each(NEAR_TO_NONE.split(" "))("%s is near to none", (symbol) => {
    expect(resolved(symbol)).toBe(
      `"${symbol}" has no known root; only futures of the contract table are traded here`,
    );
  });

  test("a long text is not repeated in full", () => {
    expect(resolved("X".repeat(10_000)).length).toBeLessThan(200);
  });
});

describe("an exchange", () => {
  const found = (symbol: string, use: "entry" | "exit") =>
    directory.resolve(symbol, NOV_21, use).kind === "resolved";

  test.each([
    // As each is written, whether an entry, and whether a way out goes there.
    ["CME_MINI:ES1!", true, true],
    ["NYMEX:ES1!", false, false],
    ["NASDAQ:ES1!", false, false],
    ["NYSE:CL", false, false],
    ["NYSE_DLY:CL", false, false],
    ["BINANCE:BTC", false, false],
    ["NYSE:NYMEX:CL1!", false, false],
    ["NYMEX:NYSE:CL1!", false, false],
    ["SOMEWHERE:ES1!", false, true],
    // One letter names nothing by itself.
    ["SOMEWHERE:B1!", false, false],
    ["SOMEWHERE:BRN1!", false, true],
    ["NULL:ES1!", false, true],
    ["{{EXCHANGE}}:ES1!", false, true],
    ['["SOMEWHERE"]:ES1!', false, true],
    ['["NASDAQ"]:ES1!', false, false],
    ["SOMEWHERE:CME_MINI:ES1!", false, true],
  ])("of %s fits an entry: %s, a way out: %s", (symbol, entry, exit) => {
    expect([found(symbol, "entry"), found(symbol, "exit")]).toEqual([entry, exit]);
    expect([found(symbol, "entry"), found(symbol, "exit")]).toEqual([entry, exit]);
  });

  test("that a way out passes over is named", () => {
    expect(directory.unknownExchanges("SOMEWHERE:CME:ES1!")).toEqual(["SOMEWHERE"]);
    expect(directory.unknownExchanges("NASDAQ:ES1!")).toEqual([]);
    expect(directory.unknownExchanges("ES 1!")).toEqual([]);
  });

  test("of the table is none of the others", () => {
    for (const { root, prefixes } of contracts) {
      for (const prefix of prefixes) expect(found(`${prefix}:${root}1!`, "entry")).toBe(true);
    }
    const named = new Set(contracts.flatMap(({ prefixes }) => prefixes));
    expect(otherExchanges.filter((name) => named.has(name))).toEqual([]);
  });
});

describe("a one-digit year", () => {
  test("means January 2027 while that contract trades, though it ends in December", () => {
    expect(resolved("CLF7", at("2026-11-21T12:00:00Z"))).toBe("CLF2027");
    expect(resolved("CLF7", at("2026-12-21T12:00:00Z"))).toBe("CLF2027");
  });

  test("does not mean 2037 on the day after", () => {
    expect(resolved("CLF7", at("2026-12-22T12:00:00Z"))).toMatch(/expired.*2026-12-21/);
    expect(resolved("CLF37", at("2026-12-22T12:00:00Z"))).toBe("CLF2037");
  });

  test("reaches across a decade", () => {
    expect(resolved("ESH0", at("2029-11-21T12:00:00Z"))).toBe("ESH2030");
    expect(resolved("SR3Z9", at("2030-01-05T12:00:00Z"))).toBe("SR3Z2029");
  });

  test("goes by the trading day, which ends at 17:00 in Chicago", () => {
    expect(resolved("ESZ6", at("2026-12-18T22:59:00Z"))).toBe("ESZ2026");
    expect(resolved("ESZ6", at("2026-12-18T23:00:00Z"))).toMatch(/expired/);
    const contract = { root: "ES", year: 2026, month: 12 };
    expect(directory.hasEnded(contract, at("2026-12-18T22:59:00Z"))).toBe(false);
    expect(directory.hasEnded(contract, at("2026-12-18T23:00:00Z"))).toBe(true);
    expect(directory.hasEnded({ ...contract, root: "ZZZ" }, at("2020-01-01"))).toBe(true);
  });
});

describe("the front month", () => {
  test.each([
    // The serial months between are listed, and passed over.
    ["HG", "2026-11-24T12:00:00Z", "HGH7"],
    ["SI", "2026-11-24T12:00:00Z", "SIH7"],
    ["PL", "2026-11-24T12:00:00Z", "PLF7"],
    ["6E", "2026-12-20T12:00:00Z", "6EH7"],
    ["QO", "2026-11-24T12:00:00Z", "QOG7"],
    // Monday's trading day begins at 17:00 in Chicago on the Friday before.
    ["ES", "2026-12-11T22:59:00Z", "ESZ6"],
    ["ES", "2026-12-11T23:00:00Z", "ESH7"],
    // They end on Monday 14 and Tuesday 15 December.
    ["6E", "2026-12-09T22:59:00Z", "6EZ6"],
    ["6E", "2026-12-09T23:00:00Z", "6EH7"],
    ["M6B", "2026-12-09T23:00:00Z", "M6BH7"],
    ["DX", "2026-12-09T23:00:00Z", "DXH7"],
    ["6C", "2026-12-10T22:59:00Z", "6CZ6"],
    ["6C", "2026-12-10T23:00:00Z", "6CH7"],
    // It ends on Wednesday 25 November, in the month before its name.
    ["QO", "2026-11-20T22:59:00Z", "QOZ6"],
    ["QO", "2026-11-20T23:00:00Z", "QOG7"],
    // Five business days before 2026-12-21.
    ["CL", "2026-12-11T12:00:00Z", "CLF7"],
    ["CL", "2026-12-14T12:00:00Z", "CLG7"],
    // Three business days before first notice, which is 2026-07-31; October is skipped.
    ["GC", "2026-07-27T12:00:00Z", "GCQ6"],
    ["GC", "2026-07-28T12:00:00Z", "GCZ6"],
    ["ZN", "2026-11-23T12:00:00Z", "ZNZ6"],
    ["ZN", "2026-11-24T12:00:00Z", "ZNH7"],
    ["ZC", "2026-11-25T12:00:00Z", "ZCH7"],
    // Two business days before Friday the 27th is the Tuesday: Thursday is Thanksgiving Day.
    ["BTC", "2026-11-23T12:00:00Z", "BTCX6"],
    ["BTC", "2026-11-24T12:00:00Z", "BTCZ6"],
    ["MBT", "2026-11-27T12:00:00Z", "MBTZ6"],
    ["6M", "2026-11-21T12:00:00Z", "6MZ6"],
    ["CT", "2026-09-01T12:00:00Z", "CTZ6"],
    ["CC", "2026-11-12T12:00:00Z", "CCH7"],
  ])("of %s at %s is %s", (root, when, symbol) => {
    const front = directory.frontMonth(root, at(when));
    expect(front && contractSymbol(front.contract)).toBe(symbol);
  });

  test("says until when, and what follows", () => {
    expect(directory.frontMonth("ES", NOV_21)).toMatchObject({
      contract: { root: "ES", year: 2026, month: 12 },
      lastTradeDay: "2026-12-18",
      rollDay: "2026-12-14",
      next: { root: "ES", year: 2027, month: 3 },
    });
  });

  test("of an unknown root is undefined, and so is its last trade day", () => {
    expect(directory.frontMonth("ZZZ", NOV_21)).toBeUndefined();
    expect(directory.product("ZZZ")).toBeUndefined();
    expect(directory.lastTradeDay({ root: "ZZZ", year: 2026, month: 12 })).toBeUndefined();
  });
});

describe("for every root and instant from 2015 to 2040", () => {
  const anyProduct = fc.constantFrom(...contracts);
  const anyInstant = fc.integer({ min: at("2015-01-01"), max: at("2039-12-31") });

  test("the front month still trades, is liquid, and resolves to itself", () => {
    fc.assert(
      fc.property(anyProduct, anyInstant, (product, nowMs) => {
        const front = directory.frontMonth(product.root, nowMs);
        expect(front).toBeDefined();
        if (front === undefined) return;

        const { contract, lastTradeDay, rollDay } = front;
        const yesterday = new Date(nowMs - 86_400_000).toISOString().slice(0, 10);
        expect(lastTradeDay >= yesterday).toBe(true);
        expect(rollDay >= yesterday).toBe(true);
        expect(product.liquid ?? product.cycle).toContain(MONTH_CODES.charAt(contract.month - 1));

        const symbol = `${product.prefixes[0]}:${contractSymbol(contract)}`;
        expect(directory.resolve(symbol, nowMs)).toEqual({
          kind: "resolved",
          contract,
          product,
          isFrontMonth: false,
        });
        expect(directory.resolve(`${product.prefixes[0]}:${product.root}1!`, nowMs)).toEqual({
          kind: "resolved",
          contract,
          product,
          isFrontMonth: true,
        });
      }),
    );
  });

  test("the front month is never in its last two business days", () => {
    fc.assert(
      fc.property(anyProduct, anyInstant, (product, nowMs) => {
        const front = directory.frontMonth(product.root, nowMs);
        const { day: today } = tradingDayAt(nowMs, product.calendar);
        const days = createBusinessCalendar(holidays[product.calendar as keyof typeof holidays]);
        const ends = parseIsoDate(front?.lastTradeDay ?? "") ?? Number.NaN;
        expect(days.before(ends as CivilDay, 2)).toBeGreaterThan(today);
      }),
    );
  });

  test("the front month never goes back", () => {
    fc.assert(
      fc.property(anyProduct, anyInstant, fc.nat(90 * 86_400_000), (product, nowMs, later) => {
        const now = directory.frontMonth(product.root, nowMs)?.contract;
        const then = directory.frontMonth(product.root, nowMs + later)?.contract;
        expect(order(then)).toBeGreaterThanOrEqual(order(now));
      }),
    );
  });

  test("a last trade day is a weekday near its month, and later months end later", () => {
    const month = fc.integer({ min: 1, max: 12 });
    const year = fc.integer({ min: 2015, max: 2040 });
    fc.assert(
      fc.property(anyProduct, year, month, ({ root }, y, m) => {
        const day = directory.lastTradeDay({ root, year: y, month: m }) ?? "";
        const next = directory.lastTradeDay({
          root,
          year: m === 12 ? y + 1 : y,
          month: (m % 12) + 1,
        });
        expect([1, 2, 3, 4, 5]).toContain(new Date(day).getUTCDay());
        const monthsAway = Number(day.slice(0, 4)) * 12 + Number(day.slice(5, 7)) - y * 12 - m;
        expect(monthsAway).toBeGreaterThanOrEqual(-2);
        expect(monthsAway).toBeLessThanOrEqual(3);
        expect(String(next) > day).toBe(true);
      }),
    );
  });
});

test("a root that the table lists twice is refused", () => {
  const products = contracts.filter(({ root }) => root === "ES");
  expect(() =>
    createContractDirectory({ products: [...products, ...products], holidays, closures }),
  ).toThrow("lists ES twice");
});

test("an exception of the table wins over the rule", () => {
  const products = contracts
    .filter(({ root }) => root === "ES")
    .map((product) => ({ ...product, lastTradeExceptions: { "2027-03": "2027-03-18" } }));
  const { lastTradeDay } = createContractDirectory({ products, holidays, closures });
  expect(lastTradeDay({ root: "ES", year: 2027, month: 3 })).toBe("2027-03-18");
  expect(lastTradeDay({ root: "ES", year: 2027, month: 9 })).toBe("2027-09-17");
});

test("the same symbol resolves anew on the day of the roll", () => {
  expect(resolved("ES1!", at("2026-12-11T12:00:00Z"))).toBe("ESZ2026");
  expect(resolved("ES1!", at("2026-12-15T12:00:00Z"))).toBe("ESH2027");
  expect(resolved("ES1!", at("2026-12-11T12:00:00Z"))).toBe("ESZ2026");
});

function order(contract: { year: number; month: number } | undefined): number {
  return contract === undefined ? Number.NaN : contract.year * 12 + contract.month;
}
