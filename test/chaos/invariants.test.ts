import { expect, test } from "vitest";
import type { History } from "./history.ts";
import { judge } from "./invariants.ts";
import type { Call, StoppedBy } from "./ledger.ts";
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
const EXITS = "exits that were told are there";
const CLOSES = "a flatten only closes";
const SHAPE = "an adjustment closes first, and opens once";
const AIM = "an adjustment ends where it aims";
const DONE = "done is true";
const STOPPED = "what is stopped is not sent";
const POSITIONS = "positions agree on all sides";
const UNSETTLED = "nothing is left unsettled";
const TOO_MANY = "no more orders than intents";

const SAFE = { status: 503, told: { intentId: idOf(2), retry: "safe" } } as const;
const PENDING = { status: 202, told: { intentId: idOf(2), outcome: "pending" } } as const;
const HELD = { wasHeld: true } as const;

const SHORT_2 = { to: "position", netQty: -2 } as const;
const FLAT = { to: "position", netQty: 0 } as const;
const REVERSE = { to: "reverse" } as const;
const REDUCE = { to: "close", qty: 1 } as const;
/** An adjustment that was not done wholly; its sender is told, so it need not be where it aims. */
const INTERRUPTED = { problems: ["It was interrupted"] } as const;
const WITH_EXITS = { exits: "standing" } as const;
/** Of a broker that knows no closes. */
const BY_ORDER = { closesByOrder: true } as const;
const FLATTEN = { kind: "FLATTEN" } as const;
const SEVEN_CLOSES = {
  clOrdIds: [1, 2, 3, 4, 5, 6, 7, 100].map((nth) => `${idOf(2)}-${nth}`),
} as const;
const OF_ANOTHER = { status: 200, told: { intentId: idOf(1), orderId: "order-1" } } as const;
const HOOK = { via: "webhook" } as const;

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
  "an exit that passes a later close of one that goes on": run()
    .place(1, 3)
    .adjust(2, FLAT, INTERRUPTED)
    .place(3, -1)
    .close(2, 2)
    .history(),
  "a position that is brought through flat, turned around, reduced and closed": run()
    .place(1, 3)
    .adjust(2, SHORT_2)
    .close(2)
    .send(2, -2, 100)
    .adjust(3, REVERSE)
    .close(3)
    .send(3, 2, 100)
    .adjust(4, REDUCE)
    .send(4, -1)
    .adjust(5, FLAT)
    .close(5)
    .adjust(6, FLAT, { clOrdIds: [] })
    .history(),
  "an adjustment that closes in three rounds": run()
    .place(1, 3)
    .adjust(2, SHORT_2)
    .close(2)
    .close(2, 2)
    .close(2, 3)
    .send(2, -2, 100)
    .history(),
  "an adjustment that was interrupted, and says so": run()
    .place(1, 3)
    .adjust(2, SHORT_2, INTERRUPTED)
    .close(2)
    .history(),
  "an adjustment beside which something else traded": run()
    .place(1, 3)
    .adjust(3, SHORT_2)
    .close(3)
    .place(2, 1, HELD)
    .send(3, -2, 100)
    .history(),
  "an alert that came twice, and was known the second time": run()
    .ask(1, {}, { ...HOOK, isNamed: true, copies: 2 })
    .accept(1, HOOK)
    .send(1, 1)
    .history(),
  "an alert that came again after its first one was not sent": run()
    .alertTwice(1, true, { number: 2, state: "EXPIRED", clOrdIds: [] })
    .send(1, 1)
    .history(),
  "a body that came again after another one": run()
    .alertTwice(1, false, { number: 3 })
    .accept(2, { ...HOOK, state: "DENIED", clOrdIds: [] })
    .send(1, 1)
    .send(3, 1)
    .history(),
  "a body that came again after its time": run()
    .alertTwice(1, false, { number: 2, acceptedAt: 20_001 })
    .send(1, 1)
    .send(2, 1)
    .history(),
  "closes that are orders": run()
    .place(1, 2)
    .ask(2)
    .accept(2, FLATTEN)
    .send(2, -2)
    .place(3, 3)
    .adjust(4, SHORT_2)
    .send(4, -3)
    .send(4, -2, 100)
    .place(5, 2)
    .history(BY_ORDER),
  "an entry without its exits, which is told": run()
    .place(1, 2, { exits: "unconfirmed" })
    .history(),
  "an entry whose exits follow it, behind a later order": run()
    .place(1, 2, WITH_EXITS)
    .place(2, -1)
    .protect(1)
    .history(BY_ORDER),
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

