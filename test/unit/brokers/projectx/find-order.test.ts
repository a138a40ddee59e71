import { beforeEach, describe, expect, test } from "vitest";
import { findOrder } from "../../../../src/brokers/projectx/find-order.ts";
import { ORDER_STATUS } from "../../../../src/brokers/projectx/wire.ts";
import { clOrdId } from "../../../../src/domain/ids.ts";
import { BrokerReadError } from "../../../../src/trading/ports.ts";
import { LOST, ScriptedSession, TAG } from "./desk-kit.ts";

const { open, filled, rejected, suspended } = ORDER_STATUS;
const NOW = Date.parse("2026-11-27T14:00:00Z");

let session: ScriptedSession;
beforeEach(() => (session = new ScriptedSession()));

/** What the lists of the broker have in them. */
function list(placed: readonly object[], working: readonly object[] = []): void {
  session.answering = ({ path }) => {
    if (path === "Order/search") return { orders: placed };
    return path === "Order/searchOpen" ? { orders: working } : undefined;
  };
}

const find = (name = TAG) =>
  findOrder(session, name, { account: "465", now: NOW, purpose: "entry" });
const row = (id: number, customTag: string | undefined, status: number = open) => ({
  id,
  accountId: 465,
  status,
  ...(customTag !== undefined && { customTag }),
});

describe("the look-up of an order by its identifier", () => {
  test("finds it in any state among what was placed in a week", async () => {
    list([row(6, "another"), row(7, TAG, rejected), row(8, undefined)]);
    expect(await find()).toMatchObject({ id: "7", status: rejected });
    expect(session.sent).toEqual([
      {
        path: "Order/search",
        body: { accountId: 465, startTimestamp: "2026-11-20T14:00:00.000Z" },
      },
    ]);
  });

  test("takes nothing but the whole identifier for it", async () => {
    list([row(6, `${TAG}1`), row(7, TAG.slice(0, -1)), row(8, TAG.toUpperCase())]);
    expect(await find()).toBeUndefined();
  });

  test("finds a leg that was placed again by the first one's name, and by its own tag", async () => {
    const again = `${TAG}-r2-SL`;
    list([row(6, `${TAG}-SL`, ORDER_STATUS.cancelled), row(7, again)]);
    expect(await find(clOrdId(`${TAG}-SL`))).toMatchObject({ id: "7" });
    session = new ScriptedSession();
    list([row(6, `${TAG}-SL`, ORDER_STATUS.cancelled), row(7, again), row(8, `${TAG}-r3-SL`)]);
    expect(await find(clOrdId(again))).toMatchObject({ id: "7" });
  });

  test("finds what is open from before", async () => {
    list([], [row(7, TAG)]);
    expect(await find()).toMatchObject({ id: "7" });
  });

  test("asks nothing about what the hub has shown the end of, or shows alone", async () => {
    session.order(7, filled);
    session.order(8, suspended, { customTag: `${TAG}-SL`, parentOrderId: 7 });
    expect(await find()).toMatchObject({ id: "7" });
    expect(await find(clOrdId(`${TAG}-SL`))).toMatchObject({ id: "8" });
    expect(session.sent).toEqual([]);
  });

  test("asks for what is open by its number, and believes the hub where that says nothing", async () => {
    session.order(7, open);
    session.answering = ({ path }) =>
      path === "Order/searchById"
        ? { order: { ...row(7, TAG, filled), fillVolume: 2 } }
        : undefined;
    expect(await find()).toMatchObject({ status: filled });
    session.order(8, open, { customTag: `${TAG}-TP` });
    session.answering = () => undefined;
    expect(await find(clOrdId(`${TAG}-TP`))).toMatchObject({ id: "8", status: open });
  });

  test("finds the last of the legs that were placed for one exit", async () => {
    list([row(9, `${TAG}-r2-SL`), row(8, `${TAG}-SL`, filled), row(10, `${TAG}-r2-TP`)]);
    expect(await find(clOrdId(`${TAG}-SL`))).toMatchObject({ id: "9" });
  });

  test.each([
    ["no answer", LOST],
    ["an answer without a list", {}],
    ["a list with the order that cannot be read", { orders: [{ customTag: TAG }] }],
  ])("says that it cannot be known on %s", async (_, answer) => {
    session.answering = () => answer;
    await expect(find()).rejects.toBeInstanceOf(BrokerReadError);
  });
});
