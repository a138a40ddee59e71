import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import { clOrdId, intentId, orderId } from "../../../../../src/domain/ids.ts";
import type { IntentRecord, IntentState } from "../../../../../src/domain/intent.ts";
import { ticks } from "../../../../../src/domain/contracts/price.ts";
import { deadlineOf } from "../../../../../src/trading/lane/timeouts/deadline-of.ts";
import { OrderDeadlines } from "../../../../../src/trading/lane/timeouts/order-deadlines.ts";
import type {
  OrderDeadline,
  OrderDeadlineStore,
} from "../../../../../src/trading/lane/timeouts/ports.ts";
import type { Submission } from "../../../../../src/trading/orders/submit-intent.ts";
import { ACCOUNT, ES, USER } from "../../lane-kit.ts";
import { ScriptedBroker } from "../../scripted-broker.ts";

const OWN_INTENT = intentId(`i${"a".repeat(28)}`);
const OWN = clOrdId(`${OWN_INTENT}-1`);
const ENTRY = orderId("7");

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
  onTestFinished(() => void vi.useRealTimers());
});

/** Deadlines in a memory that several processes share. */
function openDeadlines() {
  const kept = new Map<string, OrderDeadline>();
  const store: OrderDeadlineStore = {
    of: async () => [...kept.values()],
    forget: async (_account, order) => void kept.delete(order),
  };
  const states = new Map<string, IntentState>([[OWN_INTENT, "DONE"]]);
  const submissions: Submission[] = [];
  const broker = new ScriptedBroker();
  const world = { isUp: true, endsAs: "DONE" as IntentState };
  const errors: unknown[] = [];
  const open = () => {
    const deadlines = new OrderDeadlines({
      store,
      intents: {
        find: async (_account, id) => {
          const state = states.get(id);
          return state && ({ state } as IntentRecord);
        },
      },
      brokerOf: () => (world.isUp ? broker : undefined),
      intentIdOf: (_account, order, nth) => intentId(`${order} ${nth}`),
      entryMaxAgeMs: 30_000,
      after: (ms, then) => {
        const timer = setTimeout(then, ms);
        return () => clearTimeout(timer);
      },
      now: () => Date.now(),
      onError: (_account, error) => errors.push(error),
    });
    deadlines.submitBy(async (submission) => {
      submissions.push(submission);
      states.set(submission.intentId ?? "", world.endsAs);
      if (world.endsAs === "DONE") broker.change(ENTRY, { ordStatus: "CANCELED" });
      return { intentId: submission.intentId ?? intentId("none") };
    });
    onTestFinished(() => deadlines.stop());
    return deadlines;
  };
  broker.show({ orderId: ENTRY, clOrdId: OWN, side: "BUY" });
  /** The order's write-ahead stores it. */
  const keep = (deadlines: OrderDeadlines, timedOrder: Parameters<typeof deadlineOf>[0]) => {
    const deadline = deadlineOf(timedOrder);
    kept.set(deadline.intent.clOrdId, deadline);
    deadlines.take(ACCOUNT, deadline);
  };
  return { keep, kept, states, submissions, broker, world, errors, open };
}

const timed = (then: "cancel" | "market" = "cancel") => ({
  record: { accountId: ACCOUNT, userId: USER, acceptedAt: 1_000_000 } as IntentRecord,
  order: {
    clOrdId: OWN,
    contract: ES,
    side: "BUY" as const,
    orderQty: 2,
    ordType: "LIMIT" as const,
    price: ticks(4_000),
    timeInForce: "DAY" as const,
    bracket: { stopLoss: { by: "distance" as const, distance: ticks(8) } },
  },
  handling: { timeout: { afterSeconds: 60, then } },
  onlyCloses: false,
});

const wait = async (ms: number) => await vi.advanceTimersByTimeAsync(ms);

test("an entry is ended when it is due, and not before", async () => {
  const { keep, open, submissions, kept } = openDeadlines();
  keep(open(), timed("market"));
  await wait(59_999);
  expect(submissions).toEqual([]);
  await wait(1);
  expect(submissions).toMatchObject([
    {
      accountId: ACCOUNT,
      userId: USER,
      source: { kind: "timeout" },
      entryMaxAgeMs: 30_000,
      intent: { kind: "TIMEOUT", clOrdId: OWN, then: "market", contract: ES, side: "BUY" },
    },
  ]);
  expect(submissions[0]?.intent).toMatchObject({ bracket: { stopLoss: { distance: 8 } } });
  await wait(60_000);
  expect(submissions).toHaveLength(1);
  expect(kept.size).toBe(0);
});

