// The goal: what an alert says of a position is what becomes of it, and the exits of what stays are kept.
// The method: bring paper accounts into each state, alert, and look into the accounts at the broker.
import { beforeAll, describe, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const NQ = frontMonth("NQ");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const RESTING = { type: "limit", limitPrice: 6000 };
const nextAccount = accountNames(100);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-100" } });
  return gateway.stop;
});

/** An account that holds so many ES, with exits when it is asked for. */
async function openDesk({ held = 0, bracket }: { held?: number; bracket?: object } = {}) {
  const desk = await openPaperDesk(gateway, nextAccount());
  if (held !== 0) {
    const action = held > 0 ? "buy" : "sell";
    await desk.order({ action, qty: Math.abs(held), ...(bracket !== undefined && { bracket }) });
  }
  const before = await desk.orders();
  return {
    ...desk,
    netQty: async () => (await desk.positions())[ES.code] ?? 0,
    /** Orders that filled since. */
    sent: async () => (await desk.orders()) - before,
    /** The exits that rest: their role and quantity. */
    exits: async () =>
      (await desk.working())
        .filter(({ role }) => role === "TAKE_PROFIT" || role === "STOP_LOSS")
        .map(({ role, leavesQty }) => `${role} ${leavesQty}`)
        .toSorted(),
  };
}

