import { beforeEach, describe, expect, test } from "vitest";
import { accountDayAt, STANDARD_CLOCKS } from "../../../../src/domain/calendar/account-day.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import { account, holding } from "./answers-kit.ts";
import { tell, write, press, button, said, kit, chat, place, emptyChat } from "./bot-chat.ts";

beforeEach(emptyChat);

describe("a clock that is far from Telegram's", () => {
  const ask = async (heardAt?: number) => {
    const heard = heardAt === undefined ? {} : { heardAt };
    await tell({ ...place, kind: "message", at: Date.now(), text: "/kill", ...heard });
  };

  test.each([180_000, -180_000])("by %i ms is said to differ", async (by) => {
    kit.clock.now = () => Date.now() + by;
    await ask();
    expect(said()).toContain("the gateway's clock and Telegram's differ");
    expect(button()).toBe("");
  });

  test("does not keep from acting what Telegram says is new", async () => {
    kit.clock.now = () => Date.now() + 180_000;
    await ask(Date.now());
    expect(said()).toContain("The gateway's clock and Telegram's are 3 min apart");
    await press(button());
    expect(kit.switched).toHaveLength(1);
  });

  test("does not make new what is old by Telegram's", async () => {
    await ask(Date.now() + 180_000);
    expect(said()).toMatch(/That was asked (2|3) min ago/);
  });
});

test("accounts that look the same are told apart, and `$` is a letter like any other", async () => {
  const live = account("one", { name: "Main $& 1", environment: "live" });
  const demo = account("two", { name: "Main $& 1" });
  kit.accounts.splice(0, 1, live, demo);
  kit.positions.push(holding(live, "ES", 2), holding(demo, "ES", 2));
  await write("/positions");
  expect(said()).toMatch(/Main \$& 1 \(live\): long 2 ES[^]*Main \$& 1 \(demo\): long 2 ES/);
  await write("/flatten main $& 1 (live)");
  expect(said()).toContain("Flatten Main $& 1 (live)?");
  await press(button());
  expect(kit.flattened).toEqual(["one"]);
});

test("what is paused, not looked at or without a price is said", async () => {
  const setup = { name: "Prop", paused: true, settings: {}, secrets: {} };
  const connectionId = account("one").connectionId;
  kit.gateway.listConnections = async () => [
    { connectionId, broker: "paper", environment: "demo", status: "DISCONNECTED", since: 1, setup },
  ];
  await write("/status");
  expect(said()).toContain("Connections: 1 of 1 up, 1 paused");
  const figures = { currency: "USD", areFeesExpected: false, unfeedQty: 0, isEstimated: false };
  kit.accounts.push(account("two"));
  kit.gateway.readAllMoney = async () => [
    {
      account: { ...account("one"), connectionStatus: "CONNECTED" },
      day: accountDayAt(STANDARD_CLOCKS, Date.parse("2026-11-26T12:00:00Z")),
      balances: [],
      asOf: 1,
      pricesMissing: "no data plan",
      figures: [{ ...figures, unpriced: ["ES" as ContractCode] }],
      marks: [],
    },
  ];
  await write("/pnl");
  expect(said()).toContain("Only 1 of 2 accounts");
  expect(said()).toContain("open not known; no price for ES (no data plan)");
});

test("the number of an account is told by its end", async () => {
  const long = account("TV-9988776655", { name: "APEX-1234567-01", number: "9988776655" });
  kit.accounts[0] = long;
  kit.gateway.readStanding = async () => ({
    asOf: Date.now(),
    connections: { total: 1, connected: 0 },
    killSwitch: { active: false, accounts: 0 },
    unknownOutcomes: 0,
    unprotectedPositions: 0,
    holdings: [holding(long, "ES", 1, { live: false, asOf: Date.now() - 300_000 })],
    waiting: 0,
    troubles: [
      {
        kind: "waiting",
        cause: "waiting",
        severity: "warning",
        accountId: accountId("TV-9988776655"),
        message: "APEX-1234567-01 (TV-9988776655) waits",
        advice: "Look at 9988776655",
      },
    ],
    unseen: [],
  });
  await write("/status");
  await write("/positions");
  await write("/flatten 6655");
  const all = chat.flatMap(({ title, lines }) => [title, ...lines]).join("\n");
  expect(all).not.toMatch(/1234567|88776655/);
  expect(all).toContain("As of 5 min ago");
});
