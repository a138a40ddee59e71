import { expect, test } from "vitest";
import type { ReadAlert } from "../../../../src/domain/alert.ts";
import type { AlertProfile } from "../../../../src/domain/declared/webhook-options.ts";
import { readOutcome } from "./read-outcome.ts";

type Body = Readonly<Record<string, unknown>>;

const read = (profile: AlertProfile, body: Body | string) =>
  readOutcome(typeof body === "string" ? body : JSON.stringify(body), { profile });

const CLOSING: readonly (readonly [word: string, holding: "LONG" | "SHORT"])[] = [
  ["close_long", "LONG"],
  ["closelong", "LONG"],
  ["Close Long", "LONG"],
  ["exit_long", "LONG"],
  ["exitLong", "LONG"],
  ["long_exit", "LONG"],
  ["long-close", "LONG"],
  ["sell_to_close", "LONG"],
  ["close_short", "SHORT"],
  ["exit-short", "SHORT"],
  ["short_exit", "SHORT"],
  ["buy_to_cover", "SHORT"],
];

const BODY_OF: Readonly<Record<AlertProfile, (word: string) => Body>> = {
  native: (action) => ({ action, symbol: "ES1!" }),
  traderspost: (action) => ({ action, ticker: "ES1!" }),
  crosstrade: (command) => ({ command, instrument: "ES1!" }),
  pickmytrade: (data) => ({ data, symbol: "ES1!" }),
  position: (action) => ({ action, tv_instrument: "ES1!", bot_uuid: "b-1" }),
};

test.each(
  CLOSING.flatMap(([word, holding]) =>
    (Object.keys(BODY_OF) as AlertProfile[]).map((profile) => [profile, word, holding] as const),
  ),
)("%s: %s takes out what is %s, and nothing else", (profile, word, holding) => {
  expect(read(profile, BODY_OF[profile](word))).toMatchObject({
    request: {
      kind: "adjust",
      symbol: "ES1!",
      aim: { to: "close", percent: 100, holding },
      terms: { ordType: "MARKET" },
    },
  });
});

test.each([
  ["exitlong", "LONG"],
  ["short_exit", "SHORT"],
  ["closelong", "LONG"],
])("the comma form: %s", (command, holding) => {
  expect(read("native", `LICENCE1,${command},ES1!`)).toMatchObject({
    request: { kind: "adjust", aim: { to: "close", percent: 100, holding } },
  });
});

test.each([
  ["traderspost", "exit_long", true],
  ["crosstrade", "close_long", true],
  ["pickmytrade", "close_long", true],
  ["native", "close_long", undefined],
] as const)("%s: all of a side by %s takes back what rests: %s", (profile, word, cancelFirst) => {
  const { request } = read(profile, BODY_OF[profile](word)) as ReadAlert;
  expect(request).toHaveProperty("kind", "adjust");
  expect("cancelFirst" in request ? request.cancelFirst : undefined).toBe(cancelFirst);
});

test.each([
  ["traderspost", { quantity: 2 }],
  ["traderspost", { cancel: false }],
  ["crosstrade", { percent: 0.25 }],
  ["pickmytrade", { full_closed: false, quantity: 1 }],
] as const)("%s: a part of it, or as the message says, does not: %j", (profile, more) => {
  const outcome = read(profile, { ...BODY_OF[profile]("close_long"), ...more });
  expect(outcome).toHaveProperty("request.aim.holding", "LONG");
  expect(outcome).not.toHaveProperty("request.cancelFirst");
});

test("with a quantity or a share only that part goes", () => {
  const close = { action: "close_long", symbol: "ES1!" };
  expect(read("native", { ...close, qty: 2 })).toMatchObject({
    request: { aim: { to: "close", qty: 2, holding: "LONG" } },
  });
  expect(read("native", { ...close, percent: 50 })).toMatchObject({
    request: { aim: { to: "close", percent: 50, holding: "LONG" } },
  });
  const exit = { action: "exit_short", ticker: "ES1!", quantity: 2 };
  expect(read("traderspost", exit)).toMatchObject({
    request: { aim: { to: "close", qty: 2, holding: "SHORT" } },
  });
  const part = { data: "close_long", symbol: "ES1!", full_closed: false, quantity: 3 };
  expect(read("pickmytrade", part)).toMatchObject({
    request: { aim: { to: "close", qty: 3, holding: "LONG" } },
  });
  const quarter = { command: "close_short", instrument: "ES1!", percent: 0.25 };
  expect(read("crosstrade", quarter)).toMatchObject({
    request: { aim: { to: "close", percent: 25, holding: "SHORT" } },
  });
});

test("a symbol is needed, and a position that is said decides", () => {
  expect(read("native", { action: "close_long" })).toEqual({ symbol: "is needed" });
  const said = { ...BODY_OF.position("exit_long"), market_position: "short", position_size: -1 };
  expect(read("position", said)).toMatchObject({
    request: { aim: { to: "position", netQty: -1 } },
  });
});

test.each([
  "long",
  "enter_long",
  "closelongopenshort",
  "close_long_short",
  "longshort",
  "exit_all",
])("%s is none of them", (action) => {
  expect(read("native", { action, symbol: "ES1!" })).toHaveProperty("action");
});
