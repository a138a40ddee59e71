import assert from "node:assert/strict";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { OrderDesk } from "../../../../src/brokers/projectx/order-desk.ts";
import { ORDER_STATUS } from "../../../../src/brokers/projectx/wire.ts";
import { ticks } from "../../../../src/domain/contracts/price.ts";
import { clOrdId, orderId } from "../../../../src/domain/ids.ts";
import {
  ACCOUNT,
  ES,
  held,
  LIMIT,
  LOST,
  MARKET,
  NOT_SENT,
  OTHER,
  refusal,
  ScriptedSession,
  type Sent,
  TAG,
} from "./desk-kit.ts";

const { open, filled, cancelled, rejected, pending } = ORDER_STATUS;
const IN_USE = refusal(2, "Specified custom tag is already in use");
const UNKNOWN = { kind: "unknown", reason: expect.stringMatching(/\w/) };
const TAKEN = { kind: "accepted", orderId: "7" };

let session: ScriptedSession;
let desk: OrderDesk;
beforeEach(() => {
  // Time passes as fast as everybody waits for it.
  vi.useFakeTimers().setTimerTickMode("nextTimerAsync");
  session = new ScriptedSession();
  desk = new OrderDesk({ session, now: () => Date.parse("2026-11-27T14:00:00Z") });
});

afterEach(() => void vi.useRealTimers());

/** Answers each path as it is told, in turn; the last answer stays. */
function answer(script: Readonly<Record<string, readonly object[]>>): void {
  const counts = new Map<string, number>();
  session.answering = ({ path }) => {
    const answers = script[path] ?? [];
    const count = counts.get(path) ?? 0;
    counts.set(path, count + 1);
    return answers[Math.min(count, answers.length - 1)];
  };
}

/** What the hub tells once the next request of that path was answered. */
function thenHub(path: string, tell: () => void): void {
  const { answering } = session;
  session.answering = (sent) => {
    if (sent.path === path) setTimeout(tell, 10);
    return answering(sent);
  };
}

const places = () => session.sent.filter(({ path }) => path === "Order/place");
const row = (status: number, more: object = {}) => ({
  id: 7,
  accountId: 465,
  contractId: "CON.F.US.EP.U25",
  status,
  type: 1,
  side: 0,
  size: 2,
  limitPrice: 10,
  customTag: TAG,
  ...more,
});

