import { beforeEach, describe, expect, test } from "vitest";
import { clOrdId, legIdOf, orderId } from "../../../../../src/domain/ids.ts";
import type { Intent } from "../../../../../src/domain/intent.ts";
import type { ExecutionReport, OrderReport } from "../../../../../src/domain/order.ts";
import { BrokerReadError } from "../../../../../src/trading/ports.ts";
import {
  ACCOUNT,
  ES,
  type Lane,
  NOT_SENT,
  NQ,
  openLane,
  place,
  position,
  REJECTED,
  showPair,
  UNKNOWN,
} from "../../lane-kit.ts";
import { StoreError } from "../../../../../src/trading/store-error.ts";

let lane: Lane;
beforeEach(async () => {
  lane = await openLane();
});

const report = (order: OrderReport, execType: ExecutionReport["execType"] = "NEW") =>
  lane.legs.onReport(ACCOUNT, { execType, order });

/** A pair for two contracts, as the keeper has heard of it. */
function heardPair() {
  const { profit, loss } = showPair(lane.broker);
  report(profit);
  report(loss);
  return { profit, loss };
}

/** One turn of the lane, so much later. */
async function keepAfter(ms: number): Promise<boolean> {
  lane.intents.clock += ms;
  return await lane.settlePending(ACCOUNT);
}

async function keepTwice(): Promise<boolean> {
  await keepAfter(1_000);
  return await keepAfter(300);
}

describe("a leg that could open a position", () => {
  beforeEach(() => void heardPair());

  test("is cancelled once two readings show it", async () => {
    expect(await keepAfter(0)).toBe(true);
    expect(lane.broker.commands).toEqual([]);
    expect(await keepAfter(300)).toBe(true);
    expect(lane.broker.commands).toEqual([
      ["cancel", "tp"],
      ["cancel", "sl"],
    ]);
    expect(lane.kept).toEqual(["tp 0 noPosition", "sl 0 noPosition"]);
    expect(lane.missing).toEqual([]);
    expect(await keepAfter(300)).toBe(false);
    expect(lane.broker.commands).toHaveLength(2);
  });

  test("is not cancelled as long as the readings are less than 300 ms apart", async () => {
    await keepAfter(0);
    expect(await keepAfter(299)).toBe(true);
    expect(lane.broker.commands).toEqual([]);
    await keepAfter(1);
    expect(lane.broker.commands).toHaveLength(2);
  });

  test("is not cancelled when the second reading shows its position", async () => {
    await keepAfter(0);
    lane.broker.held = [position(2)];
    expect(await keepAfter(300)).toBe(false);
    lane.broker.held = [];
    // It has to be seen twice again.
    expect(await keepAfter(300)).toBe(true);
    expect(lane.broker.commands).toEqual([]);
  });

  test("ends with the leg that it is linked to, where the broker does that", async () => {
    lane.setConnection({ cancelEndsLinkedLeg: true });
    await keepTwice();
    expect(lane.broker.commands).toEqual([["cancel", "tp"]]);
  });

  test("is made smaller by what both readings agree on", async () => {
    lane.broker.held = [position(1)];
    await keepAfter(0);
    lane.broker.held = [];
    await keepAfter(300);
    expect(lane.kept).toEqual(["tp 1 noPosition", "sl 1 noPosition"]);
    expect(lane.broker.commands.at(-1)).toEqual(["modify", "sl", { orderQty: 1 }]);
    await keepTwice();
    expect(lane.kept.slice(2)).toEqual(["tp 0 noPosition", "sl 0 noPosition"]);
  });

  test("keeps what it has filled when it is made smaller", async () => {
    lane.broker.held = [position(1)];
    lane.broker.change(orderId("tp"), { orderQty: 5, cumQty: 3 });
    await keepTwice();
    expect(lane.broker.commands[0]).toEqual(["modify", "tp", { orderQty: 4 }]);
  });
});

