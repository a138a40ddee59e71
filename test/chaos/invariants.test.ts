import { expect, test } from "vitest";
import type { History } from "./history.ts";
import { judge } from "./invariants.ts";
import { ACCOUNT, idOf, InventedRun } from "./invented-history.ts";

const run = () => new InventedRun();

/** The names of the checks that this history does not pass. */
function failed(history: History): string[] {
  return judge(history)
    .filter(({ violations }) => violations.length > 0)
    .map(({ name }) => name);
}

const LOST = "nothing accepted is lost";
const DOUBLED = "no order is doubled";
const ORDER = "orders leave in the order of acceptance";
const ORPHAN = "every order has its intent";
const UNSENT = "not sent is true";
const DONE = "done is true";
const POSITIONS = "positions agree on all sides";
const UNSETTLED = "nothing is left unsettled";
const TOO_MANY = "no more orders than intents";

const SAFE = { status: 503, told: { intentId: idOf(2), retry: "safe" } } as const;
const PENDING = { status: 202, told: { intentId: idOf(2), outcome: "pending" } } as const;
const HELD = { wasHeld: true } as const;

const GOOD: Readonly<Record<string, History>> = {
  "orders one after another": run().place(1, 2).place(2, -1).place(3, -1).history(),
  "a call that was not told, and whose order stands": run()
    .place(1, 1)
    .ask(2, { end: "broken", told: {} })
    .accept(2)
    .send(2, 1)
    .history(),
  "a call that is safe to repeat, and whose intent was withdrawn": run()
    .ask(2, SAFE)
    .accept(2, { state: "WITHDRAWN", clOrdIds: [] })
    .history(),
  "an exit that passes an entry that waits": run()
    .place(1, 2)
    .place(3, -1)
    .place(2, 1, HELD)
    .history(),
  "an unsent intent between two orders": run()
    .place(1, 1)
    .accept(2, { state: "DENIED", clOrdIds: [] })
    .place(3, 1)
    .history(),
};

test.each(Object.entries(GOOD))("%s: nothing is wrong", (_, history) => {
  expect(failed(history)).toEqual([]);
});

const two = () => run().place(1, 2).place(2, -1);
const flat = { broker: {}, gateway: {} };

/** Two copies of one call that were told of two orders. */
function twoAnswers(): History {
  const { calls, ...rest } = two().history();
  const [first, second] = calls;
  if (first === undefined || second === undefined) throw new Error("There are two calls");
  return { ...rest, calls: [{ ...first, attempts: [...first.attempts, ...second.attempts] }] };
}

const BAD: readonly (readonly [string, History, readonly string[]])[] = [
  ["told done, and no record", run().ask(1).history(), [LOST]],
  ["told pending, and no record", run().ask(2, PENDING).history(), [LOST]],
  ["told done, and no order", run().ask(1).accept(1).history(), [LOST, DONE]],
  ["told done, and it was lost", run().ask(1).accept(1, { state: "LOST" }).history(), [LOST]],
  [
    "told pending, and never settled",
    run().ask(2, PENDING).accept(2, { state: "UNKNOWN" }).history(),
    [LOST, UNSETTLED],
  ],
  [
    "one identifier traded twice",
    run().place(1, 1).send(1, 1).history(),
    [DOUBLED, DONE, TOO_MANY],
  ],
  [
    "one key, two intents with orders",
    run().place(1, 1).accept(2, { requestId: "c1" }).send(2, 1).history(),
    [DOUBLED],
  ],
  ["one key, two answers", twoAnswers(), [DOUBLED]],
  ["two entries the wrong way round", run().place(2, 1).place(1, 1).history(), [ORDER]],
  ["two exits the wrong way round", run().place(1, 3).place(3, -1).place(2, -1).history(), [ORDER]],
  [
    "an entry that passes an entry that waits",
    run().place(1, 2).place(3, 1).place(2, 1, HELD).history(),
    [ORDER],
  ],
  [
    "an exit that passes an entry that does not wait",
    run().place(1, 2).place(3, -1).place(2, 1).history(),
    [ORDER],
  ],
  [
    "two that waited, the wrong way round",
    run().place(1, 2).place(3, -1, HELD).place(2, 1, HELD).history(),
    [ORDER],
  ],
  ["an order without a record", run().send(1, 1).history(), [ORPHAN, TOO_MANY]],
  [
    "an order whose record does not name it",
    run().place(1, 1, { clOrdIds: [] }).history(),
    [ORPHAN],
  ],
  ...["DENIED", "NOTSENT", "EXPIRED", "WITHDRAWN", "LOST", "REJECTED"].map(
    (state) =>
      [
        `${state} with an order`,
        run()
          .accept(1, { state: state as "LOST" })
          .send(1, 1)
          .history(),
        [UNSENT],
      ] as const,
  ),
  [
    "told that it is safe to repeat, with an order",
    run().ask(2, SAFE).accept(2).send(2, 1).history(),
    [UNSENT],
  ],
  [
    "nobody listened, and there is an order",
    run().ask(1, { end: "refused", told: {} }).accept(1).send(1, 1).history(),
    [UNSENT],
  ],
  ["done without an order", run().accept(1).history(), [DONE]],
  ["the broker holds something else", two().history({ ends: { [ACCOUNT]: flat } }), [POSITIONS]],
  [
    "the gateway shows something else",
    run().history({ ends: { [ACCOUNT]: { broker: {}, gateway: { MESZ2026: 1 } } } }),
    [POSITIONS],
  ],
  ["an intent that was never sent", run().accept(1, { state: "PREPARED" }).history(), [UNSETTLED]],
  ["an intent on its way for ever", run().accept(1, { state: "SENDING" }).history(), [UNSETTLED]],
  ["jobs left on lanes", two().history({ jobsLeft: 1 }), [UNSETTLED]],
];

test.each(BAD)("%s: it is found", (_, history, names) => {
  expect(failed(history)).toEqual(names);
});