describe("what a new order is answered with", () => {
  beforeEach(() => answer({ "Order/place": [{ orderId: 7 }] }));

  test.each([open, filled])("taken, once the hub shows it (status %i)", async (status) => {
    thenHub("Order/place", () => session.order(7, pending));
    const outcome = desk.submitOrder(ACCOUNT, LIMIT);
    setTimeout(() => session.order(7, status), 500);
    expect(await outcome).toEqual(TAKEN);
    expect(session.paths()).toEqual(["Order/place"]);
  });

  test("refused, where the hub shows that moments later", async () => {
    thenHub("Order/place", () => session.order(7, rejected));
    const outcome = await desk.submitOrder(ACCOUNT, LIMIT);
    expect(outcome).toEqual({ kind: "rejected", reason: expect.stringMatching(/refused/) });
  });

  test("taken, where the hub is silent and the broker shows it by its number", async () => {
    answer({
      "Order/place": [{ orderId: 7 }],
      "Order/searchById": [{ order: row(open) }],
    });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
  });

  test("unknown, where it is shown nowhere", async () => {
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
    expect(session.paths()).toEqual(["Order/place", "Order/searchById"]);
  });

  test.each([
    ["no order", {}],
    ["an order 0", { orderId: 0 }],
    ["an order null", { orderId: null }],
  ])("unknown, where a success names %s", async (_, body) => {
    answer({ "Order/place": [body] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
    expect(places()).toHaveLength(1);
  });

  test("an answer that was lost is unknown, and nothing is sent again", async () => {
    answer({ "Order/place": [LOST] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(LOST);
    expect(session.paths()).toEqual(["Order/place"]);
  });

  test("what did not leave was not sent", async () => {
    answer({ "Order/place": [NOT_SENT] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(NOT_SENT);
  });
});

describe("a refusal that names an order", () => {
  const refused = { ...refusal(2, "Brackets cannot be used"), orderId: 7 };

  test("is one where the order shows that, also by the hub alone", async () => {
    answer({ "Order/place": [refused], "Order/searchById": [{ order: row(rejected) }] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toMatchObject({ kind: "rejected" });
    session.order(8, rejected, { customTag: `${TAG.slice(0, -1)}2` });
    answer({ "Order/place": [{ ...refused, orderId: 8 }] });
    const again = { ...LIMIT, clOrdId: clOrdId(`${TAG.slice(0, -1)}2`) };
    expect(await desk.submitOrder(ACCOUNT, again)).toMatchObject({ kind: "rejected" });
    expect(session.paths().filter((path) => path === "Order/searchById")).toHaveLength(1);
  });

  test("is one where the broker shows no such order, or one with another tag", async () => {
    answer({ "Order/place": [refused], "Order/searchById": [refusal(1)] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toMatchObject({ kind: "rejected" });
    const others = { order: row(open, { customTag: "byHand" }) };
    answer({ "Order/place": [refused], "Order/searchById": [others] });
    const again = { ...LIMIT, clOrdId: clOrdId(`${TAG.slice(0, -1)}2`) };
    expect(await desk.submitOrder(ACCOUNT, again)).toMatchObject({ kind: "rejected" });
  });

  test.each([open, filled])("is none where that order stands (status %i)", async (status) => {
    answer({ "Order/place": [refused], "Order/searchById": [{ order: row(status) }] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
    expect(places()).toHaveLength(1);
  });

  test("is unknown where nobody says what became of that order", async () => {
    answer({ "Order/place": [refused], "Order/searchById": [LOST] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
  });

  test("over a tag in use is of the first order, whose answer holds", async () => {
    answer({ "Order/place": [{ orderId: 7 }, { ...IN_USE, orderId: 7 }] });
    thenHub("Order/place", () => session.order(7, open));
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toMatchObject({ kind: "rejected" });
  });
});

describe("an order that is pending", () => {
  test("is taken where it is found by its tag", async () => {
    answer({
      "Order/place": [refusal(6)],
      "Order/search": [{ orders: [row(open)] }],
    });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
    expect(places()).toHaveLength(1);
  });

  test("is unknown where it is not", async () => {
    answer({
      "Order/place": [refusal(6)],
      "Order/search": [{ orders: [] }],
      "Order/searchOpen": [{ orders: [] }],
    });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
    expect(places()).toHaveLength(1);
  });
});

describe("a tag that is in use", () => {
  test("settles an attempt of which nothing is known: its order is adopted", async () => {
    answer({ "Order/place": [LOST, IN_USE], "Order/search": [{ orders: [row(filled)] }] });
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(LOST);
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
  });

  test("and where that was refused, so is this one", async () => {
    answer({ "Order/place": [LOST, IN_USE], "Order/search": [{ orders: [row(rejected)] }] });
    await desk.submitOrder(ACCOUNT, LIMIT);
    expect((await desk.submitOrder(ACCOUNT, LIMIT)).kind).toBe("rejected");
  });

  test("is unknown where the broker shows no order with it", async () => {
    answer({
      "Order/place": [LOST, IN_USE],
      "Order/search": [{ orders: [] }],
      "Order/searchOpen": [{ orders: [] }],
    });
    await desk.submitOrder(ACCOUNT, LIMIT);
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
  });

  test("and unknown where the broker cannot be asked", async () => {
    answer({ "Order/place": [LOST, IN_USE], "Order/search": [LOST] });
    await desk.submitOrder(ACCOUNT, LIMIT);
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(UNKNOWN);
  });

  test("refuses a second order after a first one that was taken, whose answer holds", async () => {
    answer({ "Order/place": [{ orderId: 7 }, IN_USE] });
    session.order(7, open);
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual(TAKEN);
    expect((await desk.submitOrder(ACCOUNT, LIMIT)).kind).toBe("rejected");
  });

  test("is used up by a refused order too", async () => {
    answer({ "Order/place": [refusal(2, "Invalid price"), IN_USE] });
    session.order(7, rejected);
    expect((await desk.submitOrder(ACCOUNT, LIMIT)).kind).toBe("rejected");
    expect(await desk.submitOrder(ACCOUNT, LIMIT)).toEqual({
      kind: "rejected",
      reason: expect.stringMatching(/already in use/),
    });
  });
});

describe("what a cancel is answered with", () => {
  const cancel = () => desk.cancelOrder(ACCOUNT, orderId("7"));
  beforeEach(() => {
    session.order(7, open);
    answer({ "Order/cancel": [{}] });
  });

  test("taken, once the hub shows its end", async () => {
    thenHub("Order/cancel", () => session.order(7, cancelled));
    expect(await cancel()).toEqual({ kind: "accepted" });
  });

  test("refused, where the order turns out to be filled", async () => {
    thenHub("Order/cancel", () => session.order(7, filled));
    expect((await cancel()).kind).toBe("rejected");
  });

  test("by what the order's number shows, where the hub is silent", async () => {
    const answers = { "Order/cancel": [{}] };
    answer({ ...answers, "Order/searchById": [{ order: row(cancelled) }] });
    expect(await cancel()).toEqual({ kind: "accepted" });
    session.order(8, open);
    answer({ ...answers, "Order/searchById": [{ order: row(open, { id: 8 }) }] });
    expect(await desk.cancelOrder(ACCOUNT, orderId("8"))).toEqual(UNKNOWN);
  });

  test("pending is no answer yet", async () => {
    answer({ "Order/cancel": [refusal(4)] });
    thenHub("Order/cancel", () => session.order(7, cancelled));
    expect(await cancel()).toEqual({ kind: "accepted" });
  });

  test("a refusal makes the broker be asked what the order is", async () => {
    const answers = { "Order/cancel": [refusal(2, "Gone")] };
    answer({ ...answers, "Order/searchById": [{ order: row(filled) }] });
    expect(await cancel()).toEqual({ kind: "rejected", reason: "Gone (OrderNotFound)" });
    expect(session.store.order("7")?.status).toBe(filled);
  });

  test("of two at once one is carried out, and one request is sent", async () => {
    thenHub("Order/cancel", () => session.order(7, cancelled));
    const both = await Promise.all([cancel(), cancel()]);
    expect(both.map(({ kind }) => kind)).toEqual(["accepted", "rejected"]);
    expect(session.paths()).toEqual(["Order/cancel"]);
  });

  test("an order of another account, and what can be none, are not known", async () => {
    expect((await desk.cancelOrder(OTHER, orderId("7"))).kind).toBe("rejected");
    expect((await desk.cancelOrder(ACCOUNT, orderId("no such"))).kind).toBe("rejected");
    expect(session.sent).toEqual([]);
  });
});

describe("what a change is answered with", () => {
  const change = { orderId: orderId("7"), price: ticks(44), orderQty: 3 };
  const modify = () => desk.modifyOrder(ACCOUNT, change);
  beforeEach(() => {
    session.order(7, open);
    answer({ "Order/modify": [{}] });
  });

  test("taken, once the hub shows all of it", async () => {
    const update = (second: number, more: object) =>
      session.order(7, open, { updateTimestamp: `2026-11-27T14:00:0${second}Z`, ...more });
    thenHub("Order/modify", () => update(1, { limitPrice: 11 }));
    const outcome = modify();
    setTimeout(() => update(2, { limitPrice: 11, size: 3 }), 500);
    expect(await outcome).toEqual({ kind: "accepted" });
    expect(session.sent[0]?.body).toEqual({ accountId: 465, orderId: 7, limitPrice: 11, size: 3 });
  });

  test("refused, where the order has ended as it was", async () => {
    thenHub("Order/modify", () => session.order(7, filled));
    expect((await modify()).kind).toBe("rejected");
  });

  test("taken, where it has ended changed", async () => {
    thenHub("Order/modify", () => session.order(7, filled, { limitPrice: 11, size: 3 }));
    expect(await modify()).toEqual({ kind: "accepted" });
  });

  test("unknown, where it is shown unchanged, or not at all", async () => {
    answer({ "Order/modify": [{}], "Order/searchById": [{ order: row(open) }] });
    expect(await modify()).toEqual(UNKNOWN);
  });

  test("what makes no sense is not sent", async () => {
    const wrong = { orderId: orderId("7"), stopPx: ticks(44) };
    expect((await desk.modifyOrder(ACCOUNT, wrong)).kind).toBe("rejected");
    expect(session.sent).toEqual([]);
  });
});

describe("closing what is held", () => {
  const close = () => desk.closePosition(ACCOUNT, ES, TAG);

  test.each([
    [1, 1],
    [2, 0],
  ] as const)(
    "is one market order over exactly that, with our tag (type %i)",
    async (type, side) => {
      answer({ "Position/searchOpen": [held(type, 3)], "Order/place": [{ orderId: 7 }] });
      session.order(7, open);
      expect(await close()).toEqual(TAKEN);
      expect(places().map(({ body }) => body)).toEqual([
        {
          accountId: 465,
          contractId: "CON.F.US.EP.U25",
          type: 2,
          side,
          size: 3,
          customTag: TAG,
        },
      ]);
    },
  );

  test("is refused where nothing is held, and not sent where that cannot be known", async () => {
    answer({ "Position/searchOpen": [{ positions: [] }] });
    expect((await close()).kind).toBe("rejected");
    answer({ "Position/searchOpen": [LOST] });
    expect((await close()).kind).toBe("notSent");
    session.hub("position", { id: 2, accountId: 465, size: 4, type: 1 });
    answer({ "Position/searchOpen": [{ positions: [] }] });
    expect((await close()).kind).toBe("notSent");
    expect(places()).toEqual([]);
  });
});

describe("the order in which commands leave", () => {
  /** Holds the answer back until it is let go. */
  function holdBack(isHeld: (sent: Sent) => boolean): () => void {
    let letGo: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => (letGo = resolve));
    let id = 6;
    session.answering = async (sent) => {
      id += 1;
      session.order(id, open, {
        customTag: sent.body["customTag"],
        accountId: sent.body["accountId"],
      });
      const orderNo = id;
      if (isHeld(sent)) await gate;
      return { orderId: orderNo };
    };
    return letGo;
  }
  const tagged = (number: number) => ({
    ...MARKET,
    clOrdId: clOrdId(TAG.replace(/1$/, `${number}`)),
  });
  const tags = () => places().map(({ body }) => String(body["customTag"]).split("-")[1]);

  test("is that in which they were given, one after the other's answer", async () => {
    const letGo = holdBack(({ body }) => body["customTag"] === tagged(1).clOrdId);
    const all = [1, 2, 3].map((number) => desk.submitOrder(ACCOUNT, tagged(number)));
    const others = desk.submitOrder(OTHER, tagged(4));
    await others;
    expect(tags()).toEqual(["1", "4"]);
    letGo();
    await Promise.all(all);
    expect(tags()).toEqual(["1", "4", "2", "3"]);
  });

  test("an exit passes an entry that hangs, and entries stay behind it", async () => {
    const letGo = holdBack(({ body }) => body["customTag"] === tagged(1).clOrdId);
    const entries = [1, 2].map((number) => desk.submitOrder(ACCOUNT, tagged(number)));
    const exit = { ...LIMIT, clOrdId: clOrdId(`${TAG}-TP`) };
    expect((await desk.submitOrder(ACCOUNT, exit)).kind).toBe("accepted");
    expect(places().map(({ body }) => body["customTag"])).toEqual([TAG, exit.clOrdId]);
    letGo();
    await Promise.all(entries);
    expect(tags()).toEqual(["1", "1", "2"]);
  });

  test("an exit that is not wanted any more when its turn comes is not sent", async () => {
    const letGo = holdBack(({ body }) => body["customTag"] === tagged(1).clOrdId);
    const close = desk.submitOrder(ACCOUNT, tagged(1));
    const [account, contract] = [
      session.account(ACCOUNT),
      await session.contracts.find(ES, "protect"),
    ];
    assert(account !== undefined && contract !== undefined);
    let isWanted = true;
    const exit = { ...LIMIT, clOrdId: clOrdId(`${TAG}-TP`) };
    const placed = desk.placeLeg({ account, contract }, exit, () => isWanted);
    isWanted = false;
    letGo();
    expect((await close).kind).toBe("accepted");
    expect(await placed).toBeUndefined();
    expect(tags()).toEqual(["1"]);
  });
});