test("legs that go before their entry are alarms, and missing of what it still fills", async () => {
  const entry = lane.broker.show({ orderId: orderId("entry"), orderQty: 5, leavesQty: 3 });
  for (const leg of Object.values(heardPair())) {
    lane.broker.change(leg.orderId, { parentOrderId: entry.orderId });
  }
  await keepTwice();
  expect(lane.kept).toEqual(["tp 0 entryGoesOn", "tp dropped", "sl 0 entryGoesOn", "sl dropped"]);
  expect(lane.missing).toEqual([`${ES} TAKE_PROFIT`, `${ES} STOP_LOSS`]);
});

test("a leg that ends with its linked one before their entry is missing, too", async () => {
  lane.setConnection({ broker: lane.broker, cancelEndsLinkedLeg: true });
  const entry = lane.broker.show({ orderId: orderId("entry"), orderQty: 5, leavesQty: 3 });
  const { orderId: tp } = heardPair().profit;
  lane.broker.change(tp, { parentOrderId: entry.orderId, linkedOrderId: orderId("sl") });
  lane.broker.change(orderId("sl"), { parentOrderId: entry.orderId, linkedOrderId: tp });
  await keepTwice();
  expect(lane.missing).toEqual([`${ES} TAKE_PROFIT`, `${ES} STOP_LOSS`]);
});

describe("nothing is done", () => {
  test("to legs of the size of their position", async () => {
    heardPair();
    lane.broker.held = [position(2)];
    expect(await keepTwice()).toBe(false);
    expect(lane.broker.commands).toEqual([]);
  });

  test("to legs that were placed by hand", async () => {
    heardPair();
    for (const id of ["tp", "sl"]) {
      lane.broker.change(orderId(id), { clOrdId: clOrdId("by hand") });
    }
    expect(await keepTwice()).toBe(false);
    expect(lane.broker.commands).toEqual([]);
  });

  test("while an outcome in its root is unknown, and at once after that", async () => {
    heardPair();
    lane.broker.next.submit.push(UNKNOWN);
    const { intentId } = await lane.run(place());
    const before = lane.broker.commands.length;
    await keepAfter(0);
    await keepAfter(300);
    expect(lane.broker.commands).toHaveLength(before);
    lane.broker.show({ orderId: orderId("7"), clOrdId: clOrdId(`${intentId}-1`) });
    await keepTwice();
    expect(lane.kept).toEqual(["tp 0 noPosition", "sl 0 noPosition"]);
  });

  test.each([undefined, { status: "RECONNECTING" } as const])(
    "with the connection %j, and it is no reason to sweep the account",
    async (connection) => {
      heardPair();
      lane.setConnection(connection);
      expect(await keepTwice()).toBe(false);
      expect(lane.broker.commands).toEqual([]);
    },
  );

  test("on one reading of a session and one of the next", async () => {
    heardPair();
    await keepAfter(0);
    lane.setSession({ beganAt: 1 });
    await keepAfter(300);
    expect(lane.broker.commands).toEqual([]);
    await keepAfter(300);
    expect(lane.broker.commands).toHaveLength(2);
  });

  test("on a reading during which its session ended", async () => {
    heardPair();
    await keepAfter(0);
    lane.broker.positions = async () => {
      lane.setSession({ beganAt: 1 });
      return lane.broker.held;
    };
    expect(await keepAfter(300)).toBe(true);
    expect(lane.broker.commands).toEqual([]);
  });

  test("by who may not be the owner any more", async () => {
    heardPair();
    await keepAfter(0);
    lane.loseLanes();
    await expect(keepAfter(300)).rejects.toBeInstanceOf(StoreError);
    expect(lane.broker.commands).toEqual([]);
  });

  test("and nothing is forgotten, while the broker cannot be read", async () => {
    heardPair();
    await keepAfter(0);
    lane.broker.unreadable = new BrokerReadError("The session is gone");
    expect(await keepAfter(300)).toBe(true);
    lane.broker.unreadable = undefined;
    await keepAfter(300);
    expect(lane.kept).toHaveLength(2);
  });
});

