import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { EntityStore } from "../../../../src/brokers/projectx/entity-store.ts";
import { ReportPublisher } from "../../../../src/brokers/projectx/report-publisher.ts";
import type { ContractCode } from "../../../../src/domain/contracts/contract.ts";
import { tickSize } from "../../../../src/domain/contracts/price.ts";
import { accountId } from "../../../../src/domain/ids.ts";
import {
  type ExecutionReport,
  isUnderstood,
  type OpaqueExecution,
} from "../../../../src/domain/order.ts";

type Told = readonly ["order" | "trade", object];

let store: EntityStore;
let told: ExecutionReport[];
let odd: OpaqueExecution[];
let now: number;
let publisher: ReportPublisher;

beforeEach(begin);

function begin(): void {
  [store, told, odd, now] = [new EntityStore(), [], [], 0];
  publisher = new ReportPublisher({
    store,
    contractById: (id) => ({ code: "ESU2025" as ContractCode, id, tickSize: tickSize("0.25") }),
    accountOf: (id) => accountId(`px-${id}`),
    onReport: (_, report) => (isUnderstood(report) ? told.push(report) : odd.push(report)),
    elapsed: () => now,
  });
}

const at = (second: number) => new Date(Date.UTC(2026, 0, 1, 0, 0, second)).toISOString();
const order = (fields: object = {}): Told => [
  "order",
  {
    id: 10,
    accountId: 1,
    contractId: "C",
    creationTimestamp: at(1),
    updateTimestamp: at(1),
    status: 1,
    type: 1,
    side: 0,
    size: 2,
    limitPrice: 100,
    fillVolume: 0,
    customTag: "tag",
    ...fields,
  },
];
const trade = (id: number, fields: object = {}): Told => [
  "trade",
  {
    id,
    accountId: 1,
    orderId: 10,
    contractId: "C",
    creationTimestamp: at(id),
    side: 0,
    size: 1,
    price: 100,
    ...fields,
  },
];

function hear(...all: readonly Told[]): void {
  for (const [type, value] of all) {
    for (const { entity } of store.apply(type, value)) {
      publisher.publish("orderId" in entity ? entity.orderId : entity.id);
    }
  }
}

const summary = () =>
  told.map(({ execType, order: { orderId, ordStatus, cumQty }, fill }) =>
    [orderId, execType, ordStatus, cumQty, ...(fill === undefined ? [] : [fill.execId])].join(" "),
  );

const LIFE = [
  order({ status: 6 }),
  order(),
  trade(2),
  order({ fillVolume: 1, updateTimestamp: at(2) }),
  trade(3),
  order({ fillVolume: 2, status: 2, updateTimestamp: at(3) }),
];
const FILLED = ["10 NEW NEW 0", "10 TRADE PARTIALLY_FILLED 1 2", "10 TRADE FILLED 2 3"];

