import { describe, expect, test } from "vitest";
import {
  ALERT_PROFILES,
  type AlertProfile,
} from "../../../../src/domain/declared/webhook-options.ts";
import { readWithProfile } from "./read-with-profile.ts";

const ENTRY: Readonly<Record<AlertProfile, object>> = {
  native: { action: "buy", symbol: "ES1!", qty: 1 },
  traderspost: { ticker: "ES1!", action: "buy", quantity: 1 },
  crosstrade: { command: "PLACE", instrument: "ES1!", action: "BUY", qty: 1, order_type: "MARKET" },
  pickmytrade: { symbol: "ES1!", data: "buy", quantity: 1 },
  position: { symbol: "ES1!", market_position: "long", market_position_size: 1 },
};

const EXIT: Readonly<Record<AlertProfile, object>> = {
  native: { action: "close", symbol: "ES1!" },
  traderspost: { ticker: "ES1!", action: "exit" },
  crosstrade: { command: "CLOSEPOSITION", instrument: "ES1!" },
  pickmytrade: { symbol: "ES1!", data: "close" },
  position: { symbol: "ES1!", market_position: "flat" },
};

const FIRED = "2026-09-21T14:30:07Z";
const AT = Date.parse(FIRED);
const DAY_MS = 86_400_000;

const firedAt = (profile: AlertProfile, said: object): number | undefined =>
  readWithProfile(profile).read({ ...ENTRY[profile], ...said }).firedAt;

describe.each(ALERT_PROFILES)("in the words of %s", (profile) => {
  test.each(["firedAt", "timenow", "TimeNow"])(
    "%s is when it fired, also at a full minute",
    (name) => {
      expect(firedAt(profile, { [name]: FIRED })).toBe(AT);
      const full = "2026-09-21T14:30:00Z";
      expect(firedAt(profile, { [name]: full })).toBe(Date.parse(full));
    },
  );

  test.each(["bar_time", "interval"])("%s is not", (name) => {
    expect(firedAt(profile, { [name]: FIRED })).toBeUndefined();
  });

  test.each(["now", "2026-09-21T14:30:07", 20_260_921, 0, -5, true])(
    "a timenow of %j asks for nothing",
    (timenow) => {
      const { firedAt: at, unread } = readWithProfile(profile).read({ ...ENTRY[profile], timenow });
      expect([at, unread]).toEqual([undefined, ["timenow"]]);
    },
  );

  test.each(["maxAgeSeconds", "firedAt"])("an unreadable %s holds no way out back", (name) => {
    const { read } = readWithProfile(profile);
    expect(() => read({ ...ENTRY[profile], [name]: "soon" })).toThrow(new RegExp(name));
    const { unread, firedAt: at, maxAgeMs } = read({ ...EXIT[profile], [name]: "soon" });
    expect([unread, at, maxAgeMs]).toEqual([[name], undefined, undefined]);
  });
});

describe("a dialect's own time", () => {
  const OWN = [
    ["traderspost", "time"],
    ["pickmytrade", "date"],
    ["position", "timestamp"],
    ["position", "trigger_time"],
  ] as const;

  test.each(OWN)("of %s is %s", (profile, name) => {
    expect(firedAt(profile, { [name]: FIRED })).toBe(AT);
    expect(firedAt(profile, { [name]: FIRED, timenow: "2026-09-21T14:30:09Z" })).toBe(AT + 2_000);
  });

  test.each(OWN)("of %s in %s may be the opening of a bar of up to a day", (profile, name) => {
    const opened = "2026-09-21T14:30:00Z";
    expect(firedAt(profile, { [name]: opened })).toBe(Date.parse(opened) + DAY_MS);
  });

  test.each([
    ["native", "time"],
    ["crosstrade", "time"],
    ["position", "time"],
  ] as const)("is not what %s calls %s: people write the bar's opening there", (profile, name) => {
    expect(firedAt(profile, { [name]: FIRED })).toBeUndefined();
  });
});