describe("beside what is not known yet", () => {
  const IS_LEFT: string[] = [];
  const ENDED = ["tp 0 noPosition", "sl 0 noPosition"];
  const close = (root?: string): Intent => ({
    kind: "FLATTEN",
    cancelResting: false,
    ...(root !== undefined && { root }),
  });

  /** One that stays unknown, with another position in NQ: that of the legs has been closed. */
  async function keptBeside(intent: Intent): Promise<readonly string[]> {
    const other = lane.broker.show({ orderId: orderId("stuck"), side: "BUY", contract: NQ });
    lane.broker.held = [position(1, NQ)];
    lane.broker.closePosition = async () => UNKNOWN;
    lane.broker.submitOrder = async () => UNKNOWN;
    const cancel = lane.broker.cancelOrder.bind(lane.broker);
    lane.broker.cancelOrder = async (account, id) =>
      id === other.orderId ? REJECTED : await cancel(account, id);
    heardPair();
    const { intentId } = await lane.run(intent);
    await keepAfter(0);
    expect(await keepAfter(320)).toBe(true);
    expect(lane.record(intentId).state).toBe("UNKNOWN");
    return lane.kept;
  }

  test.each<[string, Intent, readonly string[]]>([
    ["an exit of another root", close("NQ"), ENDED],
    ["an order in another root", place({ contract: NQ }), ENDED],
    ["a cancel of entries", { kind: "CANCEL_ENTRIES" }, ENDED],
    ["an order in their own", place(), IS_LEFT],
    ["an exit of all", close(), IS_LEFT],
  ])("legs of a position that is gone are ended, but for its own: %s", async (_, intent, kept) => {
    expect(await keptBeside(intent)).toEqual(kept);
  });
});

describe("an attempt that failed", () => {
  beforeEach(() => void heardPair());

  test.each([NOT_SENT, REJECTED, UNKNOWN])(
    "(%j) is repeated after the next reading",
    async (no) => {
      lane.broker.next.cancel.push(no);
      await keepAfter(1_000);
      expect(await keepAfter(320)).toBe(true);
      expect(lane.kept).toEqual(["sl 0 noPosition"]);
      expect(lane.asked.at(-1)).toBe(1_005);
      await keepAfter(1_000);
      expect(lane.kept).toEqual(["sl 0 noPosition", "tp 0 noPosition"]);
      expect(await keepAfter(300)).toBe(false);
    },
  );

  test("three times in a row is said to a person, and tried at each sweep from then on", async () => {
    lane.broker.next.cancel.push(...Array.from({ length: 8 }, () => NOT_SENT));
    await keepTwice();
    await keepAfter(1_000);
    expect(lane.kept).toEqual([]);
    const asked = lane.asked.length;
    expect(await keepAfter(1_000)).toBe(true);
    expect(lane.kept).toEqual(["tp stuck: The link is down"]);
    expect(lane.asked).toHaveLength(asked);

    expect(await keepAfter(3_000)).toBe(true);
    await keepAfter(3_000);
    expect(lane.kept.slice(1)).toEqual(["tp 0 noPosition", "sl 0 noPosition"]);
    expect(await keepAfter(300)).toBe(false);
  });

  test("is forgotten when the next reading shows nothing more to do", async () => {
    for (let round = 0; round < 4; round += 1) {
      lane.broker.next.cancel.push(REJECTED, REJECTED);
      lane.broker.held = [];
      await keepTwice();
      lane.broker.held = [position(2)];
      await keepAfter(300);
    }
    expect(lane.kept).toEqual([]);
  });
});

describe("a fill of one leg, where the broker does not link them", () => {
  const PAIR = clOrdId(`i${"a".repeat(28)}-1`);
  let profit: OrderReport;

  beforeEach(() => {
    lane.setConnection({ nativeOco: false });
    const common = { orderQty: 2, leavesQty: 2, contract: ES, side: "SELL" } as const;
    const show = (role: "TAKE_PROFIT" | "STOP_LOSS", id: string) =>
      lane.broker.show({ ...common, role, orderId: orderId(id), clOrdId: legIdOf(PAIR, role) });
    profit = show("TAKE_PROFIT", "tp");
    report(profit);
    report(show("STOP_LOSS", "sl"));
  });

  const fill = (cumQty: number, held: number) => {
    const ordStatus = cumQty === 2 ? "FILLED" : "PARTIALLY_FILLED";
    lane.broker.change(orderId("tp"), { cumQty, leavesQty: 2 - cumQty, ordStatus });
    lane.broker.held = [position(held)];
    report({ ...profit, cumQty, leavesQty: 2 - cumQty, ordStatus }, "TRADE");
  };

  test("in full ends the other, even when more is held by now", async () => {
    fill(2, 9);
    await keepTwice();
    expect(lane.kept).toEqual(["sl 0 siblingFilled"]);
  });

  test("in part makes the other smaller", async () => {
    fill(1, 9);
    await keepTwice();
    expect(lane.kept).toEqual(["sl 1 siblingFilled"]);
  });

  test("is the broker's where it does link them", async () => {
    lane.setConnection({ nativeOco: true });
    fill(2, 9);
    expect(await keepTwice()).toBe(false);
    expect(lane.kept).toEqual([]);
  });
});

