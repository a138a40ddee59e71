import { expect, test } from "vitest";
import { accountId, clOrdId, orderId } from "../../../../src/domain/ids.ts";
import { isClosed, ORD_STATUSES, type OrderReport } from "../../../../src/domain/order.ts";
import { OrderWatch } from "../../../../src/trading/lane/order-watch.ts";
import { ScriptedBroker } from "../scripted-broker.ts";
import { ACCOUNT } from "../lane-kit.ts";

const ID = clOrdId("i1-1");

function open() {
  let timeOut: () => void = () => undefined;
  const watch = new OrderWatch({
    waitFor: (_ms, onWake) =>
      new Promise((resolve) => {
        onWake(resolve);
        timeOut = resolve;
      }),
  });
  const report = (change: Partial<OrderReport>, account = ACCOUNT) => {
    const order = new ScriptedBroker().show({ orderId: orderId("7"), clOrdId: ID, ...change });
    watch.onReport(account, { execType: "RESTATED", order });
  };
  return { watched: watch.watch(ACCOUNT, ID), report, timeOut: () => timeOut() };
}

test.each(ORD_STATUSES)(
  "a report of %s ends the wait only if it closes the order",
  async (status) => {
    const { watched, report, timeOut } = open();
    let isOver = false;
    const closed = watched.closedWithin(1_000).finally(() => (isOver = true));
    report({ ordStatus: status });
    await new Promise((resolve) => setImmediate(resolve));
    expect(isOver).toBe(isClosed(status));
    timeOut();
    expect((await closed)?.ordStatus).toBe(status);
  },
);

test("a report that came before the wait counts", async () => {
  const { watched, report } = open();
  report({ ordStatus: "FILLED" });
  expect((await watched.closedWithin(1_000))?.ordStatus).toBe("FILLED");
});

test("without a report there is nothing to show", async () => {
  const { watched, timeOut } = open();
  const closed = watched.closedWithin(1_000);
  timeOut();
  expect(await closed).toBeUndefined();
});

test("another account's, another order's and a foreign order's reports are not its own", () => {
  const { watched, report } = open();
  report({}, accountId("paper-2"));
  report({ clOrdId: clOrdId("i1-11") });
  expect(watched.latest()).toBeUndefined();
});

test("nothing is followed any more once it was stopped", () => {
  const { watched, report } = open();
  watched.stop();
  report({ ordStatus: "FILLED" });
  expect(watched.latest()).toBeUndefined();
});
