// The goal: an order of a risk instead of a quantity is as large as that risk allows, by every way in, and
// never larger. The method: one gateway whose prices are in our hand; an account of its own for each case.
import { beforeAll, describe, expect, test } from "vitest";
import {
  answered,
  BID,
  codeOf,
  ES,
  type GuardedAccount,
  GuardSite,
  RULES,
} from "../support/guarded-account.ts";
import { postAlert } from "../support/http-client.ts";

let site: GuardSite;

beforeAll(async () => {
  site = await GuardSite.open();
  // A price that is stale sizes nothing.
  const leave = site.gateway.keepQuoting(ES, BID);
  return async () => {
    leave();
    await site.gateway.stop();
  };
});

/** A tick of ES is 12.50 USD. */
const stop = (ticks: number) => ({ bracket: { stopLoss: { ticks } } });
const stopAt = (ticks: number) => ({ bracket: { stopLoss: { price: ticks / 4 } } });
const heldBy = async (account: GuardedAccount) => Object.values(await account.held());
const order = async (account: GuardedAccount, asked: object) =>
  await account.order({ action: "buy", qty: undefined, ...asked });

describe("a risk in money", () => {
  test("of 500 with 24 ticks is one contract, which is told", async () => {
    const account = site.account();
    const placed = answered(201, await order(account, { size: { risk: 500 }, ...stop(24) }));
    expect(placed).toMatchObject({ qty: 1, filledQty: 1, status: "filled" });
    expect(placed.problems).toBeUndefined();
    const { intentId } = placed;
    const { body } = await site.gateway.api.get(`${account.path}/intents/${intentId}`);
    expect(body.order).toMatchObject({ qty: 1, size: { risk: "500" } });
  });

  test("of 500 with 50 ticks is refused, and min sends it", async () => {
    const account = site.account();
    const refused = await order(account, { size: { risk: 500 }, ...stop(50) });
    expect(codeOf(refused)).toBe("422 RISK_TOO_SMALL");
    expect(refused.body.error.message).toContain("loses 625.00 USD at its stop-loss");
    expect(await heldBy(account)).toEqual([]);
    const { intentId } = refused.body.error;
    const { body } = await site.gateway.api.get(`${account.path}/intents/${intentId}`);
    expect(body.order).toMatchObject({ qty: null, size: { risk: "500" } });

    const placed = answered(
      201,
      await order(account, { size: { risk: 500, min: 1 }, ...stop(50) }),
    );
    expect(placed).toMatchObject({ qty: 1, problems: [expect.stringContaining("1 at least")] });
  });

  test("is counted from a fresh price of what nobody watched, and from the limit of what rests", async () => {
    const account = site.account();
    // Bought at BID + 1 or more.
    const placed = answered(
      201,
      await order(account, { size: { risk: "1000" }, ...stopAt(BID - 40) }),
    );
    expect(placed.qty).toBe(1);
    const limit = { type: "limit", limitPrice: (BID - 100) / 4 };
    const rests = answered(
      201,
      await order(account, { size: { risk: "1000" }, ...limit, ...stopAt(BID - 120) }),
    );
    expect(rests).toMatchObject({ status: "working", qty: 4 });
    expect(await account.working()).toContainEqual(expect.objectContaining({ orderQty: 4 }));
  });

  test.each([
    ["neither", {}, "qty"],
    ["both", { qty: 1, size: { risk: 500 } }, "qty"],
    ["two risks", { size: { risk: 500, riskPercent: 1 } }, "size"],
    ["no risk", { size: { min: 1 } }, "size"],
    ["nothing to lose", { size: { risk: 0 } }, "size"],
    ["a name that is not known", { size: { risk: 5, most: 1 } }, "size"],
  ])("%s is not valid", async (_, asked, path) => {
    const refused = await order(site.account(), { ...asked, ...stop(24) });
    expect(codeOf(refused)).toBe("400 VALIDATION_FAILED");
    const paths = refused.body.error.details.map((one: { path: string }) => one.path);
    expect(paths.some((one: string) => one.startsWith(path))).toBe(true);
  });

  test("needs a stop-loss", async () => {
    expect(codeOf(await order(site.account(), { size: { risk: 500 } }))).toBe(
      "400 VALIDATION_FAILED",
    );
  });
});

test("a percentage is of what the account is worth", async () => {
  const account = site.account();
  // It begins with 50,000: 1.5 percent of that are 750.
  const placed = answered(201, await order(account, { size: { riskPercent: "1.5" }, ...stop(24) }));
  expect(placed.qty).toBe(2);
  expect(await heldBy(account)).toEqual([2]);
});