describe("a look is asked for", () => {
  test("when a leg goes live for the first time, and then at each trade and ended leg", async () => {
    const { profit, loss } = showPair(lane.broker);
    const filled = { role: "ORDER", ordStatus: "FILLED", leavesQty: 0 } as const;
    const trade = { ...profit, ...filled, orderId: orderId("9") };
    report(trade, "TRADE");
    report({ ...profit, ordStatus: "HELD" });
    expect(lane.asked).toEqual([]);

    const asks = async (order: OrderReport, execType: ExecutionReport["execType"]) => {
      const before = lane.asked.length;
      lane.intents.clock += 1_000;
      report(order, execType);
      return lane.asked.length - before;
    };
    expect(await asks(profit, "RESTATED")).toBe(1);
    expect(await asks(loss, "RESTATED")).toBe(0);
    expect(await asks(trade, "TRADE")).toBe(1);
    expect(await asks({ ...loss, ordStatus: "CANCELED", leavesQty: 0 }, "CANCELED")).toBe(1);
    expect(await asks({ ...trade, ordStatus: "CANCELED", leavesQty: 0 }, "CANCELED")).toBe(0);
    // What it had not filled yet may be what legs were there for.
    const ended = { ...trade, ordStatus: "CANCELED", cumQty: 1, leavesQty: 0 } as const;
    expect(await asks(ended, "CANCELED")).toBe(1);
  });

  test("once for a burst of reports, and again for what comes after it", () => {
    const { profit } = showPair(lane.broker);
    for (let n = 0; n < 5; n += 1) report(profit, "TRADE");
    expect(lane.asked).toEqual([105]);
    lane.intents.clock += 100;
    report(profit, "TRADE");
    expect(lane.asked).toEqual([105, 105]);
  });

  test("again after a finding, late enough for a second reading", async () => {
    heardPair();
    await keepAfter(1_000);
    expect(lane.asked.at(-1)).toBeGreaterThanOrEqual(300);
  });

  test("for an account that may have legs, and not for one that has none", async () => {
    lane.legs.look(ACCOUNT);
    expect(lane.asked).toEqual([]);
    showPair(lane.broker);
    lane.legs.suspect(ACCOUNT);
    expect(lane.asked).toEqual([105]);
    await keepTwice();
    expect(lane.kept).toHaveLength(2);
  });

  test("no more once its legs are gone", async () => {
    heardPair();
    await keepTwice();
    await keepAfter(300);
    const asked = lane.asked.length;
    lane.intents.clock += 1_000;
    lane.legs.look(ACCOUNT);
    expect(lane.asked).toHaveLength(asked);
  });

  test("though its legs were gone when a new one was reported during the reading", async () => {
    const { loss } = heardPair();
    lane.broker.orders.clear();
    lane.broker.positions = async () => {
      report(loss);
      return lane.broker.held;
    };
    const asked = lane.asked.length;
    expect(await keepAfter(1_000)).toBe(false);
    expect(lane.asked).toHaveLength(asked + 1);
  });
});