describe("position", () => {
  const STATES = [-2, -1, 0, 1, 2];
  const TARGETS = [-2, -1, 0, 1, 2];
  const table = STATES.flatMap((held) => TARGETS.map((target) => [held, target] as const));

  test.each(table)("from %i to %i", async (held, target) => {
    const { done, netQty, sent } = await openDesk({ held });
    const body = await done({ position: target, symbol: "ES1!" });
    expect(await netQty()).toBe(target);
    const side = { 1: "long", 0: "flat", [-1]: "short" }[Math.sign(target)];
    expect(body.position).toEqual({ qty: Math.abs(target), side });
    const isThrough = held * target < 0;
    expect(await sent()).toBe(held === target ? 0 : isThrough ? 2 : 1);
    // Where it stands already, it is done; nothing more is sent.
    await done({ position: target, symbol: "ES1!", comment: "again" });
    expect(await netQty()).toBe(target);
  });

  test.each(["2", " 2 ", "2.0"])("is read from text: %j", async (position) => {
    const { send, netQty } = await openDesk();
    const { status } = await send({ position, symbol: "ES1!" });
    expect([status, await netQty()]).toEqual([200, 2]);
  });

  test.each([1.5, "long", null, true])("is no number: %j", async (position) => {
    const { send, netQty } = await openDesk();
    expect((await send({ position, symbol: "ES1!" })).status).toBe(400);
    expect(await netQty()).toBe(0);
  });

  test("of nothing leaves no exit behind, and touches no other symbol", async () => {
    const { done, order, netQty, positions, exits } = await openDesk({ held: 2, bracket: BRACKET });
    await order({ symbol: "NQ1!", bracket: BRACKET });
    await done({ position: 0, symbol: "ES1!" });
    expect([await netQty(), await positions()]).toEqual([0, { [NQ.code]: 1 }]);
    expect(await exits()).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  test("that is smaller keeps exits for what stays", async () => {
    const { done, netQty, exits } = await openDesk({ held: 3, bracket: BRACKET });
    await done({ position: 1, symbol: "ES1!" });
    expect(await netQty()).toBe(1);
    // They are fitted to what is left right after.
    await expect.poll(exits).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  test("through zero ends the old exits, and the new entry has its own", async () => {
    const { done, netQty, working } = await openDesk({ held: 2, bracket: BRACKET });
    const { order } = await done({ position: -1, symbol: "ES1!", ...BRACKET });
    expect(await netQty()).toBe(-1);
    const legs = (await working()).map(({ orderId, side, leavesQty }) => [
      orderId,
      side,
      leavesQty,
    ]);
    expect(legs).toEqual([
      [order.bracket.takeProfitOrderId, "BUY", 1],
      [order.bracket.stopLossOrderId, "BUY", 1],
    ]);
  });
});

describe("reverse", () => {
  test.each([
    [2, undefined, -2],
    [-3, undefined, 3],
    [2, 1, -1],
    [-1, 3, 3],
  ])("from %i with qty %s to %i", async (held, qty, netQty) => {
    const desk = await openDesk({ held });
    await desk.done({ action: "reverse", symbol: "ES1!", ...(qty !== undefined && { qty }) });
    expect([await desk.netQty(), await desk.sent()]).toEqual([netQty, 2]);
  });

  test("of nothing has nothing to turn around", async () => {
    const { send, netQty } = await openDesk();
    const { status, body } = await send({ action: "reverse", symbol: "ES1!" });
    expect([status, body.error?.code]).toEqual([409, "NO_POSITION"]);
    expect(await netQty()).toBe(0);
  });

  test("leaves no exit of the old side", async () => {
    const { done, exits, netQty } = await openDesk({ held: 2, bracket: BRACKET });
    await done({ action: "reverse", symbol: "ES1!" });
    expect([await netQty(), await exits()]).toEqual([-2, []]);
  });
});

describe("reduce", () => {
  test.each([
    [3, { qty: 1 }, 2],
    [-3, { qty: 2 }, -1],
    [2, { qty: 5 }, 0],
    [4, { percent: 50 }, 2],
    [-3, { percent: 50 }, -1],
    [1, { percent: 10 }, 0],
    [2, { percent: "100" }, 0],
  ])("from %i by %j to %i", async (held, part, netQty) => {
    const desk = await openDesk({ held });
    await desk.done({ action: "reduce", symbol: "ES1!", ...part });
    expect([await desk.netQty(), await desk.sent()]).toEqual([netQty, 1]);
  });

  test.each([
    ["neither", {}],
    ["both", { qty: 1, percent: 50 }],
    ["more than all", { percent: 101 }],
    ["nothing", { percent: 0 }],
  ])("with %s is refused", async (_, part) => {
    const { send, netQty } = await openDesk({ held: 2 });
    expect((await send({ action: "reduce", symbol: "ES1!", ...part })).status).toBe(400);
    expect(await netQty()).toBe(2);
  });

  test("keeps the exits, for what stays", async () => {
    const { done, netQty, exits } = await openDesk({ held: 3, bracket: BRACKET });
    await done({ action: "reduce", symbol: "ES1!", qty: 2 });
    expect(await netQty()).toBe(1);
    await expect.poll(exits).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  // An exit for more than is held would open the other side when it fires.
  test("leaves no exit for more than is held when it is answered", async () => {
    const { done, exits } = await openDesk({ held: 3, bracket: BRACKET });
    await done({ action: "reduce", symbol: "ES1!", qty: 2 });
    expect(await exits()).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  test("of nothing never opens anything", async () => {
    const { send, netQty } = await openDesk();
    const { status, body } = await send({ action: "reduce", symbol: "ES1!", qty: 1 });
    expect([status, body.error?.code]).toEqual([409, "NO_POSITION"]);
    expect(await netQty()).toBe(0);
  });
});

describe("cancel, cancelFirst and protect", () => {
  /** Long one with its exits; an entry rests in ES and one in NQ. */
  async function openBusyDesk() {
    const desk = await openDesk({ held: 1, bracket: BRACKET });
    const es = await desk.order(RESTING);
    const nq = await desk.order({ ...RESTING, symbol: "NQ1!", limitPrice: 20_000 });
    return { desk, es: es.orderId as string, nq: nq.orderId as string };
  }
  const entriesOf = async (desk: Awaited<ReturnType<typeof openDesk>>) =>
    (await desk.working()).filter(({ role }) => role === "ORDER").map(({ orderId }) => orderId);

  test("cancel of a symbol ends its entries only; exits stay", async () => {
    const { desk, es, nq } = await openBusyDesk();
    const body = await desk.done({ action: "cancel", symbol: "ES1!" });
    expect(body.canceledOrders).toEqual([es]);
    expect([await entriesOf(desk), await desk.netQty()]).toEqual([[nq], 1]);
    expect(await desk.exits()).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  test("cancel without a symbol ends every entry; exits stay", async () => {
    const { desk, es, nq } = await openBusyDesk();
    const body = await desk.done({ action: "cancel" });
    expect(body.canceledOrders.toSorted()).toEqual([es, nq].toSorted());
    expect(await desk.exits()).toEqual(["STOP_LOSS 1", "TAKE_PROFIT 1"]);
  });

  test("cancelFirst ends the entries of its symbol, then orders; exits of what stays are kept", async () => {
    const { desk, es, nq } = await openBusyDesk();
    const body = await desk.done({ ...BUY, cancelFirst: true });
    expect(body.canceledOrders).toEqual([es]);
    expect([await entriesOf(desk), await desk.netQty()]).toEqual([[nq], 2]);
    expect(await desk.exits()).toHaveLength(2);
  });

  test.each([
    [{}, 0],
    [{ cancelFirst: false }, 1],
  ])("a position ends what rests in its symbol: with %j it leaves %i", async (said, left) => {
    const { desk, es, nq } = await openBusyDesk();
    const body = await desk.done({ position: 1, symbol: "ES1!", ...said });
    expect(body.canceledOrders).toEqual(left === 0 ? [es] : []);
    const kept = left === 0 ? [nq] : [es, nq];
    expect((await entriesOf(desk)).toSorted()).toEqual(kept.toSorted());
    expect(await desk.exits()).toHaveLength(2);
  });

  test("protect puts exits on what is held, and moves them", async () => {
    const desk = await openDesk({ held: 2 });
    const first = await desk.done({ action: "protect", symbol: "ES1!", ...BRACKET });
    expect(first.qty).toBe(2);
    expect(await desk.exits()).toEqual(["STOP_LOSS 2", "TAKE_PROFIT 2"]);
    await desk.done({ action: "protect", symbol: "ES1!", stopLoss: { price: 6800 } });
    const stops = (await desk.working()).filter(({ role }) => role === "STOP_LOSS");
    expect(stops.map(({ stopPx, leavesQty }) => [stopPx, leavesQty])).toEqual([[27_200, 2]]);
  });
});

describe("exits that come with a target", () => {
  const stopLoss = { ticks: 40 };

  test.each([
    ["to where it is", 2, 2, ["STOP_LOSS 2"]],
    ["to more", 2, 3, ["STOP_LOSS 1", "STOP_LOSS 2"]],
    ["to less", -3, -1, ["STOP_LOSS 1"]],
  ])("%s, from %i to %i, are there for all that is held then", async (_, held, target, exits) => {
    const desk = await openDesk({ held });
    const body = await desk.done({ position: target, symbol: "ES1!", stopLoss });
    expect([await desk.netQty(), await desk.exits()]).toEqual([target, exits]);
    expect(body.problems).toEqual([]);
    expect(body.protected).toMatchObject({ symbol: ES.symbol, takeProfitOrderId: null });
  });
});

describe("under the kill switch", () => {
  test.each([
    ["a target through zero", { position: -1, symbol: "ES1!" }],
    ["a reversal", { action: "reverse", symbol: "ES1!" }],
  ])(
    "the close half of %s goes, the entry half does not, and the answer says so",
    async (_, alert) => {
      const desk = await openDesk({ held: 2, bracket: BRACKET });
      await desk.kill(true);
      const { status, body } = await desk.send(alert);
      expect([status, body.error, body.outcome]).toEqual([200, undefined, "done"]);
      expect([body.closed.length, body.order]).toEqual([1, null]);
      expect(body.problems.join(" ")).toMatch(/kill switch/i);
      expect([await desk.netQty(), await desk.working()]).toEqual([0, []]);
      const line = await desk.find(body.alertId);
      expect(line.reason).toMatch(/kill switch/i);
    },
  );

  test.each([
    ["a reduction", { action: "reduce", symbol: "ES1!", qty: 1 }, 1],
    ["a smaller target", { position: 1, symbol: "ES1!" }, 1],
    ["an opposite order", { action: "sell", symbol: "ES1!", qty: 2 }, 0],
    ["a flatten", { action: "flatten" }, 0],
    ["a protection", { action: "protect", symbol: "ES1!", stopLoss: { ticks: 20 } }, 2],
  ])("%s passes", async (_, alert, left) => {
    const desk = await openDesk({ held: 2 });
    await desk.kill(true);
    await desk.done(alert);
    expect(await desk.netQty()).toBe(left);
  });

  test("what would grow is denied, and nothing is sent", async () => {
    const desk = await openDesk({ held: 1 });
    await desk.kill(true);
    const { status, body } = await desk.send({ position: 3, symbol: "ES1!" });
    expect([status, body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
    expect([await desk.netQty(), await desk.sent()]).toEqual([1, 0]);
  });
});
