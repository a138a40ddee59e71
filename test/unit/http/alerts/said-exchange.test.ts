import { describe, expect, test } from "vitest";
import {
  ALERT_PROFILES,
  type AlertProfile,
} from "../../../../src/domain/declared/webhook-options.ts";
import { EXCHANGES } from "../../../../src/http/alerts/read-symbol.ts";
import { readOutcome, wasRead } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

/** An entry, and a way out, in each dialect; of each the name of its symbol. */
const IN_WORDS: Readonly<Record<AlertProfile, readonly [entry: Body, exit: Body, symbol: string]>> =
  {
    native: [
      { action: "buy", symbol: "CL", qty: 1 },
      { action: "reduce", symbol: "CL", qty: 1 },
      "symbol",
    ],
    traderspost: [{ action: "buy", ticker: "CL" }, { action: "exit", ticker: "CL" }, "ticker"],
    crosstrade: [
      {
        command: "PLACE",
        action: "BUY",
        instrument: "CL",
        qty: 1,
        order_type: "MARKET",
        tif: "DAY",
      },
      { command: "CLOSEPOSITION", instrument: "CL" },
      "instrument",
    ],
    pickmytrade: [
      { data: "buy", symbol: "CL", quantity: 1 },
      { data: "close", symbol: "CL" },
      "symbol",
    ],
    position: [
      { symbol: "CL", market_position: "long", market_position_size: 1 },
      { symbol: "CL", market_position: "flat" },
      "symbol",
    ],
  };

function symbolIn(profile: AlertProfile, body: Body | string): string {
  const text = typeof body === "string" ? body : JSON.stringify(body);
  const outcome = readOutcome(text, { profile });
  if (!wasRead(outcome)) return JSON.stringify(outcome);
  const { request } = outcome;
  return (request.kind === "order" ? request.ticket.symbol : request.symbol) ?? "none";
}

describe.each(ALERT_PROFILES)("an exchange beside the symbol, in the words of %s,", (profile) => {
  const [entry, exit, name] = IN_WORDS[profile];
  const both = [entry, exit];

  test.each(EXCHANGES)("counts as %s", (field) => {
    for (const body of both) {
      expect(symbolIn(profile, { ...body, [field]: "NYSE" })).toBe("NYSE:CL");
    }
  });

  test.each([
    [{ Exchange: " nymex " }, "nymex:CL"],
    [{ exchange: "NYMEX", tv_exchange: "NYSE" }, "NYMEX:NYSE:CL"],
    [{ exchange: "NYMEX", tv_exchange: "NYMEX" }, "NYMEX:CL"],
    [{ exchange: "" }, "CL"],
    [{ exchange: null }, "CL"],
    [{ exchange: 5 }, "5:CL"],
    [{ exchange: { code: "NYSE" } }, '{"code" "NYSE"}:CL'],
    [{ exchange: "X".repeat(500) }, `${"X".repeat(32)}:CL`],
  ])("as %j makes it %s", (said, symbol) => {
    for (const body of both) expect(symbolIn(profile, { ...body, ...said })).toBe(symbol);
  });

  test.each([
    [{ [name]: "NYMEX:CL", exchange: "NYMEX" }, "NYMEX:CL"],
    [{ [name]: "NYMEX:CL", exchange: "NYSE" }, "NYSE:NYMEX:CL"],
    [{ [name]: '={"symbol":"NYMEX:CL1!","session":"extended"}' }, "NYMEX:CL1!"],
    [{ [name]: { symbol: "NYMEX:CL1!", session: "extended" } }, "NYMEX:CL1!"],
    [{ [name]: "\u200bCL1!\ufeff" }, "CL1!"],
  ])("or in it, as %j, makes it %s", (said, symbol) => {
    for (const body of both) expect(symbolIn(profile, { ...body, ...said })).toBe(symbol);
  });

  test("is named as unread where nothing names a symbol", () => {
    const outcome = readOutcome('{"action":"close","exchange":"NYSE"}', { profile: "native" });
    expect(outcome).toMatchObject({ request: { kind: "flatten" }, unread: ["exchange"] });
  });
});

test("an instrument's own form of a month keeps it", () => {
  const body = { command: "CLOSEPOSITION", instrument: "CL 01-27", exchange: "CME Group" };
  expect(symbolIn("crosstrade", body)).toBe("CME Group:CLF27");
});

test("the comma form takes it, too", () => {
  expect(symbolIn("native", "60123,buy,CL,vol_lots=1,exchange=NYSE")).toBe("NYSE:CL");
  expect(symbolIn("native", "60123,closelong,CL,exchange=NYSE")).toBe("NYSE:CL");
});

test("what cannot be seen in a word is left out of it, and named in what cannot be read", () => {
  const read = (text: string) => readOutcome(text, { profile: "native" });
  expect(read('{"act\u200bion":"b\u200buy\ufeff","symbol":"ES","qty":"\u00a01"}')).toMatchObject({
    request: { kind: "order", ticket: { symbol: "ES", side: "BUY", orderQty: 1 } },
  });
  expect(read('{"action":"buy\u202e","symbol":"ES","qty":1}')).toEqual({
    action: expect.stringMatching(
      /^must be one of .*; it holds the invisible character U\+202E as its character 4: delete it$/,
    ),
  });
  expect(read('{"action":"buy","symbol":"ES","qty":"1\u200b0"}')).toEqual({
    qty: expect.stringContaining(
      "it holds the invisible character U+200B as its character 2: delete it",
    ),
  });
  expect(read('{"action":"buy","symbol":"ES","qty":1,"\u202esl":5}')).toEqual({
    "<U+202E>sl": expect.stringContaining("is not a known field"),
  });
});

test.each(["text", "content"])("%s is a message of its sender's and asks for nothing", (name) => {
  const outcome = readOutcome(`{"action":"buy","symbol":"ES","qty":1,"${name}":"Long"}`, {});
  expect(outcome).toMatchObject({ unread: [name] });
});

test.each(["tests", "tesst", "testnet", "isTest", "paper", "dry_run"])(
  "%s is not advised to become a test without a word of what that is",
  (name) => {
    const outcome = readOutcome(`{"action":"buy","symbol":"ES","qty":1,"${name}":false}`, {});
    const [why] = Object.values(outcome as Readonly<Record<string, string>>);
    expect(why).toMatch(/else leave it out$|^is not a known field; leave it out/);
  },
);
