import { beforeEach, describe, expect, test } from "vitest";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId, type AccountId } from "../../../../src/domain/ids.ts";
import { minor } from "../../../../src/domain/money.ts";
import type { Alarm, StateId } from "../../../../src/trading/alarms/alarm.ts";
import { BalanceWatch } from "../../../../src/trading/money/balance-watch.ts";
import type { BrokerBalance } from "../../../../src/trading/money/ports.ts";
import type { OwnFigures } from "../../../../src/trading/money/value-account.ts";

const FIRST = accountId("c1-1");
const SECOND = accountId("c1-2");
const usd = (change: Partial<BrokerBalance> = {}): BrokerBalance => ({
  currency: "USD",
  at: 1,
  cash: minor(5_000),
  ...change,
});
const own = (change: Partial<OwnFigures> = {}): OwnFigures => ({
  currency: "USD",
  realizedPnl: minor(0),
  fees: minor(0),
  areFeesExpected: false,
  unfeedQty: 0,
  unpriced: [],
  isEstimated: false,
  ...change,
});

let now: number;
let accounts: readonly AccountId[];
let holding: readonly AccountId[];
let said: readonly BrokerBalance[];
let figures: readonly OwnFigures[];
let asked: AccountId[];
let saved: (readonly BrokerBalance[])[];
let days: (string | undefined)[];
let standing: Map<string, string>;
let cleared: string[];
let errors: unknown[];
let watch: BalanceWatch;

beforeEach(() => {
  now = 0;
  accounts = [FIRST, SECOND];
  holding = [];
  said = [usd()];
  figures = [];
  [asked, saved, days, errors, cleared, standing] = [[], [], [], [], [], new Map()];
  watch = new BalanceWatch({
    accounts: () => accounts,
    holding: () => holding,
    sourceOf: () => ({
      balances: async (account) => {
        asked.push(account);
        return await Promise.resolve(said);
      },
    }),
    balances: { save: async (_, balances) => void saved.push(balances) },
    ownFigures: async (_, { tradingDay }) => {
      days.push(tradingDay);
      return await Promise.resolve(figures);
    },
    alarms: {
      raise: (alarm: Alarm) => {
        if (alarm.kind === "moneyDiffers") standing.set(alarm.accountId, alarm.reason);
      },
      clear: (state: StateId, how = "over") => {
        if (state.kind !== "moneyDiffers" || !standing.delete(state.accountId)) return;
        cleared.push(how);
      },
    },
    pause: async () => await Promise.resolve(),
    elapsed: () => now,
    onError: (_, error) => errors.push(error),
  });
});

async function pass(seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    now += 1_000;
    await watch.look();
  }
}

describe("who is asked", () => {
  test("what rests every five minutes, what holds or was worked every five seconds", async () => {
    await pass(1);
    expect(asked.toSorted()).toEqual([FIRST, SECOND]);
    await pass(298);
    expect(asked).toHaveLength(2);
    holding = [FIRST];
    asked = [];
    await pass(10);
    expect(asked.filter((one) => one === FIRST)).toHaveLength(2);
    holding = [];
    watch.noteActivity(SECOND);
    asked = [];
    await pass(20);
    expect(asked).toEqual(Array(4).fill(SECOND));
  });

  test("of thousands a few each second, and each in its turn", async () => {
    accounts = Array.from({ length: 1_000 }, (_, nth) => accountId(`c1-${nth}`));
    await pass(1);
    expect(asked).toHaveLength(10);
    await pass(800);
    expect(new Set(asked).size).toBe(1_000);
  });

  test("of hundreds that hold something each has its turn, and so has what rests", async () => {
    const many = Array.from({ length: 300 }, (_, nth) => accountId(`c1-${nth}`));
    holding = many.slice(0, 200);
    accounts = many;
    await pass(60);
    const [resting, held] = [new Set(many.slice(200)), new Set(holding)];
    expect(new Set(asked.filter((one) => held.has(one))).size).toBe(200);
    expect(asked.some((one) => resting.has(one))).toBe(true);
  });

  test("of more than five minutes are enough for, each comes before one that was asked", async () => {
    accounts = Array.from({ length: 6_000 }, (_, nth) => accountId(`c1-${nth}`));
    await pass(700);
    expect(new Set(asked).size).toBeGreaterThan(5_900);
  });

  test("one that is asked again is written only where something is new", async () => {
    holding = [FIRST];
    accounts = [FIRST];
    await pass(20);
    expect(saved).toHaveLength(1);
    said = [usd({ cash: minor(1) })];
    await pass(5);
    expect(saved).toHaveLength(2);
  });

  test("one that fails keeps nobody from the others", async () => {
    said = undefined as never;
    figures = undefined as never;
    await pass(1);
    expect(asked).toHaveLength(2);
  });
});

