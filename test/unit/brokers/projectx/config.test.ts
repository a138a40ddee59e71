import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "vitest";
import { PROJECTX_SECRETS, ProjectXSettings } from "../../../../src/brokers/projectx/config.ts";
import {
  FIRM_NAMES,
  firmLabel,
  FIRMS,
  hostsOf,
  type ProjectXFirm,
} from "../../../../src/brokers/projectx/firms.ts";

const GIVEN = { firm: "topstep", userName: "trader7", apiKey: "key" } as const;
const isRight = (more: object) => Value.Check(ProjectXSettings, { ...GIVEN, ...more });
const FIRM_LIST: readonly (readonly [string, ProjectXFirm])[] = Object.entries(FIRMS);

describe("firms at ProjectX", () => {
  test.each(FIRM_LIST)("%s is at ProjectX' or Topstep's own addresses", (_, { api, rtc }) => {
    const [, host = ""] = /^https:\/\/api\.(.+)$/.exec(api) ?? [];
    expect(host).toMatch(/^(topstepx|[a-z0-9]+\.projectx)\.com$/);
    expect(rtc).toBe(`https://rtc.${host}`);
  });

  test("no two are at one address, and each is dated", () => {
    const firms = FIRM_LIST.map(([, firm]) => firm);
    expect(new Set(firms.map(({ api }) => api)).size).toBe(firms.length);
    expect(firms.filter(({ asOf }) => !/^2026-\d\d-\d\d$/.test(asOf))).toEqual([]);
  });

  test("only Topstep's are by ProjectX' own documents, and it comes first", () => {
    expect(FIRM_LIST.filter(([, { grade }]) => grade === "OFF").map(([name]) => name)).toEqual([
      "topstep",
    ]);
    expect(FIRM_NAMES[0]).toBe("topstep");
  });

  test("one that ProjectX has given notice to is called so where it is chosen", () => {
    expect(firmLabel("topstep")).toBe("Topstep (TopstepX)");
    expect(firmLabel("e8")).toBe("E8 (ProjectX: until 2026-02-28)");
  });
});

describe("the settings of a ProjectX connection", () => {
  test("are a firm, a user and a key, and no more is needed", () => {
    expect(isRight({})).toBe(true);
    expect(PROJECTX_SECRETS).toEqual(["apiKey"]);
    for (const name of ["firm", "userName", "apiKey"]) expect(isRight({ [name]: "" })).toBe(false);
  });

  test.each([
    [{ firm: "toString" }],
    [{ firm: "TOPSTEP" }],
    [{ userName: "x".repeat(129) }],
    [{ apiKey: "x".repeat(513) }],
    [{ marketData: "yes" }],
    [{ restUrl: "http://api.topstepx.com" }],
    [{ restUrl: "https://api.topstepx.com" }],
    [{ restUrl: "http://127.0.0.1.evil.example" }],
    [{ restUrl: "http://localhost@evil.example" }],
    [{ rtcUrl: "http://10.0.0.1:1" }],
    [{ rtcUrl: "ws://127.0.0.1:1" }],
    [{ environment: "live" }],
  ])("%j is refused", (more) => {
    expect(isRight(more)).toBe(false);
  });

  test("a login goes to its own firm, and nowhere else", () => {
    for (const firm of FIRM_NAMES) expect(hostsOf({ ...GIVEN, firm })).toEqual(FIRMS[firm]);
    expect(hostsOf(GIVEN)).toMatchObject({
      api: "https://api.topstepx.com",
      rtc: "https://rtc.topstepx.com",
    });
  });

  test("a look-alike has both where it names one of them, on this machine alone", () => {
    const [restUrl, rtcUrl] = ["http://127.0.0.1:7100", "http://[::1]:7101"];
    expect(isRight({ restUrl, rtcUrl })).toBe(true);
    expect(hostsOf({ ...GIVEN, restUrl, rtcUrl })).toEqual({ api: restUrl, rtc: rtcUrl });
    expect(hostsOf({ ...GIVEN, restUrl })).toEqual({ api: restUrl, rtc: restUrl });
    expect(hostsOf({ ...GIVEN, rtcUrl })).toEqual({ api: rtcUrl, rtc: rtcUrl });
    for (const elsewhere of [{ restUrl: "http://10.0.0.1" }, { rtcUrl: "http://evil.example" }]) {
      expect(() => hostsOf({ ...GIVEN, restUrl, rtcUrl, ...elsewhere })).toThrow(/this machine/);
    }
  });
});