describe("what stands in its way", () => {
  test("a guard of lots makes it smaller, and it is told", async () => {
    const account = site.account();
    await account.guard([RULES.lots({ max: 3 })]);
    const placed = answered(201, await order(account, { size: { risk: 3_000 }, ...stop(24) }));
    expect(placed).toMatchObject({ qty: 3 });
    expect(placed.problems[0]).toMatch(/Of 10 contracts .* only 3 go: All positions could grow/);
    expect(await heldBy(account)).toEqual([3]);
  });

  test("so does the room to a daily loss", async () => {
    const account = site.account();
    await account.guard([RULES.loss()]);
    const placed = answered(201, await order(account, { size: { risk: 3_000 }, ...stop(24) }));
    expect(placed).toMatchObject({ qty: 3 });
    expect(placed.problems[0]).toContain("1000.00 USD is left");
  });

  test("a lock refuses it as ever", async () => {
    const account = site.account();
    await account.guard([RULES.lots({ max: 0.5 })]);
    expect(codeOf(await order(account, { size: { risk: 3_000 }, ...stop(24) }))).toBe(
      "422 GUARD_REFUSED",
    );
  });
});

describe("the other side", () => {
  test("goes as a whole first, and only what opens is sized", async () => {
    const account = site.account();
    await account.trade("buy", 5);
    const placed = answered(
      201,
      await order(account, { action: "sell", size: { risk: 700 }, ...stop(24) }),
    );
    expect(placed).toMatchObject({ qty: 2, closed: [{ qty: 5, side: "long" }] });
    expect(await heldBy(account)).toEqual([-2]);
  });

  test("goes although the risk is too small for what was to follow", async () => {
    const account = site.account();
    await account.trade("buy", 5);
    const placed = answered(
      201,
      await order(account, { action: "sell", size: { risk: 7 }, ...stop(24) }),
    );
    expect(placed.problems[0]).toContain("The order was not placed");
    expect(await heldBy(account)).toEqual([]);
  });
});

describe("an alert", () => {
  const buy = { action: "buy", symbol: "ES1!", stopLoss: { ticks: 24 } };

  test("is sized by its risk, whatever its price says", async () => {
    const account = site.account();
    const { status, body } = await account.alert({ ...buy, risk: "700", close: "1" });
    expect([status, body.qty]).toEqual([200, 2]);
    expect(await heldBy(account)).toEqual([2]);
  });

  test("turns around into what its risk allows", async () => {
    const account = site.account();
    await account.trade("sell", 3);
    const { body } = await account.alert({ ...buy, action: "reverse", risk: 700 });
    expect(body.order).toMatchObject({ action: "buy", qty: 2 });
    expect(await heldBy(account)).toEqual([2]);
  });

  test("of a dry run says the quantity", async () => {
    const account = site.account();
    const { body } = await account.alert({ ...buy, size: { risk: 700 }, test: true });
    expect(body.wouldDo).toMatchObject([{ step: "order", order: { qty: 2 } }]);
    expect(await heldBy(account)).toEqual([]);
  });

  test("closes whatever it says of risk", async () => {
    const account = site.account();
    await account.trade("buy", 2);
    const { status } = await account.alert({ action: "close", symbol: "ES1!", risk: 700 });
    expect(status).toBe(200);
    expect(await heldBy(account)).toEqual([]);
  });

  test("has its risk multiplied by its webhook", async () => {
    const account = site.account();
    const options = { accountId: account.id, multiplier: "0.5" };
    const { url } = answered(201, await site.gateway.api.post("/v1/webhooks", options));
    const { body } = await postAlert(url, { ...buy, alertId: "half", risk: 1_400 });
    expect(body.qty).toBe(2);
  });

  test("without a quantity risks what its webhook says, and needs a stop-loss then", async () => {
    const account = site.account();
    const options = { accountId: account.id, riskMoney: "700" };
    const { url } = answered(201, await site.gateway.api.post("/v1/webhooks", options));
    const { body } = await postAlert(url, { ...buy, alertId: "one" });
    expect(body.qty).toBe(2);
    const bare = await postAlert(url, { action: "buy", symbol: "ES1!", alertId: "two" });
    expect(codeOf(bare)).toBe("400 VALIDATION_FAILED");
    const both = { ...options, riskPercent: "1" };
    expect(codeOf(await site.gateway.api.post("/v1/webhooks", both))).toBe("400 VALIDATION_FAILED");
    expect(await heldBy(account)).toEqual([2]);
  });
});
