import { Value } from "@sinclair/typebox/value";
import { describe, expect, test } from "vitest";
import { TRADOVATE_SECRETS, TradovateSettings } from "../../../../src/brokers/tradovate/config.ts";
import { tradovateUrls } from "../../../../src/brokers/tradovate/urls.ts";

const GIVEN = { name: "trader", password: "secret", cid: "8", sec: "hidden" };

const settings = (more: object = {}) =>
  Value.Default(TradovateSettings, { ...GIVEN, ...more }) as TradovateSettings;

describe("the settings of a Tradovate connection", () => {
  test("what is left out is demo and this gateway's own name", () => {
    expect(settings()).toMatchObject({ environment: "demo", appId: "alert-gateway" });
    expect(Value.Check(TradovateSettings, settings())).toBe(true);
    expect(TRADOVATE_SECRETS).toEqual(["password", "sec"]);
  });

  test.each([
    [{ environment: "paper" }],
    [{ name: "" }],
    [{ cid: "abc" }],
    [{ password: "x".repeat(65) }],
    [{ restUrl: "http://tradovate.example/v1" }],
    [{ restUrl: "https://demo.tradovateapi.com/v1" }],
    [{ restUrl: "http://127.0.0.1.evil.example/v1" }],
    [{ restUrl: "http://localhost@evil.example/v1" }],
    [{ wsUrl: "ws://10.0.0.1:1/v1/websocket" }],
    [{ mdUrl: "wss://md.tradovateapi.com/v1/websocket" }],
    [{ marketData: "yes" }],
    [{ extra: true }],
  ])("%j is refused", (more) => {
    expect(Value.Check(TradovateSettings, settings(more))).toBe(false);
  });

  test("demo and live have hosts of their own", () => {
    expect(tradovateUrls(settings())).toEqual({
      rest: "https://demo.tradovateapi.com/v1",
      socket: "wss://demo.tradovateapi.com/v1/websocket",
      marketData: "wss://md-demo.tradovateapi.com/v1/websocket",
    });
    expect(tradovateUrls(settings({ environment: "live" }))).toMatchObject({
      rest: "https://live.tradovateapi.com/v1",
      marketData: "wss://md.tradovateapi.com/v1/websocket",
    });
  });

  test("a look-alike is on this machine, and has both addresses for orders", () => {
    const restUrl = "http://127.0.0.1:7100/v1/";
    const wsUrl = "ws://[::1]:7100/v1/websocket";
    expect(Value.Check(TradovateSettings, settings({ restUrl, wsUrl }))).toBe(true);
    const urls = tradovateUrls(settings({ restUrl, wsUrl }));
    expect(urls).toEqual({ rest: "http://127.0.0.1:7100/v1", socket: wsUrl });
    const mdUrl = "ws://127.0.0.1:7100/v1/md/websocket";
    expect(tradovateUrls(settings({ restUrl, wsUrl, mdUrl }))).toMatchObject({ marketData: mdUrl });
    expect(() => tradovateUrls(settings({ restUrl }))).toThrow(/together/);
    expect(() => tradovateUrls(settings({ mdUrl }))).toThrow(/together/);
    expect(() => tradovateUrls(settings({ restUrl, wsUrl, mdUrl: "ws://10.0.0.1/" }))).toThrow(
      /this machine/,
    );
    expect(() => tradovateUrls(settings({ restUrl, wsUrl: "ws://evil.example/" }))).toThrow(
      /this machine/,
    );
  });
});
