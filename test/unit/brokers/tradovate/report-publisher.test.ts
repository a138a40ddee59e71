import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/tradovate/entity-store.ts";
import { ReportPublisher } from "../../../../src/brokers/tradovate/report-publisher.ts";
import type { TradovatePropsEvent } from "../../../../src/brokers/tradovate/wire.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isUnderstood,
  type OpaqueExecution,
} from "../../../../src/domain/order.ts";
import {
  command,
  contractById,
  event,
  executed,
  fill,
  order,
  placed,
  report,
  version,
} from "./entity-kit.ts";

let store: EntityStore;
let told: ExecutionReport[];
let odd: OpaqueExecution[];
let now: number;
let teller: ReportPublisher;

beforeEach(() => {
  [store, told, odd, now] = [new EntityStore(), [], [], 0];
  teller = newTeller();
});

function newTeller(): ReportPublisher {
  return new ReportPublisher({
    store,
    contractById,
    accountOf: (id) => accountId(`tv-${id}`),
    onReport: (_account, one) => (isUnderstood(one) ? told.push(one) : odd.push(one)),
    elapsed: () => now,
  });
}

/** Takes events of one order, or of a leg. */
function hear(events: readonly TradovatePropsEvent[], ids: readonly number[] = [100]): void {
  for (const one of events) {
    store.apply(one);
    for (const id of ids) teller.publish(id);
  }
}

const summary = () =>
  told.map(({ execType, order: { ordStatus, cumQty }, fill: part }) =>
    [execType, ordStatus, cumQty, ...(part === undefined ? [] : [part.lastQty])].join(" "),
  );

const FILLED = [
  event("fill", "Created", fill(110, 100, 1)),
  event("executionReport", "Created", executed(111, 100, "Trade")),
  event("fill", "Created", fill(112, 100, 1)),
  event("order", "Updated", order(100, "Filled")),
];

