import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, legIdOf, orderId } from "../../../../../src/domain/ids.ts";
import type { OrderReport } from "../../../../../src/domain/order.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
import { ACCOUNT, ES, type Lane, openLane, position } from "../../lane-kit.ts";

let lane: Lane;
let lookUps: string[];
let isDown: boolean;

beforeEach(async () => {
  lane = await openLane();
  lane.setConnection({ nativeOco: false });
  lookUps = [];
  isDown = false;
  const { broker } = lane;
  const findOrder = broker.findOrder.bind(broker);
  broker.findOrder = async (account, id) => {
    lookUps.push(id);
    if (isDown) throw new BrokerReadError("not now");
    return await findOrder(account, id);
  };
});

const FIRST = clOrdId(`i${"a".repeat(28)}-1`);
const SECOND = clOrdId(`i${"b".repeat(28)}-1`);

type Leg = "TAKE_PROFIT" | "STOP_LOSS";

function show(id: string, pair: typeof FIRST, role: Leg, change: Partial<OrderReport> = {}) {
  const level = role === "TAKE_PROFIT" ? { price: ticks(4_040) } : { stopPx: ticks(3_960) };
  const common = { orderQty: 2, leavesQty: 2, contract: ES, side: "SELL" } as const;
  const name = legIdOf(pair, role);
  lane.broker.show({ ...common, ...level, role, orderId: orderId(id), clOrdId: name, ...change });
}

const GONE = { FILLED: { cumQty: 2 }, CANCELED: { cumQty: 0 } } as const;
const ended = (ordStatus: keyof typeof GONE) =>
  ({ ordStatus, leavesQty: 0, ...GONE[ordStatus] }) as const;

async function keepAfter(ms: number): Promise<boolean> {
  lane.intents.clock += ms;
  return await lane.legs.keep(ACCOUNT);
}

/** Nothing was reported: the account is only known to have legs. */
async function keepTwice(): Promise<void> {
  lane.legs.suspect(ACCOUNT);
  await keepAfter(1_000);
  await keepAfter(300);
}

describe("a leg that is found alone", () => {
  test("ends when the other one has filled unseen, and not an older pair for it", async () => {
    show("1", FIRST, "TAKE_PROFIT");
    show("2", FIRST, "STOP_LOSS");
    show("3", SECOND, "TAKE_PROFIT", ended("FILLED"));
    show("4", SECOND, "STOP_LOSS");
    lane.broker.held = [position(2)];
    await keepTwice();
    expect(lane.kept).toEqual(["4 0 siblingFilled"]);
    expect(lookUps).toEqual([legIdOf(SECOND, "TAKE_PROFIT")]);
  });

  test.each([undefined, "CANCELED"] as const)(
    "stays when the other one is %s, which is looked up once in a session",
    async (status) => {
      if (status !== undefined) show("3", SECOND, "TAKE_PROFIT", ended(status));
      show("4", SECOND, "STOP_LOSS");
      lane.broker.held = [position(2)];
      await keepTwice();
      await keepTwice();
      expect([lane.kept, lookUps]).toEqual([[], [legIdOf(SECOND, "TAKE_PROFIT")]]);
      lane.setSession({ beganAt: 1 });
      await keepTwice();
      expect(lookUps).toHaveLength(2);
    },
  );

  test("is looked up again when the broker could not be asked", async () => {
    show("3", SECOND, "TAKE_PROFIT", ended("FILLED"));
    show("4", SECOND, "STOP_LOSS");
    lane.broker.held = [position(2)];
    isDown = true;
    await keepTwice();
    expect(lane.kept).toEqual([]);
    isDown = false;
    await keepTwice();
    expect(lane.kept).toEqual(["4 0 siblingFilled"]);
  });

  test("is the broker's to end where it links the two", async () => {
    lane.setConnection({ nativeOco: true });
    show("4", SECOND, "STOP_LOSS");
    lane.broker.held = [position(2)];
    await keepTwice();
    expect([lane.kept, lookUps]).toEqual([[], []]);
  });
});

describe("a protection of what is left", () => {
  const protect = async () =>
    await lane.run({
      kind: "PROTECT",
      contract: ES,
      levels: { stopLoss: { by: "price", price: ticks(3_990) } },
    });

  beforeEach(() => {
    show("4", SECOND, "STOP_LOSS");
    lane.broker.held = [position(2)];
  });

  test("replaces a leg that the fill of its other one is about to end", async () => {
    show("3", SECOND, "TAKE_PROFIT", ended("FILLED"));
    const { outcome } = await protect();
    expect(outcome).toMatchObject({ kind: "done", result: { stopLossOrderId: "101" } });
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["cancel", "submit"]);
    await keepTwice();
    expect(lane.kept).toEqual([]);
  });

  test("changes a leg in place that stands for itself", async () => {
    const { outcome } = await protect();
    expect(outcome).toMatchObject({ kind: "done", result: { stopLossOrderId: "4" } });
    expect(lane.broker.commands.map(([name]) => name)).toEqual(["modify"]);
  });
});
