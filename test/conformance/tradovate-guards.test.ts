import { expect, test } from "vitest";
import type { BrokerGuards } from "../../src/trading/money/ports.ts";
import { BrokerReadError } from "../../src/trading/ports.ts";
import { waitUntil } from "../support/wait.ts";
import { accepted, REFUSED } from "./broker-under-test.ts";
import { tradovateCases, type TradovateCase } from "./tradovate-case.ts";

const { prepared, connected, logins, wire } = tradovateCases();

const read = ({ trader }: TradovateCase): Promise<BrokerGuards | undefined> => {
  if (trader.adapter.brokerGuards === undefined) throw new Error("The broker has guards");
  return trader.adapter.brokerGuards(trader.broker.account);
};

type Row = Readonly<Record<string, unknown>> | null;

/** What the account is held to from now on, and how it stands with that. */
const hold = async ({ broker, turn }: TradovateCase, settings: Row, status?: Row) =>
  await turn({
    knob: "risk",
    account: `${broker.user}-1`,
    settings,
    ...(status !== undefined && { status }),
  });

/** What was asked of both kinds by HTTP, by the user's own name. */
async function questions({ broker }: TradovateCase): Promise<readonly string[]> {
  const answers = (await wire()).filter(({ dir, user }) => dir === "out" && user === broker.user);
  const paths = answers.flatMap(({ path }) => path ?? []);
  return paths.filter((path) => /accountautoliq|accountriskstatus/i.test(path));
}

const DAY_MS = 24 * 3_600_000;

test("what the account is held to is read from the snapshot, and nothing is asked for it", async () => {
  const begunAt = Date.now();
  const given = await prepared();
  const flattenAt = begunAt + DAY_MS;
  const settings = {
    dailyLossAlert: 500,
    dailyLossLiqOnly: 750.5,
    dailyLossAutoLiq: 1_000,
    dailyLossPercentageAutoLiq: 4,
    marginPercentageAlert: 80,
    weeklyLossAutoLiq: 2_500,
    dailyProfitAutoLiq: 1_200,
    weeklyProfitAutoLiq: 6_000,
    trailingMaxDrawdown: 2_500,
    trailingMaxDrawdownLimit: 50_100,
    trailingMaxDrawdownMode: "EOD",
    flattenTimestamp: new Date(flattenAt).toISOString(),
    changesLocked: true,
  };
  await hold(given, settings, { maxNetLiq: 51_500 });
  await given.trader.connect();
  const guards = await read(given);
  expect(guards).toEqual({
    currency: "USD",
    at: expect.any(Number) as number,
    rules: [
      { kind: "dailyLoss", grade: "alert", limit: 50_000, isLocked: true },
      { kind: "dailyLoss", grade: "exitsOnly", limit: 75_050, isLocked: true },
      { kind: "dailyLoss", grade: "liquidate", limit: 100_000, isLocked: true },
      { kind: "dailyLoss", grade: "liquidate", isLocked: true },
      { kind: "weeklyLoss", grade: "liquidate", limit: 250_000, isLocked: true },
      { kind: "dailyProfit", grade: "liquidate", limit: 120_000, isLocked: true },
      { kind: "weeklyProfit", grade: "liquidate", limit: 600_000, isLocked: true },
      {
        kind: "drawdown",
        grade: "liquidate",
        limit: 250_000,
        floor: 4_900_000,
        trails: "endOfDay",
        isLocked: true,
      },
      { kind: "flatBy", grade: "liquidate", flatAt: flattenAt, isLocked: true },
    ],
  });
  expect(guards?.at).toBeGreaterThan(begunAt - 1_000);
  expect(guards?.at).toBeLessThanOrEqual(Date.now() + 1_000);
  expect(await questions(given)).toEqual([]);
});