describe("reports made of what entities become", () => {
  test("a life is told step by step: new, each part, and filled with the last one", () => {
    hear([...placed(100), ...FILLED]);
    expect(summary()).toEqual(["NEW NEW 0", "TRADE PARTIALLY_FILLED 1 1", "TRADE FILLED 2 1"]);
  });

  test("what has filled by an unknown word is told as filled, and waited for no longer", () => {
    const odd = event("order", "Updated", order(100, "DoneForDay"));
    hear([...placed(100), ...FILLED.slice(0, 2), odd, ...FILLED.slice(2, 3)]);
    expect(summary()).toEqual(["NEW NEW 0", "TRADE PARTIALLY_FILLED 1 1", "TRADE FILLED 2 1"]);
    expect(told.at(-1)?.order.leavesQty).toBe(0);
  });

  test("fills that come before everything else wait for their order, and nothing is told twice", () => {
    const { length } = FILLED;
    hear([...FILLED.slice(0, length - 1), ...placed(100), ...FILLED, ...FILLED, ...placed(100)]);
    expect(summary()).toEqual(["NEW NEW 0", "TRADE PARTIALLY_FILLED 1 1", "TRADE FILLED 2 1"]);
  });

  test("however parts and repeats are mixed, each fill is told once and the order ends once", () => {
    const events = [...placed(100), ...FILLED];
    fc.assert(
      fc.property(fc.shuffledSubarray(events), (noise) => {
        [store, told] = [new EntityStore(), []];
        teller = newTeller();
        // What is repeated early is an entity's creation: an update cannot come before it.
        hear(noise.filter(({ eventType }) => eventType === "Created"));
        hear(events);
        const fills = told.flatMap((one) => one.fill?.execId ?? []);
        expect(new Set(fills).size).toBe(fills.length);
        expect([...fills].sort()).toEqual(["110", "112"]);
        expect(told.filter(({ execType }) => execType === "NEW")).toHaveLength(1);
        expect(told.at(-1)?.order).toMatchObject({ ordStatus: "FILLED", cumQty: 2 });
      }),
    );
  });

  test("a change is told once it is in force, and a refused one never", () => {
    const modify = { orderId: 100, commandType: "Modify" };
    hear([
      ...placed(100),
      event("command", "Created", command(120, "Pending", modify)),
      event("orderVersion", "Created", version(120, { orderId: 100, price: 5_001 })),
      event("command", "Updated", command(120, "RiskRejected", modify)),
      event("command", "Created", command(130, "Pending", modify)),
      event("orderVersion", "Created", version(130, { orderId: 100, price: 5_002 })),
      event("command", "Updated", command(130, "AtExecution", modify)),
    ]);
    expect(summary()).toEqual(["NEW NEW 0"]);
    hear([event("executionReport", "Created", executed(131, 100, "Replaced", 130))]);
    expect(summary()).toEqual(["NEW NEW 0", "REPLACED NEW 0"]);
    expect(told.at(-1)?.order.price).toBe(20_008);
  });

  test("a refusal is told with its words, which come right after it", () => {
    hear([
      event("order", "Created", order(100, "Unknown")),
      event("command", "Created", command(100, "Pending")),
      event("orderVersion", "Created", version(100)),
      event("order", "Updated", order(100, "Rejected")),
    ]);
    expect(told).toEqual([]);
    const text = "Your maximum order quantity has been met.";
    hear([event("commandReport", "Created", report(101, 100, "RiskRejected", { text }))]);
    expect(told).toMatchObject([{ execType: "REJECTED", order: { text, leavesQty: 0 } }]);
  });

  test("a refusal without words is told all the same, a little later", () => {
    hear([...placed(100).slice(0, 3), event("order", "Updated", order(100, "Rejected"))]);
    now = 300;
    teller.sweep(5_000);
    expect(summary()).toEqual(["REJECTED REJECTED 0"]);
  });

  test("the part fill of an order that is canceled is told before its end, a late one after it", () => {
    hear([
      ...placed(100),
      event("fill", "Created", fill(110, 100, 1)),
      event("order", "Updated", order(100, "Canceled")),
      event("fill", "Created", fill(112, 100, 1)),
    ]);
    expect(summary()).toEqual([
      "NEW NEW 0",
      "TRADE PARTIALLY_FILLED 1 1",
      "CANCELED CANCELED 1",
      "TRADE CANCELED 2 1",
    ]);
  });

  test("a leg that is used up while its entry works waits again, and is not filled", () => {
    const leg = { parentId: 50, ocoId: 120 };
    hear([...placed(50)], [50]);
    told.length = 0;
    hear([
      ...placed(100, leg),
      event("fill", "Created", fill(110, 100, 2)),
      event("order", "Updated", order(100, "Suspended", leg)),
    ]);
    expect(summary()).toEqual(["NEW NEW 0", "TRADE HELD 2 2"]);
    hear([event("order", "Updated", order(100, "Filled", leg))]);
    expect(summary().at(-1)).toBe("RESTATED FILLED 2");
  });

  test("what stood when the session began is not told again, what was pending is", () => {
    for (const one of placed(100)) store.apply(one);
    for (const one of placed(200).slice(0, 3)) store.apply(one);
    teller.begin();
    hear([event("order", "Updated", order(200, "Working"))], [100, 200]);
    expect(told.map((one) => one.order.orderId)).toEqual(["200"]);
  });

  const half = (ordStatus: string) => event("order", "Updated", order(100, ordStatus));
  const fills = FILLED.filter(({ entityType }) => entityType === "fill");
  test.each<[string, readonly TradovatePropsEvent[], readonly TradovatePropsEvent[]]>([
    [
      "taken, and pending",
      [...placed(100).slice(0, 6), event("executionReport", "Created", executed(102, 100, "New"))],
      [half("Working")],
    ],
    [
      "refused, and pending",
      [
        ...placed(100).slice(0, 6),
        event("commandReport", "Created", report(103, 100, "RiskRejected")),
      ],
      [half("Rejected")],
    ],
    [
      "canceled, and working",
      [...placed(100), event("executionReport", "Created", executed(103, 100, "Canceled"))],
      [half("Canceled")],
    ],
    ["filled, and working", [...placed(100), ...fills], [half("Filled")]],
  ])("an order whose own status stays behind is named: %s", (_, behind, rest) => {
    hear(behind);
    now = 4_999;
    expect(teller.sweep(5_000)).toBeUndefined();
    now = 5_000;
    expect(teller.sweep(5_000)).toBe(100);
    hear(rest);
    expect(teller.sweep(5_000)).toBeUndefined();
  });

  test("a leg that is used up while its entry works is not behind", () => {
    const leg = { parentId: 50, ocoId: 120 };
    hear([...placed(50), ...placed(100, leg), ...fills], [50, 100]);
    now = 5_000;
    expect(teller.sweep(5_000)).toBeUndefined();
  });

  test("an order of which a part never comes is named, and one that is whole is not", () => {
    hear([...placed(100), event("order", "Updated", order(100, "Filled"))]);
    expect(teller.sweep(5_000)).toBeUndefined();
    now = 5_000;
    expect(teller.sweep(5_000)).toBe(100);
    hear(FILLED.slice(0, 3));
    expect(teller.sweep(5_000)).toBeUndefined();
  });

  test("a fee that comes late is told with its fill, once, and changes nothing else", () => {
    const fee = (commission: number) =>
      event("fillFee", "Created", { id: 112, commission, commissionCurrencyId: 1 });
    hear([...placed(100), ...FILLED]);
    const before = told.length;
    hear([fee(1.2), fee(1.2), event("fillFee", "Updated", { id: 112, commission: 1.3 })]);
    expect(told.slice(before)).toMatchObject([
      {
        execType: "RESTATED",
        order: { ordStatus: "FILLED", cumQty: 2 },
        fill: { execId: "112", lastQty: 1, fee: "1.20" },
      },
      { execType: "RESTATED", fill: { execId: "112", fee: "1.30" } },
    ]);
  });

  test("a fee that is known with its fill, or since before the session, is no news", () => {
    const fee = (id: number) => event("fillFee", "Created", { id, commission: 1.2 });
    for (const one of [...placed(100), fee(110)]) store.apply(one);
    store.apply(event("fill", "Created", fill(110, 100, 1)));
    teller.begin();
    hear([fee(112), event("fill", "Created", fill(112, 100, 1))]);
    expect(told).toMatchObject([{ execType: "TRADE", fill: { execId: "112", fee: "1.20" } }]);
  });

  test("a fill that is taken back is told once more, so that it counts no more", () => {
    hear([...placed(100), ...FILLED]);
    told.length = 0;
    const busted = event("fill", "Updated", { ...fill(110, 100, 1), active: false });
    hear([busted, busted, event("executionReport", "Created", executed(113, 100, "TradeCancel"))]);
    expect(summary()).toEqual(["TRADE_CANCEL FILLED 1 1"]);
    expect(told[0]?.fill).toMatchObject({ execId: "110", lastQty: 1, takenBack: true });
    now = 60_000;
    expect(teller.sweep(5_000)).toBeUndefined();
  });

  test("a fill that is taken back before it was told is told as that alone", () => {
    hear([...placed(100), event("fill", "Created", { ...fill(110, 100, 1), active: false })]);
    expect(summary()).toEqual(["NEW NEW 0", "TRADE_CANCEL NEW 0 1"]);
  });

  test("a fill that is corrected is told with what it is now", () => {
    const part = event("fill", "Created", fill(110, 100, 1));
    hear([...placed(100), part, event("fill", "Updated", { ...fill(110, 100, 1), price: 101 })]);
    expect(summary().at(-1)).toBe("TRADE_CORRECT PARTIALLY_FILLED 1 1");
    expect(told.at(-1)?.fill?.lastPx).not.toBe(told.at(-2)?.fill?.lastPx);
  });

  test("a correction that is only reported has the order asked for, until its fill shows it", () => {
    hear([...placed(100), ...FILLED]);
    hear([event("executionReport", "Created", executed(113, 100, "TradeCorrect"))]);
    now = 60_000;
    expect(teller.sweep(5_000)).toBe(100);
    hear([event("fill", "Updated", { ...fill(112, 100, 1), price: 101 })]);
    expect(teller.sweep(5_000)).toBeUndefined();
  });

  test("what was taken back before the session began is no news", () => {
    for (const one of [...placed(100), ...FILLED]) store.apply(one);
    store.apply(event("fill", "Updated", { ...fill(110, 100, 1), active: false }));
    teller.begin();
    hear([event("fillFee", "Created", { id: 110, commission: 1.2 })]);
    expect(told).toEqual([]);
    now = 60_000;
    expect(teller.sweep(5_000)).toBeUndefined();
    hear([event("fill", "Updated", { ...fill(112, 100, 1), active: false })]);
    expect(summary()).toEqual(["TRADE_CANCEL FILLED 0 1"]);
  });

  test("of an order that is not understood each fill is told once, and nothing else", () => {
    const touched = event("orderVersion", "Created", version(100, { orderType: "MIT" }));
    const parts = placed(100).filter(({ entityType }) => entityType !== "orderVersion");
    hear([...parts, touched, ...FILLED, ...FILLED]);
    expect(told).toEqual([]);
    expect(odd).toMatchObject([
      { execType: "TRADE", order: { orderId: "100" }, fill: { execId: "110", side: "BUY" } },
      {
        execType: "TRADE",
        order: { problem: expect.stringMatching(/MIT/) as string },
        fill: { execId: "112", lastQty: 1 },
      },
    ]);
  });

  test("and those that the snapshot had are not told again", () => {
    const larger = event("orderVersion", "Updated", version(100, { orderQty: 3 }));
    const dreaming = event("order", "Updated", order(100, "Dreaming"));
    for (const one of [...placed(100), larger, dreaming]) store.apply(one);
    store.apply(event("fill", "Created", fill(110, 100, 1)));
    teller.begin();
    hear([event("fill", "Created", fill(112, 100, 1))]);
    expect(odd.map(({ fill: { execId } }) => execId)).toEqual(["112"]);
  });
});