describe("a plain exit whose position is gone", () => {
  const exit = (change: Partial<OrderReport> = {}) => {
    const shown = { orderId: orderId("exit"), side: "SELL", orderQty: 2, leavesQty: 2 } as const;
    const order = lane.broker.show({ ...shown, ...change });
    report(order);
    return order;
  };

  test("stays where no kill switch is on: it may be meant as an entry by now", async () => {
    exit();
    await keepTwice();
    expect(lane.broker.commands).toEqual([]);
  });

  test.each(["account", "user"])("is cancelled under the %s's kill switch", async (whose) => {
    const on = { active: true };
    if (whose === "account") lane.intents.accountKillSwitch = on;
    else lane.intents.userKillSwitch = on;
    lane.broker.held = [position(2)];
    exit();
    await keepTwice();
    expect(lane.broker.commands).toEqual([]);

    lane.broker.held = [];
    report(lane.broker.show({ orderId: orderId("close"), ordStatus: "FILLED" }), "TRADE");
    expect(lane.asked).not.toEqual([]);
    await keepTwice();
    expect(lane.broker.commands).toEqual([["cancel", "exit"]]);
    expect(lane.kept).toEqual(["exit 0 killSwitchOn"]);
  });

  test("is cut to what is left of it, the stop before the limit", async () => {
    lane.intents.accountKillSwitch = { active: true };
    lane.broker.held = [position(1)];
    exit();
    const stop = lane.broker.show({
      orderId: orderId("stop"),
      ordType: "STOP",
      orderQty: 2,
      leavesQty: 2,
    });
    report(stop);
    await keepTwice();
    expect(lane.broker.commands).toEqual([
      ["modify", "stop", { orderQty: 1 }],
      ["cancel", "exit"],
    ]);
  });

  test("that a person placed by hand is theirs", async () => {
    lane.intents.accountKillSwitch = { active: true };
    exit();
    exit({ orderId: orderId("by hand"), clOrdId: clOrdId("manual-1") });
    await keepTwice();
    expect(lane.broker.commands).toEqual([["cancel", "exit"]]);
  });
});

describe("legs that their broker ends over a change of one of them", () => {
  const change = (after = 0) => {
    const { profit, loss } = heardPair();
    report(loss, "REPLACED");
    lane.intents.clock += after;
    return [profit, loss];
  };
  const end = (...legs: readonly OrderReport[]) => {
    for (const { orderId: id } of legs) {
      lane.broker.change(id, { ordStatus: "CANCELED", leavesQty: 0 });
      report(lane.broker.orders.get(id) as OrderReport, "CANCELED");
    }
  };
  const placeAgain = () => {
    const again = { orderQty: 2, leavesQty: 2, side: "SELL" } as const;
    report(lane.broker.show({ ...again, orderId: orderId("tp2"), role: "TAKE_PROFIT" }));
    const stop = { ordType: "STOP", role: "STOP_LOSS" } as const;
    report(lane.broker.show({ ...again, ...stop, orderId: orderId("sl2") }));
  };
  beforeEach(() => {
    lane.broker.held = [position(2)];
  });

  test("are told once as lost, where their position is held without them for 5 s", async () => {
    end(...change(1_999));
    await keepAfter(100);
    await keepAfter(4_899);
    expect(lane.kept).toEqual([]);
    await keepAfter(1);
    await keepAfter(5_000);
    expect(lane.kept).toEqual(["tp lost", "sl lost"]);
    expect(lane.missing).toEqual([`${ES} TAKE_PROFIT`, `${ES} STOP_LOSS`]);
  });

  test.each<[string, () => void]>([
    ["that are placed again by then", placeAgain],
    ["whose position is closed by then", () => void (lane.broker.held = [])],
    ["that stood for it no more when they ended", () => void (lane.broker.held = [position(-2)])],
  ])("%s are not lost", async (_, act) => {
    end(...change());
    await keepAfter(100);
    act();
    await keepAfter(5_000);
    expect(lane.kept).toEqual([]);
  });

  test("and one that is cancelled later, or for the fill of the other one, is not lost", async () => {
    end(...change(2_000));
    const [profit, loss] = change();
    if (profit === undefined || loss === undefined) throw new Error("there is no pair");
    end(loss);
    report({ ...profit, ordStatus: "FILLED", cumQty: 2, leavesQty: 0 }, "TRADE");
    await keepAfter(100);
    await keepAfter(5_000);
    expect(lane.kept.filter((one) => one.endsWith("lost"))).toEqual([]);
  });
});