test("a change is told by itself, and nothing is asked for it", async () => {
  const given = await connected();
  expect(await read(given)).toMatchObject({ rules: [] });
  await hold(given, { dailyLossAutoLiq: 1_000 });
  const rules = async () => (await read(given))?.rules ?? [];
  await waitUntil("the limit is told", async () => (await rules()).length === 1);
  expect(await rules()).toEqual([{ kind: "dailyLoss", grade: "liquidate", limit: 100_000 }]);
  await hold(given, { dailyLossAutoLiq: 400 }, { liquidateOnly: new Date().toISOString() });
  await waitUntil("exits only", async () => (await read(given))?.refusesEntries !== undefined);
  expect(await rules()).toMatchObject([{ limit: 40_000 }]);
  await hold(given, { dailyLossAutoLiq: null }, { liquidateOnly: null });
  await waitUntil("it is off", async () => (await rules()).length === 0);
  expect(await read(given)).not.toHaveProperty("refusesEntries");
  expect(await questions(given)).toEqual([]);
});

test("settings that are taken away and made anew are told under the same number", async () => {
  const given = await connected();
  const limits = async () => (await read(given))?.rules.map(({ limit }) => limit);
  await hold(given, { dailyLossAutoLiq: 1_000 });
  await waitUntil("it is told", async () => (await limits())?.[0] === 100_000);
  await hold(given, null);
  await waitUntil("it is gone", async () => (await limits())?.length === 0);
  await hold(given, { dailyLossAutoLiq: 300 });
  await waitUntil("it is told anew", async () => (await limits())?.[0] === 30_000);
  expect(await questions(given)).toHaveLength(1);
});

test("of an account that has neither nothing is told", async () => {
  const given = await prepared();
  await hold(given, null, null);
  await given.trader.connect();
  expect(await read(given)).toBeUndefined();
  expect(await read(given)).toBeUndefined();
  const asked = await questions(given);
  expect(asked).toHaveLength(2);
  for (const path of asked) expect(path).toMatch(/^GET .*\/deps\?masterid=\d+$/);
});

test("where a sync leaves them out they are asked for once, and kept", async () => {
  const given = await prepared();
  await given.set({ riskInSync: "leftOut" });
  await hold(given, { dailyLossAutoLiq: 1_000 }, { adminAction: "LockTradingImmediately" });
  await given.trader.connect();
  for (let n = 0; n < 20; n += 1) {
    expect(await read(given)).toMatchObject({
      rules: [{ kind: "dailyLoss", grade: "liquidate", limit: 100_000 }],
      refusesEntries: expect.stringMatching(/LockTradingImmediately/) as string,
    });
  }
  expect(await questions(given)).toHaveLength(2);
});

test("without the permission nothing is told, it is said once, and the session goes on", async () => {
  const given = await prepared();
  const { trader, broker } = given;
  await given.set({ riskReads: "refused", riskInSync: "refused" });
  await hold(given, { dailyLossAutoLiq: 1_000 });
  await trader.connect();
  for (let n = 0; n < 20; n += 1) expect(await read(given)).toBeUndefined();
  expect(broker.told.filter((one) => one.includes("Account Risk Settings"))).toHaveLength(1);
  expect(broker.told).toHaveLength(1);
  expect(await questions(given)).toHaveLength(2);
  expect(await given.asked("renewaccesstoken")).toBe(0);
  await trader.market(999, 1_000);
  await trader.place();
  await trader.waitForPosition(1);
  expect(trader.isWhole).toBe(true);
  // The kit asks for the accounts' numbers by a login of its own.
  expect(await logins(broker.user)).toBe(2);
});

test("a sync that was refused for them is not asked so again by the next session", async () => {
  const given = await prepared();
  const { trader } = given;
  await given.set({ riskInSync: "refused" });
  await trader.connect();
  expect(await read(given)).toMatchObject({ rules: [] });
  await trader.disconnect();
  await trader.connect();
  await given.trader.market(999, 1_000);
  await trader.place();
  await trader.waitForPosition(1);
  expect(await given.asked("user/syncrequest")).toBe(3);
});

test.each([
  [{ adminAction: "SomethingNew" }, /SomethingNew/],
  [{ adminAction: 7 }, /7/],
  [{ adminAction: "AgreedOnLiquidationByAutoLiq" }, /AgreedOnLiquidationByAutoLiq/],
  [{ liquidateOnly: true }, /liquidateOnly/],
  [{ userTriggeredLiqOnly: true }, /userTriggeredLiqOnly/],
])("%o takes no entries, in its own words", async (status, words) => {
  const given = await prepared();
  await hold(given, {}, status);
  await given.trader.connect();
  expect((await read(given))?.refusesEntries).toMatch(words);
});

