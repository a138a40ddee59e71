import { describe, expect, test } from "vitest";
import {
  ALERT_PROFILES,
  type AlertProfile,
} from "../../../../src/domain/declared/webhook-options.ts";
import { maySaySomething } from "../../../../src/http/alerts/meant-words.ts";
import { readOutcome, wasRead } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

/** A plain entry in each dialect. */
const ENTRY: Readonly<Record<AlertProfile, Body>> = {
  native: { action: "buy", symbol: "ES1!", qty: 1 },
  traderspost: { action: "buy", ticker: "ES1!", quantity: 1 },
  crosstrade: {
    command: "PLACE",
    action: "BUY",
    instrument: "ES1!",
    qty: "1",
    order_type: "MARKET",
    tif: "DAY",
  },
  pickmytrade: { data: "buy", symbol: "ES1!", quantity: 1 },
  position: { symbol: "ES1!", market_position: "long", market_position_size: 1 },
};

/** Each asks for something that an order without it does not do. */
const MEANT = `
  stopLossTicks stopPx dryRun reduceOnly trailingStop breakeven stopLossPercent slPrice stop
  takeProfit2 tp1 targets delay riskPercent closePosition accountId dry_run expiry
  StopLossPrice stop_loss_ticks tpPercent maxSlippage sl2 hedge enabled
`
  .trim()
  .split(/\s+/);

const read = (profile: AlertProfile, body: Body | string, allowedExtraFields?: readonly string[]) =>
  readOutcome(typeof body === "string" ? body : JSON.stringify(body), {
    profile,
    ...(allowedExtraFields !== undefined && { allowedExtraFields }),
  });

describe.each(ALERT_PROFILES)("an entry in the words of %s", (profile) => {
  const entry = ENTRY[profile];

  test("is read, and names what charting platforms send beside it", () => {
    const chart = { bar_time: "2026-11-22T14:30:00Z", close: "27400.5", high: 27_401, plot_0: 1 };
    const outcome = read(profile, { ...entry, ...chart, comment: "Long" });
    expect(wasRead(outcome)).toBe(true);
    expect(outcome).toMatchObject({
      unread: expect.arrayContaining(["bar_time", "close", "plot_0"]),
    });
  });

  test.each(MEANT)("is refused with %s, which is named", (name) => {
    const outcome = read(profile, { ...entry, [name]: 5 });
    // An entry at the market rests for no time that could be up: there it is named as unread.
    const { unread = [] } = outcome as { unread?: readonly string[] };
    const named =
      name === "cancelAfter" ? [...Object.keys(outcome), ...unread] : Object.keys(outcome);
    expect(named).toContain(name);
  });

  test("is refused with an unknown word that says no: it may be what holds the order back", () => {
    expect(read(profile, { ...entry, enabled: false })).toHaveProperty("enabled");
  });

  test("takes a remark only as a plain value, and what holds remarks as it is", () => {
    const nested = { note: { stopLoss: 5 } };
    expect(read(profile, { ...entry, ...nested })).toHaveProperty("note");
    expect(read(profile, { ...entry, extras: { stopLoss: 5 } })).toHaveProperty("unread");
  });

  test("takes the names that its webhook allows, in any case", () => {
    const outcome = read(profile, { ...entry, RSI: 71, mood: "calm" }, ["rsi"]);
    expect(Object.keys(outcome)).toEqual(["mood"]);
    expect(read(profile, { ...entry, RSI: 71 }, ["rsi"])).toMatchObject({
      unread: expect.arrayContaining(["RSI"]),
    });
  });
});

describe("the word that was meant is named", () => {
  test.each([
    ["stopLossTicks", "stopLoss: {ticks: …}"],
    ["stop_loss", "stopLoss"],
    ["StopLos", "stopLoss"],
    ["stopPx", "stopPrice"],
    ["limitPrce", "limitPrice"],
    ["dryRun", '"test": true'],
    ["reduceOnly", '"action": "reduce"'],
    ["trailingStop", "trailOffset"],
    ["takeProfit2", "takeProfit"],
    ["tp1", "takeProfit"],
    ["expires", "maxAgeSeconds"],
    ["timeInForc", "timeInForce"],
    // An order that trails would open a position and protect none.
    ["trailing_stop", "an exitPlan with trailing"],
    ["trail", "an exitPlan with trailing"],
    // The native close is of the whole account.
    ["closePosition", '"action": "close_long" or "close_short"'],
  ])("%s: %s", (name, meant) => {
    const outcome = read("native", { ...ENTRY.native, [name]: 5 }) as Record<string, string>;
    expect(outcome[name]).toContain(meant);
  });
});

test.each<readonly [AlertProfile, string, string]>([
  ["traderspost", "stopLossTicks", "write stopLoss: {stopPrice, amount or percent}"],
  ["traderspost", "trailing_stop", 'write stopLoss: {type: "trailing_stop", trailAmount'],
  ["traderspost", "reduceOnly", 'write "action": "exit"'],
  ["traderspost", "leverage", "write quantity, in contracts"],
  ["crosstrade", "stopLossTicks", "write stop_loss"],
  ["crosstrade", "profitTarget", "write take_profit"],
  ["pickmytrade", "stopLossPrice", "write sl"],
  ["position", "stopLossTicks", "write stopLoss: {ticks: …}"],
])("in the words of %s %s is %s", (profile, name, meant) => {
  const outcome = read(profile, { ...ENTRY[profile], [name]: 5 }) as Record<string, string>;
  expect(outcome[name]).toContain(meant);
});

