// The goal: an order that may be a strategy's exit from what an exit plan takes out opens no other side. The method:
// the lane with a scripted broker.
import { beforeEach, describe, expect, test } from "vitest";
import { type ContractCode, contractCode } from "../../../../src/domain/contracts/contract.ts";
import type { Intent } from "../../../../src/domain/intent.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { ES, type Lane, openLane, place, position } from "../lane-kit.ts";
import { adjustIntent as adjust } from "./adjust-kit.ts";

const SELL_4 = { side: "SELL", orderQty: 4 } as const;
const UNCLEAR = { handling: { closesPlanned: true } } as const;
const NEXT_MONTH = contractCode({ root: "ES", month: 3, year: 2027 }) as ContractCode;

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
  lane.broker.held = [position(2)];
  lane.managed.add(`${ES} BUY`);
});

const sent = () => lane.broker.sent.map(({ side, orderQty }) => `${side} ${orderQty}`);

const ORDERS: readonly (readonly [string, Intent])[] = [
  ["an order", { ...place(SELL_4), ...UNCLEAR } as Intent],
  [
    "an order after what rests is cancelled",
    {
      ...adjust({ to: "order", side: "SELL", qty: 4 }, { cancelFirst: true }),
      ...UNCLEAR,
    } as Intent,
  ],
];

describe.each(ORDERS)("%s whose sender is not said", (_, intent) => {
  test("closes what the plan takes out, opens nothing, and says why", async () => {
    const { outcome } = await lane.run(intent);
    expect(outcome).toMatchObject({
      kind: "done",
      result: { problems: expect.arrayContaining([expect.stringContaining("sentBy")]) },
    });
    expect(lane.broker.held.map(({ netQty }) => netQty)).not.toContain(-2);
    expect(sent().filter((one) => one !== "SELL 2")).toEqual([]);
  });

  test("goes as it is where no plan takes anything out", async () => {
    lane.managed.clear();
    await lane.run(intent);
    expect(JSON.stringify([lane.broker.commands, sent()])).toMatch(/SELL (4|2)/u);
    expect(sent()).not.toEqual(["SELL 2"].filter(() => intent.kind === "PLACE"));
  });

  test("goes as it is where nothing is held", async () => {
    lane.broker.held = [];
    await lane.run(intent);
    expect(sent()).toEqual(["SELL 4"]);
  });
});

test("an order that only closes goes as it is", async () => {
  const record = await lane.run({ ...place({ side: "SELL", orderQty: 2 }), ...UNCLEAR } as Intent);
  expect([sent(), record.state]).toEqual([["SELL 2"], "DONE"]);
});

test("one that rests opens nothing either", async () => {
  const rests = { ...SELL_4, ordType: "LIMIT", price: ticks(4_100) } as const;
  await lane.run({ ...place(rests), ...UNCLEAR } as Intent);
  expect(sent()).toEqual(["SELL 2"]);
});

test("another month that a plan takes out is closed, and nothing opened", async () => {
  lane.broker.held = [{ ...position(2), contract: NEXT_MONTH }];
  lane.managed.clear();
  lane.managed.add(`${NEXT_MONTH} BUY`);
  const { outcome } = await lane.run({
    ...place(SELL_4),
    isFrontMonth: true,
    ...UNCLEAR,
  } as Intent);
  expect(sent().filter((one) => one === "SELL 4")).toEqual([]);
  expect(outcome?.kind).toBe("done");
});

test("with a sender that is said it turns the position around", async () => {
  await lane.run(place(SELL_4));
  expect(sent()).toEqual(["SELL 4"]);
});

test.each([
  ["closes its half under a kill switch", false, ["SELL 2"]],
  ["closes nothing where a newer target follows", true, []],
] as const)("an order after cancels that may open nothing %s", async (_, isFollowed, expected) => {
  lane.intents.accountKillSwitch = { active: true };
  const first = await lane.accept(
    adjust({ to: "order", side: "SELL", qty: 4 }, { cancelFirst: true }),
  );
  if (isFollowed) {
    const target = await lane.accept(adjust({ to: "position", netQty: 2 }));
    await lane.work(target);
  }
  await lane.work(first);
  expect(sent()).toEqual(expected);
});