test("one that is reported as ended is forgotten", async () => {
  const { keep, open, submissions, kept, broker } = openDeadlines();
  const deadlines = open();
  keep(deadlines, timed());
  broker.change(ENTRY, { ordStatus: "FILLED" });
  const order = await broker.findOrder(ACCOUNT, OWN);
  if (order === undefined) throw new Error("it is there");
  deadlines.onReport(ACCOUNT, { execType: "NEW", order });
  await wait(120_000);
  expect([submissions.length, kept.size]).toEqual([0, 0]);
});

test("one whose end was not heard is looked at, and forgotten, when it is due", async () => {
  const { keep, open, submissions, kept, broker } = openDeadlines();
  keep(open(), timed());
  broker.change(ENTRY, { ordStatus: "CANCELED" });
  await wait(60_000);
  expect([submissions.length, kept.size]).toEqual([0, 0]);
});

test("one that was never sent is forgotten when it is due", async () => {
  const { keep, open, submissions, kept, broker, states } = openDeadlines();
  keep(open(), timed());
  broker.orders.clear();
  states.set(OWN_INTENT, "EXPIRED");
  await wait(60_000);
  expect([submissions.length, kept.size]).toEqual([0, 0]);
});

test("the next owner takes it up, and asks for no second intent", async () => {
  const { keep, open, submissions, world } = openDeadlines();
  world.endsAs = "UNKNOWN";
  const former = open();
  keep(former, timed());
  await wait(60_000);
  expect(submissions).toHaveLength(1);
  former.stop();
  const next = open();
  await next.load(ACCOUNT);
  await wait(10_000);
  expect(submissions).toHaveLength(1);
});

test("what did not come to anything is asked for again, under another id", async () => {
  const { keep, open, submissions, world } = openDeadlines();
  world.endsAs = "EXPIRED";
  keep(open(), timed());
  await wait(60_000);
  world.endsAs = "DONE";
  await wait(10_000);
  expect(submissions.map((one) => one.intentId)).toEqual([`${OWN} 1`, `${OWN} 2`]);
});

test("while the connection is down it waits; an entry that is late then is only cancelled", async () => {
  const { keep, open, submissions, world } = openDeadlines();
  world.isUp = false;
  keep(open(), timed("market"));
  await wait(80_000);
  expect(submissions).toEqual([]);
  world.isUp = true;
  await wait(1_000);
  expect(submissions[0]?.entryMaxAgeMs).toBe(9_000);

  const other = openDeadlines();
  other.world.isUp = false;
  other.keep(other.open(), timed("market"));
  await wait(120_000);
  other.world.isUp = true;
  await wait(1_000);
  expect(other.submissions[0]?.entryMaxAgeMs).toBe(0);
});

test("of many that are due at once only a few wait on the lane, and none is left out", async () => {
  const { keep, open, submissions, states, world, broker } = openDeadlines();
  world.endsAs = "PREPARED";
  const deadlines = open();
  const orders = ["b", "c", "d", "e", "f"].map((letter) => clOrdId(`i${letter.repeat(28)}-1`));
  for (const [nth, order] of orders.entries()) {
    broker.show({ orderId: orderId(`${20 + nth}`), clOrdId: order, side: "BUY" });
    const one = timed();
    keep(deadlines, { ...one, order: { ...one.order, clOrdId: order } });
  }
  const asked = () => submissions.map(({ intent }) => "clOrdId" in intent && intent.clOrdId);
  await wait(70_000);
  expect(asked()).toEqual(orders.slice(0, 2));
  states.set(submissions[0]?.intentId ?? "", "DONE");
  await wait(1_100);
  expect(asked()).toEqual(orders.slice(0, 3));
  world.endsAs = "UNKNOWN";
  for (const { intentId: id } of submissions) states.set(id ?? "", "DONE");
  await wait(1_100);
  expect(asked()).toEqual(orders);
});