describe("reports made of what the broker tells", () => {
  test("a life is told step by step: new, each part, and filled with the last one", () => {
    hear(...LIFE);
    expect(summary()).toEqual(FILLED);
    expect(told.at(-1)?.order).toMatchObject({
      clOrdId: "tag",
      leavesQty: 0,
      avgPx: { numerator: 800, denominator: 2 },
    });
  });

  test("in whatever order, and however often, each thing is told once and orders live once", () => {
    const shuffles = fc.array(fc.constantFrom(...LIFE), { maxLength: 20 });
    fc.assert(
      fc.property(shuffles, (some) => {
        begin();
        hear(...some, ...LIFE);
        expect(told.map(({ execType }) => execType)).toEqual(["NEW", "TRADE", "TRADE"]);
        expect(told.map((one) => one.order.cumQty)).toEqual([0, 1, 2]);
        expect(told.at(-1)?.order.ordStatus).toBe("FILLED");
      }),
    );
  });

  test("a cancel waits for what has filled before it", () => {
    hear(order(), order({ status: 3, fillVolume: 1, updateTimestamp: at(4) }));
    expect(summary()).toEqual(["10 NEW NEW 0"]);
    now += 5_000;
    expect(publisher.sweep(5_000)).toEqual(["10"]);
    hear(trade(2));
    expect(summary().slice(1)).toEqual(["10 TRADE PARTIALLY_FILLED 1 2", "10 CANCELED CANCELED 1"]);
    expect(publisher.sweep(0)).toEqual([]);
  });

  test("what never comes is waited for no longer once that is known", () => {
    hear(order(), order({ status: 3, fillVolume: 1, updateTimestamp: at(4) }));
    publisher.excuse("10");
    expect(summary()).toEqual(["10 NEW NEW 0", "10 CANCELED CANCELED 0"]);
    expect(publisher.sweep(0)).toEqual([]);
  });

  test("a late fill is told after the end", () => {
    hear(order(), order({ status: 3, updateTimestamp: at(4) }), trade(2));
    expect(summary().slice(1)).toEqual(["10 CANCELED CANCELED 0", "10 TRADE CANCELED 1 2"]);
  });

  test("a refusal is the only word on its order", () => {
    hear(order({ status: 5 }), order({ status: 5, updateTimestamp: at(2) }));
    expect(summary()).toEqual(["10 REJECTED REJECTED 0"]);
  });

  test("a change is told with what is in force from then on", () => {
    hear(order(), order({ limitPrice: 99, updateTimestamp: at(2) }));
    expect(told.at(-1)).toMatchObject({ execType: "REPLACED", order: { price: 396 } });
    hear(order({ limitPrice: 99, updateTimestamp: at(3) }));
    expect(told).toHaveLength(2);
  });

  test("what a trade costs is told again when it is known", () => {
    hear(order(), trade(2), trade(2, { fees: 1.4 }), trade(2, { fees: 1.4, commissions: 0.5 }));
    expect(summary().slice(1)).toEqual([
      "10 TRADE PARTIALLY_FILLED 1 2",
      "10 RESTATED PARTIALLY_FILLED 1 2",
      "10 RESTATED PARTIALLY_FILLED 1 2",
    ]);
    expect(told.at(-1)?.fill).toMatchObject({ fee: "1.90", feeCurrency: "USD" });
  });

  test("a trade that is taken back is told once more, so that it counts no more", () => {
    hear(order(), trade(2), trade(3), order({ status: 2, fillVolume: 2, updateTimestamp: at(3) }));
    told.length = 0;
    hear(trade(2, { voided: true }), trade(2, { voided: true, fees: 1 }), trade(2));
    expect(summary()).toEqual(["10 TRADE_CANCEL FILLED 1 2"]);
    expect(told[0]?.fill).toMatchObject({ execId: "2", lastQty: 1, takenBack: true });
    now = 60_000;
    expect(publisher.sweep(5_000)).toEqual([]);
  });

  test("a trade that is taken back before it was told is told as that alone", () => {
    hear(order(), trade(2, { voided: true }), trade(2));
    expect(summary()).toEqual(["10 NEW NEW 0", "10 TRADE_CANCEL NEW 0 2"]);
  });

  test("a trade that is corrected is told with what it is now", () => {
    hear(order({ size: 3 }), trade(2, { size: 2 }), trade(2, { size: 1, price: 101 }));
    expect(summary()).toEqual([
      "10 NEW NEW 0",
      "10 TRADE PARTIALLY_FILLED 2 2",
      "10 TRADE_CORRECT PARTIALLY_FILLED 1 2",
    ]);
    expect(told[2]).toMatchObject({ fill: { lastPx: 404 }, order: { leavesQty: 2 } });
  });

  test("a trade of before the session that is taken back is told, one that was so by then is not", () => {
    for (const [type, entity] of [order(), trade(2), trade(3, { voided: true })]) {
      store.apply(type, entity);
    }
    publisher.begin("1");
    for (const one of [trade(2, { voided: true }), trade(3, { voided: true })]) {
      for (const { entity } of store.apply(...one)) {
        if ("voided" in entity) publisher.noteChanged(entity);
      }
    }
    expect(told.map(({ execType, fill }) => [execType, fill?.execId])).toEqual([
      ["TRADE_CANCEL", "2"],
    ]);
  });

  test("of an order that is not understood the trades are told", () => {
    hear(order({ type: 6 }), trade(2), order({ type: 6, status: 77, updateTimestamp: at(3) }));
    expect(told).toEqual([]);
    expect(odd.map(({ order: { problem }, fill }) => `${fill.execId} ${problem}`)).toEqual([
      "2 Its type 6 is not known here",
    ]);
  });
});

describe("legs", () => {
  const leg = (fields: object = {}): Told =>
    order({
      id: 11,
      parentOrderId: 10,
      customTag: "tag-SL",
      type: 4,
      side: 1,
      status: 8,
      limitPrice: null,
      ...fields,
    });
  const live = { status: 1, stopPrice: 90, updateTimestamp: at(5) };

  test("are told after their entry, though they come before it", () => {
    hear(leg());
    expect(told).toEqual([]);
    hear(order({ status: 6 }), order());
    expect(summary()).toEqual(["10 NEW NEW 0", "11 NEW HELD 0"]);
    expect(told.at(-1)?.order).toMatchObject({ role: "STOP_LOSS", parentOrderId: "10" });
  });

  test("whose entry is never told are told without it", () => {
    hear(leg());
    now += 2_000;
    publisher.sweep(60_000);
    expect(summary()).toEqual(["11 NEW HELD 0"]);
  });

  test("become live with their prices, and grow", () => {
    hear(order(), leg({ size: 1 }), trade(2), leg({ ...live, size: 1 }));
    expect(told.at(-1)).toMatchObject({
      execType: "RESTATED",
      order: { ordStatus: "NEW", stopPx: 360, orderQty: 1 },
    });
    hear(leg({ ...live, size: 2, updateTimestamp: at(6) }));
    expect(told.at(-1)).toMatchObject({ execType: "RESTATED", order: { orderQty: 2 } });
    hear(leg({ ...live, size: 2, stopPrice: 91, updateTimestamp: at(7) }));
    expect(told.at(-1)).toMatchObject({ execType: "REPLACED", order: { stopPx: 364 } });
  });

  test("end with an entry that ends unfilled, said or not", () => {
    hear(order(), leg(), order({ status: 3, updateTimestamp: at(4) }));
    expect(summary().slice(2)).toEqual(["10 CANCELED CANCELED 0", "11 CANCELED CANCELED 0"]);
    hear(leg({ status: 3, updateTimestamp: at(4) }));
    expect(told).toHaveLength(4);
  });
});