test("a word with a meaning of its own is not taken for one that looks like it", () => {
  for (const name of ["side", "active", "amount"]) {
    const outcome = read("native", { ...ENTRY.native, [name]: "x" }) as Record<string, string>;
    expect(outcome[name]).toContain("leave it out");
  }
  const outcome = read("native", { ...ENTRY.native, reduceOnly: true }) as Record<string, string>;
  expect(outcome["reduceOnly"]).not.toContain("close");
});

test.each([
  [{ ...ENTRY.native, stopLoss: { ticks: 4, mood: 1 } }, "stopLoss.mood"],
  [{ ...ENTRY.native, bracket: { stopLoss: { ticks: 4 }, time: 1 } }, "bracket.time"],
  [{ ...ENTRY.traderspost, stopLoss: { amount: 4, mood: 1 } }, "stopLoss.mood"],
  [{ ...ENTRY.position, strategy: { stopLossTicks: 4 } }, "strategy.stopLossTicks"],
])("an unknown word is refused however deep it stands: %j", (body, path) => {
  const profile = "ticker" in body ? "traderspost" : "strategy" in body ? "position" : "native";
  expect(read(profile, body)).toHaveProperty([path]);
});

test("so are those of name=value lines", () => {
  expect(read("native", "action=buy; symbol=ES1!; qty=1; stopLossTicks=4")).toHaveProperty(
    "stopLossTicks",
  );
  expect(read("native", "LICENSE1,buy,ES1!,vol_lots=1,mood=1")).toHaveProperty("mood");
});

describe("what only takes out or cancels", () => {
  const EXITS: readonly (readonly [AlertProfile, Body])[] = [
    ["native", { action: "close" }],
    ["native", { action: "reduce", symbol: "ES1!", percent: 50 }],
    ["native", { action: "cancel", symbol: "ES1!" }],
    ["native", { position: 0, symbol: "ES1!" }],
    ["traderspost", { action: "exit", ticker: "ES1!" }],
    ["crosstrade", { command: "CLOSEPOSITION", instrument: "ES1!" }],
    ["pickmytrade", { data: "close", symbol: "ES1!" }],
    ["position", { symbol: "ES1!", market_position: "flat" }],
  ];

  test.each(EXITS)("is not stopped by a word that nobody knows: %s %j", (profile, exit) => {
    const outcome = read(profile, { ...exit, mood: "calm", stopLossTicks: 5 });
    expect(outcome).toMatchObject({ unread: ["mood", "stopLossTicks"] });
  });

  test.each(EXITS)(
    "is not stopped by a word that says no, or that it is one: %s %j",
    (profile, exit) => {
      const said = { dryRun: false, sizeHeld: "0", size_left: 0, reduceOnly: true };
      expect(read(profile, { ...exit, ...said })).toMatchObject({ unread: Object.keys(said) });
      expect(read(profile, { ...exit, enabled: false })).toHaveProperty("enabled");
      expect(read(profile, { ...exit, reduceOnly: 1, onlyLots: "1" })).not.toHaveProperty("unread");
    },
  );

  test.each(EXITS)("is never made wider than was meant: %s %j", (profile, exit) => {
    for (const name of ["qtyToClose", "lots", "onlySymbol", "dryRun", "side_held", "accountId"]) {
      expect(Object.keys(read(profile, { ...exit, [name]: 1 }))).toEqual([name]);
    }
  });
});

test("what charting platforms tell of the position stops no close", () => {
  const told = { market_position: "flat", market_position_size: "0", position_size: 0 };
  expect(read("native", { action: "close", ...told })).toHaveProperty("unread");
  expect(read("native", { action: "close", market_position: "long" })).toHaveProperty(
    "market_position",
  );
});

test("in an account's row, too, a close is not stopped, and what its webhook allows passes", () => {
  const row = (word: object) => ({ multiple_accounts: [{ account_id: "A1", ...word }] });
  const close = { data: "close", symbol: "ES1!" };
  expect(read("pickmytrade", { ...close, ...row({ mood: 1 }) })).toMatchObject({
    unread: expect.arrayContaining(["multiple_accounts.0.mood"]),
  });
  expect(read("pickmytrade", { ...close, ...row({ lots: 1 }) })).toHaveProperty([
    "multiple_accounts.0.lots",
  ]);
  const entry = { ...ENTRY.pickmytrade, ...row({ mood: 1 }) };
  expect(read("pickmytrade", entry)).toHaveProperty(["multiple_accounts.0.mood"]);
  expect(read("pickmytrade", entry, ["mood"])).toHaveProperty("unread");
});

test("a cancel is not widened from the one order that it names", () => {
  const one = { action: "cancel", symbol: "ES1!", order_id: "Long" };
  expect(read("native", one)).toHaveProperty("order_id");
  expect(read("native", { ...ENTRY.native, order_id: "Long" })).toHaveProperty("unread");
});

test("a protection is refused: fewer levels than were meant would take one away", () => {
  const protect = { action: "protect", symbol: "ES1!", takeProfit: { ticks: 4 } };
  expect(read("native", { ...protect, stopLossTicks: 4 })).toHaveProperty("stopLossTicks");
});

test("no name that may protect, limit or hold back can be allowed", () => {
  expect(MEANT.filter((name) => !maySaySomething(name))).toEqual(["maxSlippage"]);
  expect(["rsi", "confidence", "mood", "botName"].filter(maySaySomething)).toEqual([]);
});

test.each(ALERT_PROFILES)(
  "%s: an object that calls something toString is read or refused",
  (profile) => {
    const exit = { ...ENTRY[profile], action: "exit", data: "close" };
    for (const value of [{ toString: "buy" }, { valueOf: 1, toString: null }, [], [[]]]) {
      const body = { ...exit, duplicate_position_allow: value, reduceOnly: value };
      expect(() => read(profile, body)).not.toThrow(TypeError);
    }
  },
);