/** Its sender was told before what stops it. */
function stopped(stoppedBy: StoppedBy): InventedRun {
  const one = run().ask(1);
  one.calls.push({ ...(one.calls.pop() as Call), stoppedBy });
  return one;
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
  [
    "an entry that passes an exit which goes on",
    run().place(1, 3).adjust(2, FLAT, INTERRUPTED).place(3, 1).close(2, 2).history(),
    [ORDER],
  ],
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
  [
    "an adjustment that passes an entry that does not wait",
    run().place(1, 2).adjust(3, SHORT_2).close(3).send(3, -2, 100).place(2, 1).history(),
    [ORDER],
  ],
  ["told done, of another call", run().place(1, 1).ask(2, OF_ANOTHER).history(), [LOST]],
  [
    "an adjustment that is done, told of an order that the broker never had",
    run()
      .place(1, 2)
      .ask(2, { told: { intentId: idOf(2), orderId: "order-9" } })
      .accept(2, { kind: "ADJUST", aim: FLAT, problems: [] })
      .close(2)
      .history(),
    [LOST],
  ],
  [
    "a named alert that is carried out twice",
    run().alertTwice(1, true, { number: 2 }).send(1, 1).send(2, 1).history(),
    [DOUBLED],
  ],
  [
    "a named alert that is carried out again after another one",
    run()
      .alertTwice(1, true, { number: 3 })
      .accept(2, { ...HOOK, state: "DENIED", clOrdIds: [] })
      .send(1, 1)
      .send(3, 1)
      .history(),
    [DOUBLED],
  ],
  [
    "a body that is carried out twice",
    run().alertTwice(1, false, { number: 2 }).send(1, 1).send(2, 1).history(),
    [DOUBLED],
  ],
  [
    "a body that is carried out again after a call by another door",
    run()
      .alertTwice(1, false, { number: 3 })
      .accept(2, { state: "DENIED", clOrdIds: [] })
      .send(1, 1)
      .send(3, 1)
      .history(),
    [DOUBLED],
  ],
  [
    "an alert that closes, accepted twice, with nothing left to close",
    run().alertTwice(1, true, { number: 2, kind: "FLATTEN", clOrdIds: [] }).send(1, 1).history(),
    [DOUBLED],
  ],
  [
    "a flatten that sends an order over more than is held",
    run().place(1, 2).accept(2, FLATTEN).send(2, -3).history(BY_ORDER),
    [CLOSES, TOO_MANY],
  ],
  [
    "a flatten that sends an order while nothing is held",
    run().place(1, 2).place(2, -2).accept(3, FLATTEN).send(3, -2).history(BY_ORDER),
    [CLOSES, TOO_MANY],
  ],
  [
    "a flatten that sends an order to a broker that knows closes",
    run().place(1, 2).accept(2, FLATTEN).send(2, -2).history(),
    [CLOSES, TOO_MANY],
  ],
  [
    "an adjustment that closes by an order over more than is held",
    run().place(1, 2).adjust(2, SHORT_2).send(2, -3).send(2, -2, 100).history(BY_ORDER),
    [SHAPE, AIM, TOO_MANY],
  ],
  [
    "an entry that closes, and is counted as an order all the same",
    run().place(1, 2).send(2, -2).history(BY_ORDER),
    [ORPHAN, TOO_MANY],
  ],
  [
    "an entry whose exits were told, and never placed",
    run().place(1, 2, WITH_EXITS).place(2, 2, WITH_EXITS).protect(2).history(BY_ORDER),
    [EXITS],
  ],
  [
    "an entry whose exits were placed twice",
    run().place(1, 2).protect(1).protect(1).history(BY_ORDER),
    [DOUBLED],
  ],
  [
    "exits of an order that the record does not name",
    run().place(1, 2).protect(1, 2).history(BY_ORDER),
    [ORPHAN],
  ],
  [
    "an adjustment whose entry traded twice",
    run().adjust(1, SHORT_2).send(1, -2, 100).send(1, -2, 100).history(),
    [DOUBLED, SHAPE, AIM, TOO_MANY],
  ],
  [
    "an adjustment that closes in a seventh round",
    run()
      .place(1, 2)
      .adjust(2, FLAT, SEVEN_CLOSES)
      .close(2)
      .close(2, 2)
      .close(2, 3)
      .close(2, 4)
      .close(2, 5)
      .close(2, 6)
      .close(2, 7)
      .history(),
    [SHAPE],
  ],
  [
    "an adjustment that reduces and opens",
    run().place(1, 3).adjust(2, SHORT_2).send(2, -3).send(2, -2, 100).history(),
    [SHAPE, TOO_MANY],
  ],
  [
    "an adjustment that opens before it closes",
    run().place(1, 3).adjust(2, FLAT).send(2, -2, 100).close(2).history(),
    [SHAPE],
  ],
  [
    "an adjustment with eight orders",
    run()
      .place(1, 2)
      .adjust(2, SHORT_2, SEVEN_CLOSES)
      .close(2)
      .close(2, 2)
      .close(2, 3)
      .close(2, 4)
      .close(2, 5)
      .close(2, 6)
      .close(2, 7)
      .send(2, -2, 100)
      .history(),
    [DOUBLED, SHAPE],
  ],
  ["a target that is missed", run().adjust(1, SHORT_2).send(1, -1, 100).history(), [AIM]],
  [
    "a target behind flat that is not gone to",
    run().place(1, 3).adjust(2, SHORT_2).close(2).history(),
    [AIM],
  ],
  [
    "a position that is turned around to another size",
    run().place(1, 3).adjust(2, REVERSE).close(2).send(2, -1, 100).history(),
    [AIM],
  ],
  [
    "a reduction that closes too much",
    run().place(1, 3).adjust(2, REDUCE).send(2, -2).history(),
    [AIM],
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
  ...["DENIED", "NOTSENT", "EXPIRED", "WITHDRAWN", "LOST", "REJECTED"].map(
    (state) =>
      [
        `an adjustment ${state} with a close`,
        run()
          .place(1, 2)
          .accept(2, { kind: "ADJUST", aim: FLAT, state: state as "LOST" })
          .close(2)
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
  ["an order that was stopped", stopped("limit").accept(1).send(1, 1).history(), [STOPPED]],
  [
    "an alert of a webhook that had ended",
    stopped("webhook").accept(1, { state: "DENIED", clOrdIds: [] }).history(),
    [LOST, STOPPED],
  ],
  ["jobs left on lanes", two().history({ jobsLeft: 1 }), [UNSETTLED]],
];

test.each(BAD)("%s: it is found", (_, history, names) => {
  expect(failed(history)).toEqual(names);
});