describe("a leg that is used up while its entry works", () => {
  const entry = order({ size: 4, fillVolume: 1 });
  const leg = (fields: object = {}): Told =>
    order({
      id: 11,
      parentOrderId: 10,
      customTag: "tag-TP",
      side: 1,
      size: 1,
      limitPrice: 110,
      updateTimestamp: at(3),
      ...fields,
    });
  const fill = trade(5, { orderId: 11, side: 1, fees: 1 });
  const before = ["10 NEW NEW 0", "10 TRADE PARTIALLY_FILLED 1 2", "11 NEW NEW 0"];

  test("is filled for good once that is said, whichever comes first", () => {
    const filled = leg({ status: 2, fillVolume: 1, updateTimestamp: at(5) });
    for (const told of [
      [fill, filled],
      [filled, fill],
    ]) {
      begin();
      hear(entry, trade(2), leg(), ...told, ...told);
      expect(summary()).toEqual([...before, "11 TRADE FILLED 1 5"]);
    }
  });

  test("waits again, and grows with the entry's next fill", () => {
    hear(entry, trade(2), leg(), fill);
    hear(leg({ status: 8, fillVolume: 1, updateTimestamp: at(5) }));
    hear(leg({ size: 3, fillVolume: 1, updateTimestamp: at(6) }));
    expect(summary()).toEqual([...before, "11 TRADE HELD 1 5", "11 RESTATED PARTIALLY_FILLED 1"]);
    expect(told.at(-1)?.order).toMatchObject({ orderQty: 3, leavesQty: 2 });
  });

  test("of which nothing more is said is used up, and ends with its entry", () => {
    hear(entry, trade(2), leg(), fill);
    now += 300;
    publisher.sweep(60_000);
    expect(summary().slice(3)).toEqual(["11 TRADE PARTIALLY_FILLED 1 5"]);
    hear(leg({ status: 2, fillVolume: 1, updateTimestamp: at(7) }));
    expect(summary().slice(4)).toEqual(["11 RESTATED FILLED 1"]);
  });

  test("leaves a sibling that ends with nothing left to do, as canceled with what it was for", () => {
    hear(entry, trade(2), leg(), leg({ status: 3, size: 0, updateTimestamp: at(5) }));
    expect(summary().slice(3)).toEqual(["11 CANCELED CANCELED 0"]);
    expect(told.at(-1)?.order).toMatchObject({ orderQty: 1, leavesQty: 0 });
  });
});

describe("what stood when the session began", () => {
  test("is not told again, and goes on from there", () => {
    for (const [type, value] of LIFE.slice(0, 4)) store.apply(type, value);
    publisher.begin("1");
    hear(...LIFE);
    expect(summary()).toEqual(["10 TRADE FILLED 2 3"]);
  });

  test("counts what had filled before by the order's own word", () => {
    store.apply(...order({ fillVolume: 1 }));
    publisher.begin("1");
    hear(trade(3));
    expect(summary()).toEqual(["10 TRADE FILLED 2 3"]);
    expect(told[0]?.order.avgPx).toBeUndefined();
  });

  test("counts a trade of before once, though it is listed only then", () => {
    store.apply(...order({ fillVolume: 1, updateTimestamp: at(2) }));
    publisher.begin("1");
    hear(trade(2), trade(4));
    expect(summary()).toEqual(["10 TRADE PARTIALLY_FILLED 1 2", "10 TRADE FILLED 2 4"]);
    expect(told[1]?.order.avgPx).toEqual({ numerator: 800, denominator: 2 });
  });

  test("and was listed late, after a trade of it, goes on and ends", () => {
    const past = store.apply(...trade(2)).map(({ entity }) => entity);
    for (const entity of past) if ("voided" in entity) publisher.passTrade(entity);
    expect(publisher.knows("10")).toBe(false);
    hear(order({ size: 3, fillVolume: 1, updateTimestamp: at(2) }));
    hear(order({ size: 3, fillVolume: 2, updateTimestamp: at(4) }), trade(4));
    hear(order({ size: 3, fillVolume: 2, status: 3, updateTimestamp: at(5) }));
    expect(summary()).toEqual(["10 TRADE PARTIALLY_FILLED 2 4", "10 CANCELED CANCELED 2"]);
  });

  test("is completed by what is listed of the past, which is no news", () => {
    store.apply(...order({ fillVolume: 1 }));
    publisher.begin("1");
    for (const { entity } of store.apply(...trade(2))) {
      if ("voided" in entity) publisher.passTrade(entity);
    }
    hear(trade(3));
    expect(summary()).toEqual(["10 TRADE FILLED 2 3"]);
  });
});
