// The goal: a test alert is decided as a real one would be, and changes nothing anywhere.
// The method: ask for everything that there is as a test, and compare the broker's account before and after.
import { beforeAll, describe, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const BUY = { action: "buy", symbol: "ES1!", qty: 1 };
const BRACKET = { takeProfit: { ticks: 40 }, stopLoss: { ticks: 40 } };
const RESTING = { type: "limit", limitPrice: 6000 };
const nextAccount = accountNames(60);

let gateway: TestGateway;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return gateway.stop;
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);
type Desk = Awaited<ReturnType<typeof openDesk>>;

/** Both ways to ask for a dry run. */
const WAYS = [
  ["in the body", async (desk: Desk, alert: object) => await desk.send({ ...alert, test: true })],
  ["by the webhook's test", async (desk: Desk, alert: object) => await desk.tryOut(alert)],
] as const;

describe.each(WAYS)("%s", (_, ask) => {
  /** Long two with its exits, and an entry that rests with its own. */
  async function openBusyDesk() {
    const desk = await openDesk();
    await desk.order({ qty: 2, bracket: BRACKET });
    await desk.order({ ...RESTING, bracket: BRACKET });
    const shown = async () => [
      await desk.positions(),
      await desk.working(),
      await gateway.broker.filled(desk.account),
    ];
    return { desk, shown };
  }

  test.each<readonly [string, object, readonly string[]]>([
    ["an order", { ...BUY, qty: 3, ...BRACKET }, ["order"]],
    ["a resting order", { ...BUY, ...RESTING }, ["order"]],
    ["a target on the same side", { position: 5, symbol: "ES1!" }, ["order"]],
    ["a target through zero", { position: -1, symbol: "ES1!" }, ["close", "order"]],
    ["a target of nothing", { position: 0, symbol: "ES1!" }, ["close"]],
    ["a reversal", { action: "reverse", symbol: "ES1!" }, ["close", "order"]],
    ["a reduction", { action: "reduce", symbol: "ES1!", qty: 1 }, ["order"]],
    ["a cancellation", { action: "cancel" }, ["cancel"]],
    ["a protection", { action: "protect", symbol: "ES1!", stopLoss: { ticks: 20 } }, ["protect"]],
    ["a flatten", { action: "flatten" }, ["close", "cancel"]],
    ["an order that cancels first", { ...BUY, cancelFirst: true }, ["cancel", "order"]],
  ])("%s says what it would do, and does nothing", async (_name, alert, steps) => {
    const { desk, shown } = await openBusyDesk();
    const before = await shown();
    const { status, body } = await ask(desk, alert);
    expect([status, body.error, body.outcome]).toEqual([200, undefined, "test"]);
    const said = body.wouldDo.map(({ step }: { step: string }) => step);
    expect(said).toEqual(expect.arrayContaining([...steps]));
    expect(await shown()).toEqual(before);
    expect(await desk.outcomes()).toEqual(["test"]);
    const [line] = await desk.log();
    expect([line.test, line.orderIds, line.times.sent]).toEqual([true, [], null]);
  });

  test("what it says is what the real one then does", async () => {
    const { desk } = await openBusyDesk();
    const alert = { action: "reverse", symbol: "ES1!", qty: 3 };
    const { body } = await ask(desk, alert);
    const real = await desk.done(alert);
    const close = body.wouldDo.find(({ step }: { step: string }) => step === "close");
    const order = body.wouldDo.find(({ step }: { step: string }) => step === "order").order;
    const [closed] = real.closed;
    expect([close.qty, close.side, close.symbol]).toEqual([closed.qty, closed.side, closed.symbol]);
    expect([order.qty, order.action]).toEqual([real.order.qty, real.order.action]);
    expect(await desk.positions()).toEqual({ [ES.code]: -3 });
  });

  test("it does not make a real alert a duplicate, nor does a real one answer for it", async () => {
    const desk = await openDesk();
    for (const alert of [BUY, { ...BUY, alertId: "Long" }]) {
      expect((await ask(desk, alert)).body.outcome).toBe("test");
      expect((await desk.done(alert)).duplicate).toBeUndefined();
      const after = await ask(desk, alert);
      expect([after.body.outcome, after.body.duplicate]).toEqual(["test", undefined]);
    }
    expect(await desk.orders()).toBe(2);
  });

  test("nor does it end what a real alert stands for", async () => {
    const desk = await openDesk();
    await desk.done(BUY);
    await ask(desk, { ...BUY, qty: 2 });
    expect((await desk.send(BUY)).body.duplicate).toBe(true);
    expect(await desk.orders()).toBe(1);
  });

  test("limits answer as for a real one", async () => {
    const desk = await openDesk();
    await desk.limit({ maxOrderQty: 2 });
    const alert = { ...BUY, qty: 3 };
    const tested = await ask(desk, alert);
    const real = await desk.send(alert);
    expect([tested.status, tested.body.error.code]).toEqual([422, "LIMIT_EXCEEDED"]);
    expect(tested.body.error.message).toBe(real.body.error.message);
  });

  test("it counts for no limit of orders per minute", async () => {
    const desk = await openDesk();
    await desk.limit({ maxOrdersPerMinute: 1 });
    for (let n = 0; n < 3; n += 1) {
      expect((await ask(desk, { ...BUY, comment: String(n) })).status).toBe(200);
    }
    expect((await desk.send(BUY)).status).toBe(200);
  });

  test("the kill switch answers as for a real one: exits would go, entries would not", async () => {
    const desk = await openDesk();
    await desk.order({});
    await desk.kill(true);
    const entry = await ask(desk, BUY);
    expect([entry.status, entry.body.error.code]).toEqual([422, "KILL_SWITCH_ON"]);
    const exit = await ask(desk, { action: "close" });
    expect([exit.status, exit.body.outcome]).toEqual([200, "test"]);
    const through = await ask(desk, { position: -1, symbol: "ES1!" });
    expect(through.status).toBe(200);
    const said = through.body.wouldDo.map(({ step }: { step: string }) => step);
    expect(said).toContain("close");
    expect(said).toContain("withhold");
    expect(said).not.toContain("order");
    expect(await desk.positions()).toEqual({ [ES.code]: 1 });
  });

  test("what cannot be read, or does not fit what is held, is refused as a real one", async () => {
    const desk = await openDesk();
    await desk.order({});
    const wrong: readonly (readonly [object, number, string])[] = [
      [{ ...BUY, sl: 6800 }, 400, "VALIDATION_FAILED"],
      [{ ...BUY, symbol: "ES2!" }, 400, "UNKNOWN_SYMBOL"],
      [{ ...BUY, qty: "{{x}}" }, 400, "UNRESOLVED_PLACEHOLDER"],
      [{ action: "flatten", symbol: "NQ" }, 409, "SYMBOL_MISMATCH"],
    ];
    for (const [alert, status, code] of wrong) {
      const reply = await ask(desk, alert);
      expect([reply.status, reply.body.error.code]).toEqual([status, code]);
    }
  });

  test("the webhook's options hold", async () => {
    const desk = await openDesk({
      symbolMap: { NQ: "MNQ" },
      multiplier: "2",
      allowedSide: "long",
    });
    const { body } = await ask(desk, { action: "buy", symbol: "NQ1!", qty: 2 });
    expect(body.wouldDo[0].order).toMatchObject({ symbol: frontMonth("MNQ").symbol, qty: 4 });
    const short = await ask(desk, { action: "sell", symbol: "NQ1!", qty: 2 });
    expect([short.status, short.body.error.code]).toEqual([422, "SIDE_NOT_ALLOWED"]);
  });
});

test("an array is tested alert by alert, and one real one among them is real", async () => {
  const desk = await openDesk();
  const { status, body } = await desk.send([
    { ...BUY, test: true },
    { ...BUY, qty: 2 },
  ]);
  expect(status).toBe(200);
  expect(body.alerts.map(({ outcome }: { outcome: string }) => outcome)).toEqual(["test", "done"]);
  expect(await desk.positions()).toEqual({ [ES.code]: 2 });
});

test("a test needs the scope trade, and a webhook that is the key's", async () => {
  const desk = await openDesk();
  const reader = await gateway.createKey("read");
  const refused = await reader.api.post(`/v1/webhooks/${desk.webhookId}/test`, BUY);
  expect([refused.status, refused.body.error.code]).toEqual([403, "INSUFFICIENT_SCOPE"]);
  const unknown = await gateway.api.post("/v1/webhooks/hook_none/test", BUY);
  expect([unknown.status, unknown.body.error.code]).toEqual([404, "NOT_FOUND"]);
});

test('"test": false is a real alert', async () => {
  const desk = await openDesk();
  await desk.done({ ...BUY, test: false });
  await desk.done({ ...BUY, test: "false", qty: 2 });
  expect(await desk.orders()).toBe(2);
});
