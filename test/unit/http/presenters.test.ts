/**
 * Goal: nothing that is stored, or that a broker reports, keeps a list from being shown. Method: every
 * presenter of the log and of accounts, over rows whose contracts are in no table and whose fields are
 * not what they were meant to be.
 */
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { createDescribeContract } from "../../../src/trading/orders/describe-contract.ts";
import type { ContractCode } from "../../../src/domain/contracts/contract.ts";
import type { Fill, WorkingOrder } from "../../../src/domain/order.ts";
import type { Product } from "../../../src/domain/contracts/product.ts";
import type { BrokerTerms } from "../../../src/domain/broker-terms.ts";
import {
  presentPositions,
  presentTrades,
  presentWorkingOrders,
} from "../../../src/http/present/account.ts";
import { alertAnswer } from "../../../src/http/present/alert.ts";
import { presentCopy, presentCopyGroup } from "../../../src/http/present/copy.ts";
import { presentChart, presentEvaluation } from "../../../src/http/present/evaluation.ts";
import { presentIntent } from "../../../src/http/present/intent.ts";
import { presentLoggedAlert, presentWholeAlert } from "../../../src/http/present/logged-alert.ts";
import type { Holding } from "../../../src/trading/reads/read-holdings.ts";

const ES = { tickSize: "0.25", tickValue: "12.5", currency: "USD" } as Product;
const describeContract = createDescribeContract({
  product: (root) => (root === "ES" ? ES : undefined),
});

const heldAs = (position: Holding["position"], mark?: object) =>
  ({ position, mark, protection: { kind: "protected" }, exits: undefined }) as unknown as Holding;

const contract = fc.constantFrom(
  ...["ESZ2026", "XYZZ2026", "ESZ6 C5000", "#77", "", "__proto__"].map(
    (code) => code as ContractCode,
  ),
);
const odd = fc.constantFrom<unknown>(undefined, null, Number.NaN, 1.5, -3, 0, 7, "7", 1e300);
const side = fc.constantFrom("BUY", "SELL", "SWAP");
const average = fc.oneof(odd, fc.record({ numerator: odd, denominator: odd }));
const terms = fc.option(
  fc.record({
    tickSize: fc.constantFrom("0.25", "0", "", "x", "-1"),
    tickValue: fc.constantFrom(undefined, "5", "x", "0"),
    currency: fc.constantFrom(undefined, "USD"),
  }),
  { nil: undefined },
);
const status = fc.constantFrom("NEW", "FILLED", "DREAMING", undefined);
const order = fc.record({
  orderId: fc.constant("1"),
  clOrdId: fc.constantFrom(undefined, "x", `i${"0".repeat(28)}-1`),
  contract,
  terms,
  side,
  ordType: fc.constantFrom("LIMIT", "ICEBERG"),
  ordStatus: status,
  orderQty: odd,
  cumQty: odd,
  leavesQty: odd,
  price: odd,
  stopPx: odd,
  trailOffset: odd,
  avgPx: average,
  transactTimeAt: odd,
});
const holding = fc.record({ contract, netQty: odd, orderId: fc.constant("2") });
const result = fc.oneof(
  fc.record({ kind: fc.constant("PLACE"), contract, order }),
  fc.record({ kind: fc.constant("MODIFY"), order }),
  fc.record({ kind: fc.constant("CANCEL"), orderId: fc.constant("3") }),
  fc.record({ kind: fc.constant("PROTECT"), contract, orderQty: odd }),
  fc.record({
    kind: fc.constant("FLATTEN"),
    closed: fc.array(holding, { maxLength: 2 }),
    remaining: fc.array(holding, { maxLength: 2 }),
    canceledOrderIds: fc.constant([]),
    remainingOrderIds: fc.constant([]),
    problems: fc.constant([]),
  }),
  fc.record({
    kind: fc.constant("ADJUST"),
    contract,
    netQty: odd,
    order: fc.option(order, { nil: undefined }),
    closed: fc.array(holding, { maxLength: 2 }),
    canceledOrderIds: fc.constant([]),
    problems: fc.constant([]),
  }),
  fc.record({
    kind: fc.constant("TEST"),
    steps: fc.array(
      fc.oneof(
        fc.record({
          kind: fc.constant("cancel"),
          contract: fc.option(contract, { nil: undefined }),
        }),
        fc.record({ kind: fc.constant("close"), contract, netQty: odd }),
        fc.record({ kind: fc.constant("order"), order }),
        fc.record({ kind: fc.constant("protect"), contract, levels: fc.constant({}) }),
      ),
      { maxLength: 3 },
    ),
  }),
);
const record = fc.record({
  intentId: fc.constant("i1"),
  accountId: fc.constant("a1"),
  requestId: fc.constant("r1"),
  source: fc.constant({ kind: "api" }),
  intent: fc.oneof(
    fc.record({ kind: fc.constant("PLACE"), order }),
    fc.record({ kind: fc.constant("FLATTEN") }),
    fc.record({
      kind: fc.constant("ADJUST"),
      contract,
      aim: fc.constant({ to: "reverse" }),
      terms: fc.constant({}),
    }),
  ),
  state: fc.constantFrom("DONE", "DREAMING"),
  acceptedAt: odd,
  sentAt: odd,
  settledAt: odd,
  outcome: fc.record({ kind: fc.constant("done"), result }),
});
const entry = fc.record({
  alertId: fc.constant("al1"),
  contract: fc.option(contract, { nil: undefined }),
  receivedAt: odd,
  decisions: fc.constant([]),
  unread: fc.constant([]),
});
const evaluation = fc.record({
  contract: fc.option(contract, { nil: undefined }),
  openedAt: odd,
  endedAt: odd,
  slotAt: odd,
  netQty: odd,
  outcome: fc.record({ kind: fc.constant("done"), result }),
});