test("what cannot be read is a rule without an amount, and a floor that is near", async () => {
  const given = await prepared();
  const settings = {
    dailyLossAutoLiq: "1,000",
    weeklyLossAutoLiq: 0,
    trailingMaxDrawdown: 2_000,
    trailingMaxDrawdownLimit: 999_999_999,
    trailingMaxDrawdownMode: "Sideways",
    flattenTimestamp: "2020-01-01T21:00:00Z",
  };
  await hold(given, settings, { maxNetLiq: 60_000, userTriggeredLiqOnly: false });
  await given.trader.connect();
  const guards = await read(given);
  expect(guards?.rules).toEqual([
    { kind: "dailyLoss", grade: "liquidate" },
    { kind: "weeklyLoss", grade: "liquidate" },
    { kind: "drawdown", grade: "liquidate", limit: 200_000, floor: 5_800_000, trails: "live" },
    { kind: "flatBy", grade: "liquidate" },
  ]);
  expect(guards).not.toHaveProperty("refusesEntries");
});

test("a row that names its account is that account's, whatever its number", async () => {
  const given = await prepared();
  const { trader, broker } = given;
  const other = Number(broker.otherAccount.split("-").at(-1));
  await hold(given, { dailyLossAutoLiq: 1_000, accountId: other });
  await trader.connect();
  expect(await read(given)).toMatchObject({ rules: [] });
  const guards = await trader.adapter.brokerGuards?.(broker.otherAccount);
  expect(guards?.rules).toEqual([{ kind: "dailyLoss", grade: "liquidate", limit: 100_000 }]);
});

test("an account that takes exits only says so, refuses what opens and lets exits pass", async () => {
  const given = await connected();
  const { trader } = given;
  await trader.place({ orderQty: 2 });
  await trader.waitForPosition(2);
  await hold(given, {}, { adminAction: "LiquidateOnlyModeImmediately" });
  await waitUntil("it says so", async () => (await read(given))?.refusesEntries !== undefined);
  expect(await trader.submit()).toEqual(REFUSED);
  accepted(await trader.submit({ side: "SELL" }));
  await trader.waitForPosition(1);
  accepted(await trader.closeOut());
  await trader.waitForPosition(0);
});

test("the broker's own limit liquidates, and says that it takes no entries", async () => {
  const given = await connected();
  const { trader } = given;
  await hold(given, { dailyLossAutoLiq: 100 });
  await trader.place({ orderQty: 2 });
  await trader.limit("BUY", 900);
  await trader.waitForPosition(2);
  await trader.market(980, 981);
  await trader.waitForPosition(0);
  await trader.waitForWorking();
  await waitUntil("it says so", async () => (await read(given))?.refusesEntries !== undefined);
  expect(await trader.submit()).toEqual(REFUSED);
});

test("outside a session nothing is told", async () => {
  const given = await connected();
  await given.trader.disconnect();
  await expect(read(given)).rejects.toBeInstanceOf(BrokerReadError);
});

/** The last one: what all of the above have sent, and what it sends itself. */
test("nothing is ever written of what accounts are held to", async () => {
  const given = await prepared();
  await given.set({ riskInSync: "leftOut" });
  await hold(given, { dailyLossAutoLiq: 1_000 });
  await given.trader.connect();
  expect(await read(given)).toBeDefined();
  const came = (await wire()).filter(({ dir }) => dir === "in");
  const asked = came.map(({ via, path = "", text }) =>
    via === "rest" ? path : (text.split("\n")[0] ?? ""),
  );
  const named = asked.filter((one) => /autoliq|riskstatus|accountlockout/i.test(one));
  expect(named.length).toBeGreaterThan(0);
  for (const one of named) {
    expect(one).toMatch(/^GET \/v1\/(userAccountAutoLiq|accountRiskStatus)\/deps\?masterid=\d+$/);
  }
});
