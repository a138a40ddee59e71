import { describe, expect, test } from "vitest";
import { contracts } from "../../../config/contracts.ts";
import { earlyCloses } from "../../../config/early-closes.ts";
import { closures, holidays } from "../../../config/holidays.ts";
import { tradingHours } from "../../../config/trading-hours.ts";
import { createContractDirectory } from "../../../src/domain/contracts/contract-directory.ts";
import { type Contract, MONTH_CODES } from "../../../src/domain/contracts/contract.ts";
import { tickWorth } from "../../../src/domain/contracts/price.ts";
import { monthly, single } from "./published-dates.ts";

const directory = createContractDirectory({ products: contracts, holidays, closures });

const ROOTS =
  "ES MES NQ MNQ RTY M2K YM MYM EMD NKD NIY CL MCL QM NG QG MNG RB HO BZ " +
  "GC MGC QO 1OZ SI SIL QI HG MHG QC PL PA ZB UB ZN TN ZF ZT MTN MWN ZQ SR1 SR3 2YY 5YY 10Y 30Y " +
  "ZC ZW KE ZO ZS ZM ZL LE HE GF LBR 6E 6B 6J 6A 6C 6S 6N 6M M6E M6A M6B MCD MJY MSF M6C M6J M6S E7 J7 " +
  "BTC MBT ETH MET SOL MSL XRP MXP DX KC SB CC CT OJ B G " +
  "FESX FSXE FDAX FDXM FDXS FGBL FGBM FGBS VX VXM";

test("the table lists every root once", () => {
  expect(contracts.map(({ root }) => root).toSorted()).toEqual(ROOTS.split(" ").toSorted());
});

describe.each(contracts)("$root", (product) => {
  test("a tick is worth its size times the point value", () => {
    const [size, point, value] = [product.tickSize, product.pointValue, product.tickValue];
    expect(Number(tickWorth(1, value))).toBeCloseTo(Number(size) * Number(point), 10);
  });

  test("its months are month codes in calendar order, the liquid ones among them", () => {
    const inOrder = MONTH_CODES.split("")
      .filter((code) => product.cycle.includes(code))
      .join("");
    expect(product.cycle).toBe(inOrder);
    for (const code of product.liquid ?? "") expect(product.cycle).toContain(code);
  });

  test("a one-digit year cannot reach the contract of ten years later", () => {
    expect(product.listedMonths).toBeLessThan(119);
  });

  test("it names a calendar, a time zone and a prefix", () => {
    expect(Object.keys(holidays)).toContain(product.calendar);
    expect(() => new Intl.DateTimeFormat("en", { timeZone: product.timeZone })).not.toThrow();
    expect(product.prefixes.length).toBeGreaterThan(0);
  });

  test("there is a published date to compare it with", () => {
    const roots = [...monthly.flatMap((row) => row.roots), ...single.map(([names]) => names)];
    expect(roots.join(" ").split(" ")).toContain(product.root);
  });
});

/** Contracts of several sizes on one thing, quoted in the same unit. */
const MARKETS =
  "ES MES|NQ MNQ|RTY M2K|YM MYM|FESX FSXE|FDAX FDXM FDXS|CL MCL QM|NG QG MNG|GC MGC QO 1OZ|SI SIL QI|" +
  "HG MHG QC|TN MTN|UB MWN|6E M6E E7|6J J7 MJY|6A M6A|6B M6B|6C MCD|6S MSF|BTC MBT|ETH MET|SOL MSL|" +
  "XRP MXP|VX VXM";

describe("a price of one root means the same in another", () => {
  const { isOneMarket } = directory;
  const marketOf = new Map(
    MARKETS.split("|").flatMap((roots) => roots.split(" ").map((root) => [root, roots] as const)),
  );

  test.each(contracts.map(({ root }) => root))("%s: in its own market alone", (root) => {
    const found = contracts.filter((other) => isOneMarket(root, other.root));
    const expected = marketOf.get(root)?.split(" ") ?? [root];
    expect(found.map((other) => other.root).toSorted()).toEqual(expected.toSorted());
    expect(new Set(found.map(({ currency }) => currency)).size).toBe(1);
  });

  test("of a root that the table does not know: in itself alone", () => {
    expect([
      isOneMarket("XYZ", "XYZ"),
      isOneMarket("XYZ", "ZYX"),
      isOneMarket("XYZ", "ES"),
    ]).toEqual([true, false, false]);
  });
});

test("products with hours or early closes of their own are as their exchanges say", () => {
  const own = (fits: (product: (typeof contracts)[number]) => boolean) =>
    contracts
      .filter(fits)
      .map(({ root }) => root)
      .join(" ");
  expect(own(({ hours }) => hours === tradingHours.grains)).toBe("ZC ZW KE ZO ZS ZM ZL");
  expect(own(({ hours }) => hours === tradingHours.livestock)).toBe("LE HE GF");
  expect(own(({ hours }) => hours === tradingHours.lumber)).toBe("LBR");
  expect(own(({ shortDays }) => shortDays === earlyCloses.agriculture)).toBe(
    "ZC ZW KE ZO ZS ZM ZL LE HE GF LBR",
  );
  expect(own(({ exchange, hours }) => exchange === "ICE US" && hours.parts.length === 1)).toBe(
    "DX KC SB CC CT OJ",
  );
  expect(own(({ shortDays }) => shortDays.length === 0)).toBe(
    own(({ exchange }) => exchange === "EUREX"),
  );
  expect(own(({ hours, exchange }) => hours === tradingHours.globex && exchange === "CFE")).toBe(
    "VX VXM",
  );
});

describe("last trade days are the published ones", () => {
  const rows = monthly.flatMap(({ roots, ...row }) => roots.map((root) => ({ root, ...row })));

  test.each(rows)("$root in $year", ({ root, monthsAhead, year, days }) => {
    const expected = days.split(" ").map((day) => `${year}-${day.slice(0, 2)}-${day.slice(2)}`);
    const actual = expected.map((_, index) =>
      directory.lastTradeDay(monthOf(root, year, index + monthsAhead)),
    );
    expect(actual).toEqual(expected);
  });

  const contractsNamed = single.flatMap(([roots, name, day]) =>
    roots.split(" ").map((root) => ({ root, name, day })),
  );

  test.each(contractsNamed)("$root $name: $day", ({ root, name, day }) => {
    const month = MONTH_CODES.indexOf(name.charAt(0)) + 1;
    expect(directory.lastTradeDay({ root, year: Number(name.slice(1)), month })).toBe(day);
  });
});

describe("where an exchange's rule meets a holiday of one of its two places", () => {
  test("the dollar index does not end on a holiday of the American banks", () => {
    expect(directory.lastTradeDay({ root: "DX", year: 2023, month: 6 })).toBe("2023-06-16");
  });

  test("bitcoin ends on Boxing Day, when only London is closed", () => {
    expect(directory.lastTradeDay({ root: "BTC", year: 2025, month: 12 })).toBe("2025-12-26");
    expect(directory.lastTradeDay({ root: "BTC", year: 2026, month: 12 })).toBe("2026-12-24");
  });
});

function monthOf(root: string, year: number, monthIndex: number): Contract {
  return { root, year: year + Math.floor(monthIndex / 12), month: (monthIndex % 12) + 1 };
}
