import { describe, expect, test } from "vitest";
import { GatewayError } from "../../../../src/errors.ts";
import { asTest, isExit } from "../../../../src/http/alerts/delivery.ts";
import { readAlerts } from "../../../../src/http/alerts/read-alerts.ts";
import { delivery, NOW, withOptions } from "../../trading/alerts/alerts-kit.ts";

const buyOne = '{"action":"buy","symbol":"ES1!","qty":1}';

describe("what the alert log keeps of a body", () => {
  test("the first 4,096 characters, and how many bytes it was", () => {
    const long = `{"action":"buy","comment":"${"💥x".repeat(4_000)}"}`;
    const { body, bodyBytes } = delivery(long);
    expect(body).toBe(long.slice(0, 4_096));
    expect(bodyBytes).toBe(Buffer.byteLength(long));
    expect(delivery(buyOne)).toMatchObject({ body: buyOne, bodyBytes: buyOne.length });
    expect(delivery("")).toMatchObject({ body: "", bodyBytes: 0 });
  });

  test.each([
    ['{"comment":"', '","token":"', '"}'],
    ["comment=", ";token=", ";qty=1"],
    ["comment=", "\npassphrase=", "\nqty=1"],
    ["comment=", "&token=", "&qty=1"],
    ["payload=%7B%22comment%22%3A%22", "%22%2C%22token%22%3A%22", "%22%7D"],
  ])("%s…: nothing of a secret, wherever the cut falls in it", (start, name, end) => {
    const secret = "QZX-1357".repeat(8);
    for (let before = 4_096 - 120; before <= 4_096; before += 1) {
      const filler = "a ".repeat(before).slice(0, before - start.length);
      const { body } = delivery(`${start}${filler}${name}${secret}${end}`);
      expect(body.length).toBeLessThanOrEqual(4_096);
      expect({ before, end: body.slice(-150), found: /QZX|1357/.test(body) }).toMatchObject({
        found: false,
      });
    }
  });
});

describe("a fingerprint", () => {
  const of = (body: string) => delivery(body).fingerprint;

  test("is the same for the same body, whatever space is around it", () => {
    for (const same of [`${buyOne}\n`, `${buyOne}\r\n`, ` \t${buyOne} `]) {
      expect(of(same)).toBe(of(buyOne));
    }
  });

  test("is another one for any other body, beyond what the log keeps too", () => {
    const long = `{"comment":"${"x".repeat(6_000)}`;
    const others = [
      buyOne.replace("1}", "2}"),
      buyOne.replace(":", ": "),
      `${long}1"}`,
      `${long}2"}`,
    ];
    expect(new Set([buyOne, ...others].map(of)).size).toBe(5);
  });
});

describe("a delivery", () => {
  test("says when and where it came from, and what it is refused with", () => {
    const refusal = new GatewayError("RATE_LIMITED", "too many");
    expect(delivery(buyOne, { refusal })).toMatchObject({
      receivedAt: NOW,
      requestId: "r_1",
      sender: "192.0.2.1",
      refusal,
    });
    expect(delivery(buyOne)).not.toHaveProperty("refusal");
    expect(delivery(buyOne, { sender: undefined }).sender).toBe("unknown");
  });

  test("is read in the words of its webhook's profile, by its options, and only when asked", () => {
    const webhook = withOptions({ profile: "traderspost", defaultQty: 3 });
    const foreign = '{"ticker":"ES","action":"buy"}';
    const [alert] = delivery(foreign, { webhook }).read().alerts;
    expect(alert?.request).toMatchObject({ symbol: "ES", aim: { to: "enter", qty: 3 } });
    const unreadable = delivery(foreign);
    expect(() => unreadable.read()).toThrow(GatewayError);
  });

  test("as a test reads every alert of it as one", () => {
    const { read, ...rest } = asTest(delivery(`[${buyOne},{"action":"flatten","test":"no"}]`));
    expect(rest).toMatchObject({ receivedAt: NOW, sender: "192.0.2.1" });
    expect(read()).toMatchObject({ isArray: true, alerts: [{ test: true }, { test: true }] });
  });
});

const areExits = (body: object, profile?: "traderspost" | "position") =>
  readAlerts(JSON.stringify(body), profile === undefined ? {} : { profile }).alerts.map(isExit);

describe("an alert is an exit by its words alone", () => {
  test.each([
    [{ action: "close" }, true],
    [{ action: "flatten", symbol: "ES" }, true],
    [{ action: "cancel" }, true],
    [{ action: "cancel", symbol: "ES" }, true],
    [{ action: "close", symbol: "ES", qty: 1 }, true],
    [{ position: 0, symbol: "ES" }, true],
    [{ position: 1, symbol: "ES" }, false],
    [{ position: -1, symbol: "ES" }, false],
    [{ action: "reverse", symbol: "ES" }, false],
    [{ action: "buy", symbol: "ES", qty: 1 }, false],
    [{ action: "sell", symbol: "ES", qty: 1, type: "limit", limitPrice: 9000 }, false],
    [{ action: "close", test: true }, false],
  ])("%j: %s", (body, expected) => {
    expect(areExits(body)).toEqual([expected]);
  });

  test("in another service's words, too", () => {
    expect(areExits({ ticker: "ES", action: "exit" }, "traderspost")).toEqual([true]);
    expect(areExits({ ticker: "ES", action: "buy", quantity: 1 }, "traderspost")).toEqual([false]);
  });
});