/** What is not typed so is exactly what is meant: rows as they might be, not as they are written. */
const all =
  <Row>(row: fc.Arbitrary<unknown>, present: (row: Row) => unknown) =>
  () =>
    fc.assert(fc.property(row, (made) => void JSON.stringify(present(made as Row))));

describe("no row keeps a list from being shown", () => {
  test("positions, trades and working orders", () => {
    const position = fc.record({
      contract,
      netQty: odd,
      terms,
      avgPx: average,
      realizedPnl: fc.constantFrom(undefined, "12.5", "x"),
    });
    const mark = fc.option(fc.record({ px: odd, at: odd }), { nil: undefined });
    const held = fc
      .record({ position, mark })
      .map((one) => heldAs(one.position as Holding["position"], one.mark));
    expect(
      all<Holding>(held, (one) =>
        presentPositions({ value: [one], asOf: 0, live: true }, describeContract),
      ),
    ).not.toThrow();
    const fill = fc.record({
      contract,
      terms,
      side,
      lastQty: odd,
      lastPx: odd,
      transactTimeAt: odd,
    });
    expect(
      all<Fill>(fill, (one) => presentTrades({ items: [one] }, describeContract)),
    ).not.toThrow();
    const opaque = fc.record({ orderId: fc.constant("9"), problem: fc.constant("It names none") });
    expect(
      all<WorkingOrder>(fc.oneof(order, opaque), (one) =>
        presentWorkingOrders([one], describeContract),
      ),
    ).not.toThrow();
  });

  test("intents, alerts, copies and evaluations", () => {
    expect(
      all<Parameters<typeof presentIntent>[0]>(record, (one) =>
        presentIntent(one, describeContract),
      ),
    ).not.toThrow();
    expect(
      all<Parameters<typeof presentLoggedAlert>[0]>(fc.record({ entry, intent: record }), (one) => [
        presentLoggedAlert(one, describeContract),
        presentWholeAlert(one, describeContract),
      ]),
    ).not.toThrow();
    type Settled = Extract<Parameters<typeof alertAnswer>[0], { settled?: unknown }>["settled"];
    expect(
      all<NonNullable<Settled>>(fc.record({ record }), (settled) =>
        alertAnswer({ alertId: "al1", settled, unread: [] } as never, {
          describe: describeContract,
          requestId: "r",
          told: (error) => ({ error, status: 500 }),
        }),
      ),
    ).not.toThrow();
    const copy = fc.record({
      entry: fc.record({
        contract,
        leaderContract: contract,
        leaderSide: side,
        leaderQty: odd,
        leaderPx: average,
        leaderAt: odd,
        notedAt: odd,
      }),
      intent: record,
      measure: fc.record({ filledQty: odd, avgPx: average }),
    });
    expect(
      all<Parameters<typeof presentCopy>[0]>(copy, (one) => presentCopy(one, describeContract)),
    ).not.toThrow();
    expect(
      all<Parameters<typeof presentEvaluation>[0]>(evaluation, (one) =>
        presentEvaluation(one, describeContract),
      ),
    ).not.toThrow();
    const chart = fc.record({
      strategy: fc.constant({}),
      contract,
      bars: fc.array(fc.record({ startsAt: odd })),
      series: fc.constant({}),
      decisions: fc.array(evaluation, { maxLength: 2 }),
    });
    expect(
      all<Parameters<typeof presentChart>[0]>(chart, (one) => presentChart(one, describeContract)),
    ).not.toThrow();
    const group = fc.record({
      group: fc.record({ createdAt: odd }),
      followers: fc.array(
        fc.record({
          follower: fc.constant({ size: { by: "fixed", qty: 1 } }),
          state: fc.constantFrom("drifting", "following"),
          positions: fc.array(fc.record({ contract, heldQty: odd, dueQty: odd }), { maxLength: 2 }),
        }),
        { maxLength: 2 },
      ),
    });
    expect(
      all<Parameters<typeof presentCopyGroup>[0]>(group, (one) =>
        presentCopyGroup(one, describeContract),
      ),
    ).not.toThrow();
  });
});

describe("what is shown of a contract that no table lists", () => {
  const foreign = "XYZZ2026" as ContractCode;
  const told = { tickSize: "0.1", tickValue: "2", currency: "EUR" } as BrokerTerms;
  const position = { contract: foreign, netQty: 2, avgPx: { numerator: 101, denominator: 2 } };

  test("is what the broker told with it", () => {
    const value = [heldAs({ ...position, terms: told }, { px: 60, at: 0, isStale: false })];
    const { positions } = presentPositions({ value, asOf: 0, live: true }, describeContract);
    expect(positions).toMatchObject([
      { symbol: "XYZZ6", averagePrice: 5.05, markPrice: 6, unrealizedPnl: 38, currency: "EUR" },
    ]);
  });

  test("is null where nobody told it", () => {
    const { positions } = presentPositions(
      { value: [heldAs(position)], asOf: 0, live: true },
      describeContract,
    );
    expect(positions).toMatchObject([
      { symbol: "XYZZ6", qty: 2, averagePrice: null, unrealizedPnl: null, currency: null },
    ]);
  });
});