describe("a difference", () => {
  beforeEach(() => {
    accounts = [FIRST];
    holding = [FIRST];
  });

  test("is an alarm once it has lasted for a minute, and cleared with it", async () => {
    said = [usd({ realizedPnl: minor(1_250), fees: minor(450) })];
    figures = [own({ realizedPnl: minor(1_000), fees: minor(225) })];
    await pass(55);
    expect([standing.size, watch.differing]).toEqual([0, 0]);
    await pass(15);
    expect(standing.get(FIRST)).toBe(
      "won 12.50 by the broker, 10.00 by the ledger; fees 4.50 by the broker, 2.25 by the ledger (USD)",
    );
    expect(watch.differing).toBe(1);
    figures = [own({ realizedPnl: minor(1_250), fees: minor(450) })];
    await pass(5);
    expect([standing.size, watch.differing]).toEqual([0, 0]);
  });

  test("that comes and goes is none", async () => {
    for (let round = 0; round < 10; round += 1) {
      said = [usd({ realizedPnl: minor(round % 2) })];
      await pass(15);
    }
    expect(standing.size).toBe(0);
  });

  test.each<[string, Partial<BrokerBalance>, Partial<OwnFigures>]>([
    ["an estimate", { realizedPnl: minor(1) }, { isEstimated: true }],
    ["of fees that are only expected", { fees: minor(9) }, { areFeesExpected: true }],
    ["of fees that nobody knows", { fees: minor(9) }, { unfeedQty: 2 }],
    ["of what the broker does not say", {}, { realizedPnl: minor(5), fees: minor(5) }],
  ])("is none: %s", async (_, broker, ours) => {
    said = [usd(broker)];
    figures = [own(ours)];
    await pass(120);
    expect(standing.size).toBe(0);
  });

  test("is none where nobody says in which currency something was traded", async () => {
    said = [usd({ realizedPnl: minor(500) })];
    figures = [{ ...own({ unpriced: ["XXH2026" as ContractCode] }), currency: "" }];
    await pass(120);
    expect(standing.size).toBe(0);
  });

  test("is of the day that the broker counts by, and of an account without trades as well", async () => {
    said = [usd({ realizedPnl: minor(7), tradingDay: "2026-11-25" })];
    await pass(70);
    expect(days.at(-1)).toBe("2026-11-25");
    expect(standing.get(FIRST)).toContain("won 0.07 by the broker, 0.00 by the ledger");
    accounts = [];
    holding = [];
    await pass(2);
    expect([watch.differing, standing.size]).toEqual([0, 0]);
  });
});

test("a difference that cannot be seen any more, or told, is not over", async () => {
  [holding, said, figures] = [[FIRST], [usd({ realizedPnl: minor(5_000) })], [own()]];
  await pass(90);
  expect(standing.size).toBeGreaterThan(0);
  figures = [own({ currency: "" })];
  await pass(60);
  accounts = [];
  await pass(3);
  expect(new Set(cleared)).toEqual(new Set(["unseen"]));
});
