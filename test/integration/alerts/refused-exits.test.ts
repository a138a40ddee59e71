// The goal: an exit passes whatever is wrong with what it does not read, and a refused one is critical.
// The method: messages through HTTP to the whole gateway, and a destination that gets their refusals.
import { beforeAll, expect, test } from "vitest";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { ALLOW_RECEIVER, Receiver } from "../../support/receiver.ts";
import { eventually } from "../../support/wait.ts";
import { idOf, openPaperDesk } from "./alert-desk.ts";

const ES = frontMonth("ES");
const nextAccount = accountNames(20);

let gateway: TestGateway;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.open();
  gateway = await startGateway({ settings: { ...ALLOW_RECEIVER, PAPER_ACCOUNTS: "1-20" } });
  const { status, text } = await gateway.api.post("/v1/destinations", {
    name: "critical",
    kind: "webhook",
    settings: { url: receiver.url },
    rules: [{ types: ["alert.refused"], tell: "on" }],
  });
  if (status !== 201) throw new Error(text);
  return async () => {
    await gateway.stop();
    receiver.close();
  };
});

const openDesk = async (options: object = {}) =>
  await openPaperDesk(gateway, nextAccount(), options);

type Desk = Awaited<ReturnType<typeof openDesk>>;

const heldBy = async (desk: Desk): Promise<number> => (await desk.positions())[ES.code] ?? 0;

const BUY = { action: "buy", symbol: "ES1!", qty: 1 };

test.each([
  ["native", '{"action":"close","price":NaN,"comment":"{{strategy.order.comment}}"}'],
  ["native", '{"action":"close","qty":{{strategy.order.contracts}},"firedAt":"{{timenow}}"}'],
  ["native", { action: "close_long", symbol: "ES1!", stopLoss: null, limitPrice: "NaN" }],
  ["traderspost", { ticker: "ES1!", action: "exit", sentiment: "flat", takeProfit: "{{plot_0}}" }],
  ["position", { symbol: "ES1!", market_position: "flat", market_position_size: "NaN", sl: "" }],
  ["position", { tv_instrument: "ES1!", action: "exit_long", bot_uuid: "b-1" }],
] as const)("%s: %j closes what is held", async (profile, exit) => {
  const desk = await openDesk();
  await desk.done(BUY);
  expect(await heldBy(desk)).toBe(1);
  await desk.change({ profile });
  await desk.done(exit);
  expect(await heldBy(desk)).toBe(0);
});

test("a word that closes the long side leaves a short one open", async () => {
  const desk = await openDesk();
  await desk.done({ ...BUY, action: "sell" });
  expect((await desk.send({ action: "close_long", symbol: "ES1!" })).status).toBe(409);
  expect(await heldBy(desk)).toBe(-1);
  await desk.done({ action: "exit_short", symbol: "ES1!" });
  expect(await heldBy(desk)).toBe(0);
});

test.each([
  [{ ...BUY, stopLoss: null }, "VALIDATION_FAILED", "stopLoss names a stop-loss", "warning"],
  [
    { ticker: "ES1!", action: "exit" },
    "VALIDATION_FAILED",
    "set its profile to traderspost",
    "critical",
  ],
  [
    "command=PLACE;instrument=ES1!;action=BUY;qty=1;order_type=MARKET;tif=DAY;",
    "VALIDATION_FAILED",
    "set its profile to crosstrade",
    "warning",
  ],
  ['{"action":"close","symbol":"{{ticker}}"}', "UNRESOLVED_PLACEHOLDER", "{{ticker}}", "critical"],
  ['{"action":"exit_long","symbol":"ES1!"', "VALIDATION_FAILED", "not valid JSON", "critical"],
  [{ action: "reduce", symbol: "NOSUCH1!", qty: 1 }, "UNKNOWN_SYMBOL", "NOSUCH", "critical"],
] as const)("%j is refused as %s, and told as what it is", async (body, code, words, severity) => {
  const desk = await openDesk();
  const { status, body: answer } = await desk.send(body);
  expect(status).toBe(400);
  expect(answer.error).toMatchObject({ code, message: expect.stringContaining(words) });
  const alertId = idOf(answer);
  expect(await desk.find(alertId)).toMatchObject({ outcome: "refused", code, severity });
  await eventually(() => {
    const told = receiver.of("alert.refused").map((one) => one.body.data);
    expect(told).toContainEqual(expect.objectContaining({ severity, alertId }));
  });
});

test("an order that goes without a stop by its service's own word says so", async () => {
  const desk = await openDesk({ profile: "pickmytrade" });
  const answer = await desk.done({ symbol: "ES1!", data: "buy", quantity: 1, sl: 0, tp: 0 });
  const notes = [
    "No stop-loss: the alert says so in sl",
    "No take-profit: the alert says so in tp",
  ];
  expect(answer.notes).toEqual(notes);
  expect((await desk.find(answer.alertId)).decisions).toEqual(expect.arrayContaining(notes));
});
