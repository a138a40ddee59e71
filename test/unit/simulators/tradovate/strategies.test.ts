import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { TestClient } from "./test-client.ts";

let client: TestClient;

beforeEach(async () => {
  client = await TestClient.start();
  await client.logIn();
  await client.quote(6_850);
});
afterEach(() => client.close());

describe("a strategy", () => {
  const start = (bracket: object | readonly object[], orderQty = 2) =>
    client.post("orderStrategy/startOrderStrategy", {
      symbol: "ESZ6",
      accountId: client.accountId,
      action: "Buy",
      orderStrategyTypeId: 2,
      params: JSON.stringify({
        entryVersion: { orderQty, orderType: "Limit", price: 6_840 },
        brackets: [bracket].flat(),
      }),
    });
  const whole = { qty: 2, profitTarget: 30, stopLoss: -30, trailingStop: false };

  test("as the official sample starts it is taken", async () => {
    expect(await start(whole)).toMatchObject({ orderStrategy: { status: "ActiveStrategy" } });
  });

  test.each([
    [
      "several brackets",
      [
        { ...whole, qty: 1 },
        { ...whole, qty: 1 },
      ],
      "one bracket",
    ],
    ["a bracket for a part of it", { ...whole, qty: 1 }, "the whole entry"],
    ["a trailing stop", { ...whole, trailingStop: true }, "no trailing stop"],
  ])("with %s is refused rather than protected otherwise", async (_what, bracket, words) => {
    const { errorText } = await start(bracket);
    expect(errorText).toContain(words);
    expect(await client.list("order")).toEqual([]);
  });

  test("that is interrupted ends all its orders", async () => {
    const { orderStrategy } = await start(whole);
    const { id } = orderStrategy as { id: number };
    const interrupt = () =>
      client.post("orderStrategy/interruptorderstrategy", { orderStrategyId: id });
    expect(await interrupt()).toMatchObject({ orderStrategy: { id, status: "StoppedByUser" } });
    const statuses = (await client.list("order")).map(({ ordStatus }) => ordStatus);
    expect(statuses).toEqual(["Canceled", "Canceled", "Canceled"]);
    expect(await interrupt()).toEqual({ errorText: "The strategy is over" });
  });

  test("of another user is left alone", async () => {
    const { orderStrategy } = await start(whole);
    await client.logIn("ann");
    const body = { orderStrategyId: (orderStrategy as { id: number }).id };
    const { status } = await client.request("POST", "orderStrategy/interruptorderstrategy", body);
    expect(status).toBe(401);
  });
});
