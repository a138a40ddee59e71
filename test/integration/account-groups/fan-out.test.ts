// The goal: one alert or call is one order in each account of a group, and what one of them refuses,
// or its broker leaves open, is its own affair.
// The method: post to whole gateways, and count what each account's broker was asked for.
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { accountId } from "../../../src/domain/ids.ts";
import { type ExchangeSimulator, startExchangeSimulator } from "../../simulators/exchange/start.ts";
import { accountNames, frontMonth, startGateway, type TestGateway } from "../../support/gateway.ts";
import { shareConnections } from "../../support/shared-gateway.ts";
import { waitUntil } from "../../support/wait.ts";
import { BUY, each, openGroupDesk } from "./group-desk.ts";

const ES = frontMonth("ES");
const MES = frontMonth("MES");
const nextAccount = accountNames(60);

let gateway: TestGateway;
let simulator: ExchangeSimulator;

beforeAll(async () => {
  simulator = await startExchangeSimulator();
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: "1-60" } });
  return async () => {
    await gateway.stop();
    await simulator.stop();
  };
});

async function openPaper(terms: readonly object[] = [{}, {}], options: object = {}) {
  const accounts = terms.map(() => nextAccount());
  const members = accounts.map((account, n) => ({ accountId: account, ...terms[n] }));
  const desk = await openGroupDesk(() => gateway.api, members, options);
  const held = async () =>
    await Promise.all(accounts.map(async (one) => await gateway.broker.positions(one)));
  const orders = async () => {
    const filled = accounts.map(async (one) => (await gateway.broker.filled(one)).orders);
    return await Promise.all(filled);
  };
  return { ...desk, accounts, held, orders };
}

/** Longer than any test. */
const NEVER_MS = 60_000;

/** Three accounts of one broker each, whose adapter gives up what is kept back. */
const nextConnection = shareConnections(() => simulator, 3, {}, { accounts: 3 });
/** The gateway waits for what the broker keeps back until the session ends. */
const PATIENT = { accounts: 3, answersOnTime: true, isPatient: true };
const nextPatient = shareConnections(() => simulator, 2, {}, PATIENT);

/** The last of the three accounts can be kept waiting. */
async function openExchange(next = nextConnection) {
  const own = next();
  await own.quote(ES, 27_400);
  const desk = await openGroupDesk(() => own.api, own.accounts);
  const last = own.accounts[2] ?? "";
  const knob = { knob: "delay", account: accountId(last) } as const;
  const delay = async (ms: number) =>
    void (await simulator.control({ ...knob, ms, ops: ["submitOrder", "closePosition"] }));
  /** Nothing of it is answered, what is only read neither. */
  const hang = async () => void (await simulator.control({ ...knob, ms: 10_000 }));
  onTestFinished(async () => await delay(0));
  const sent = async () =>
    await Promise.all(
      own.accounts.map(async (one) => {
        return (await own.commandsOf(one, "submitOrder", "closePosition")).length;
      }),
    );
  const lock = async (account = own.accounts[1]) =>
    await own.api.post(`/v1/accounts/${account}/guards/lock`, {});
  /** One account's part of an alert: its answer may come before its outcome. */
  const untilDone = async ({ alertId }: { readonly alertId: string }) => {
    const isDone = async () => (await desk.find(alertId)).outcome === "done";
    await waitUntil(`${alertId} is done`, isDone);
  };
  const enter = async () => {
    const { body } = await desk.send(BUY);
    for (const part of body.accounts) await untilDone(part);
  };
  /** The next session looks up the order that was kept back. */
  const release = async () => {
    await delay(0);
    await own.breakSession(0);
  };
  return { ...desk, own, last, delay, hang, sent, lock, untilDone, enter, release };
}

describe("an alert", () => {
  test("is one order in each account, on that member's terms, with a line for the whole", async () => {
    const { send, accounts, held, log, groupId, find } = await openPaper(
      [{}, { multiplier: "5", symbolMap: { ES: "MES" } }, { fixedQty: 3 }, { enabled: false }],
      { multiplier: "2" },
    );
    const { status, body } = await send(BUY);
    expect([status, body.outcome, body.groupId]).toEqual([200, "split", groupId]);
    expect(each(body)).toEqual([
      [200, "done"],
      [200, "done"],
      [200, "done"],
    ]);
    expect(body.accounts.map((one: { accountId: string }) => one.accountId)).toEqual(
      accounts.slice(0, 3),
    );
    expect(await held()).toEqual([{ [ES.code]: 2 }, { [MES.code]: 10 }, { [ES.code]: 3 }, {}]);

    const lines = await log();
    const outcomes = lines.map(({ outcome }) => outcome as string);
    expect(outcomes.filter((outcome) => outcome === "done")).toHaveLength(3);
    expect(outcomes.filter((outcome) => outcome === "split")).toHaveLength(1);
    const whole = await find(body.alertId);
    expect(whole).toMatchObject({ outcome: "split", groupId, partOf: null });
    for (const { alertId, accountId: account } of whole.children) {
      const part = await find(alertId);
      expect(part).toMatchObject({ accountId: account, groupId, partOf: body.alertId });
    }
    const ofFirst = await log(`&accountId=${accounts[0]}`);
    expect(ofFirst.map(({ outcome }) => outcome)).toEqual(["done"]);
    expect(await log("&outcome=split")).toHaveLength(1);
    expect(await log("&outcome=refused")).toEqual([]);
  });

  test("sent again is answered with the same outcomes, and sends nothing", async () => {
    const { send, orders } = await openPaper();
    const first = await send({ ...BUY, alertId: "once" });
    const again = await send({ ...BUY, alertId: "once", comment: "again" });
    const marked = first.body.accounts.map((one: object) => ({ ...one, duplicate: true }));
    expect(again.body).toMatchObject({ duplicate: true, accounts: marked });
    expect(await orders()).toEqual([1, 1]);
  });

  test("twenty at once are one order each", async () => {
    const { send, orders } = await openPaper();
    const all = Array.from({ length: 20 }, async () => await send(BUY));
    const statuses = (await Promise.all(all)).map(({ status }) => status);
    expect(statuses.every((status) => [200, 202, 207].includes(status))).toBe(true);
    expect(await orders()).toEqual([1, 1]);
  });

  test("that one account refuses goes to the others", async () => {
    const { send, accounts, orders, log } = await openPaper();
    const kill = { active: true, accountId: accounts[0] };
    await gateway.api.put("/v1/kill-switch", kill);
    const { status, body } = await send(BUY);
    expect([status, each(body)]).toEqual([
      207,
      [
        [422, "KILL_SWITCH_ON"],
        [200, "done"],
      ],
    ]);
    await gateway.api.put("/v1/kill-switch", { ...kill, active: false });
    const denied = (await log()).find(({ outcome }) => outcome === "denied");
    const replayed = await gateway.api.post(`/v1/alerts/${denied.alertId}/replay`, "");
    expect([replayed.status, replayed.body.accountId]).toEqual([200, accounts[0]]);
    expect(await orders()).toEqual([1, 1]);
    const whole = (await log("&outcome=split"))[0];
    const refused = await gateway.api.post(`/v1/alerts/${whole.alertId}/replay`, "");
    expect(refused.body.error.code).toBe("NOT_REPLAYABLE");
  });

  test("for A done, B locked and C without an answer is a 207, and looked up when it comes again", async () => {
    const desk = await openExchange(nextPatient);
    const { send, own, delay, sent, lock, find, untilDone, release } = desk;
    expect((await lock()).status).toBe(200);
    await delay(NEVER_MS);
    const alert = { ...BUY, alertId: "vector 25" };
    const { status, body } = await send(alert);
    const [a, b, c] = body.accounts;
    expect([status, b.httpStatus, c.httpStatus]).toEqual([207, 422, 202]);
    expect([b.error.code, c.outcome]).toEqual(["LOCKED", "pending"]);
    // On a busy machine its answer is a 202, too.
    await untilDone(a);

    const again = await send(alert);
    const [a2, b2, c2] = again.body.accounts;
    expect([again.status, a2.httpStatus, a2.outcome]).toEqual([207, 200, "done"]);
    expect([(await find(a.alertId)).orderIds, a2.duplicate]).toEqual([[a2.orderId], true]);
    expect([b2.error.code, b2.error.duplicate]).toEqual(["LOCKED", true]);
    expect([c2.httpStatus, c2.alertId]).toEqual([202, c.alertId]);
    expect(await sent()).toEqual([1, 0, 1]);

    await release();
    await untilDone(c);
    const late = await send(alert);
    expect(late.body.accounts[2]).toMatchObject({ outcome: "done", duplicate: true });
    expect(await sent()).toEqual([1, 0, 1]);
    const { positions } = (await own.broker()) ?? { positions: [] };
    expect(positions).toHaveLength(1);
  });

  test("to get out is carried out while another account's broker hangs", async () => {
    const desk = await openExchange(nextPatient);
    const { send, own, last, delay, sent, enter, untilDone, release } = desk;
    await enter();
    await delay(NEVER_MS);
    const [a, b, c] = (await send({ action: "flatten" })).body.accounts;
    const stateOfLast = async () => {
      return (await own.api.get(`/v1/accounts/${last}/intents/${c.intentId}`)).body.state;
    };
    await waitUntil("the last one is held", async () => (await stateOfLast()) === "sending");
    for (const part of [a, b]) await untilDone(part);
    // It was held for as long as the others took: they have not waited for it.
    expect([c.httpStatus, c.outcome, await stateOfLast()]).toEqual([202, "pending", "sending"]);
    expect((await sent()).slice(0, 2)).toEqual([2, 2]);
    expect((await own.broker())?.positions ?? []).toEqual([]);
    await release();
    await untilDone(c);
  });

  test("to get out of what no account knows is refused once, for all of them", async () => {
    const { send } = await openPaper([{}, { symbolMap: { ES: "MES" } }]);
    const { status, body } = await send({ action: "exit", symbol: "NOPE1!" });
    expect([status, body.error.code]).toEqual([400, expect.any(String)]);
  });
});

describe("a mistake refuses all, and nothing is sent", () => {
  test.each([
    ["an unknown symbol", { ...BUY, symbol: "NOPE1!" }, "UNKNOWN_SYMBOL"],
    ["a price between ticks", { ...BUY, type: "limit", limitPrice: 5000.1 }, "VALIDATION_FAILED"],
    ["an unknown field", { ...BUY, sl: 6800 }, "VALIDATION_FAILED"],
    ["an array", [BUY, BUY], "VALIDATION_FAILED"],
  ])("%s", async (_, alert, code) => {
    const { send, orders, log } = await openPaper();
    const { status, body } = await send(alert);
    expect([status, body.error.code]).toEqual([400, code]);
    expect(await orders()).toEqual([0, 0]);
    const lines = await log();
    expect(lines.every(({ outcome, partOf }) => outcome === "refused" && partOf === null)).toBe(
      true,
    );
  });

  test("a bad level for one account only, by its own map", async () => {
    const { send, orders } = await openPaper([{}, { symbolMap: { ES: "6E" } }]);
    const { status, body } = await send({ ...BUY, type: "limit", limitPrice: 5000.25001 });
    expect([status, body.error.code]).toEqual([400, "VALIDATION_FAILED"]);
    expect(await orders()).toEqual([0, 0]);
  });

  test("a group of which no account is on", async () => {
    const { send, change, accounts, orders } = await openPaper();
    await change({ members: accounts.map((account) => ({ accountId: account, enabled: false })) });
    const { status, body } = await send(BUY);
    expect([status, body.error.code]).toEqual([422, "NO_ACCOUNTS_IN_GROUP"]);
    expect(await orders()).toEqual([0, 0]);
  });

  test("but what was carried out before is answered, and only the rest is refused", async () => {
    const { send, change, accounts, orders } = await openPaper();
    const alert = { ...BUY, type: "limit", limitPrice: 6850.5, alertId: "before" };
    expect((await send(alert)).status).toBe(200);
    const third = nextAccount();
    await change({
      members: [
        ...accounts.map((account) => ({ accountId: account })),
        { accountId: third, symbolMap: { ES: "6E" }, multiplier: "0.0001" },
      ],
    });
    const { body } = await send({ ...alert });
    expect(body.accounts.slice(0, 2)).toMatchObject([{ duplicate: true }, { duplicate: true }]);
    expect(body.accounts[2].httpStatus).toBeGreaterThanOrEqual(400);
    expect(await orders()).toEqual([1, 1]);
    expect((await gateway.broker.filled(third)).orders).toBe(0);
  });
});

describe("a call of /v1", () => {
  test("is one order in each account; a key repeats each account's answer", async () => {
    const { order, orders, accounts, held } = await openPaper([{}, { multiplier: "2" }]);
    const first = await order({}, "key-1");
    expect([first.status, each(first.body)]).toEqual([
      200,
      [
        [201, "filled"],
        [201, "filled"],
      ],
    ]);
    const again = await order({}, "key-1");
    expect([again.status, again.body]).toEqual([200, first.body]);
    expect(again.headers.get("Idempotency-Replayed")).toBe("true");
    const other = await order({ qty: 2 }, "key-1");
    expect([other.status, other.body.error.code]).toEqual([422, "IDEMPOTENCY_KEY_REUSED"]);
    // The same key on one account by itself is another one.
    const alone = await gateway.api.post(`/v1/accounts/${accounts[0]}/orders`, BUY, {
      "Idempotency-Key": "key-1",
    });
    expect(alone.status).toBe(201);
    expect(await orders()).toEqual([2, 1]);
    expect(await held()).toEqual([{ [ES.code]: 2 }, { [ES.code]: 2 }]);
  });

  test("less than one contract opens nothing, and a mistake refuses all", async () => {
    const { order, orders } = await openPaper([{}, { multiplier: "0.5" }]);
    const { status, body } = await order({});
    expect([status, each(body)]).toEqual([
      207,
      [
        [201, "filled"],
        [400, "VALIDATION_FAILED"],
      ],
    ]);
    const wrong = await order({ symbol: "NOPE1!" });
    expect([wrong.status, wrong.body.error.code]).toEqual([400, "UNKNOWN_SYMBOL"]);
    expect(await orders()).toEqual([1, 0]);
  });

  test("flattens every account, while one broker hangs", async () => {
    const { flatten, hang, own, sent, enter } = await openExchange();
    await enter();
    await hang();
    const { status, body } = await flatten();
    const [a, b, c] = body.accounts;
    expect([status, a.httpStatus, b.httpStatus]).toEqual([207, 200, 200]);
    expect(c.error.code).toBe("BROKER_UNAVAILABLE");
    expect(await sent()).toEqual([2, 2, 1]);
    expect((await own.broker())?.positions ?? []).toEqual([]);
  });

  test("is a 503 only where certainly nothing was sent anywhere", async () => {
    const { order, own, sent } = await openExchange();
    await own.goDown();
    const { status, body } = await order({});
    expect([status, body.error.code, body.accounts.length]).toEqual([503, "BROKER_UNAVAILABLE", 3]);
    expect(await sent()).toEqual([0, 0, 0]);
  });

  test("is a 500 where all failed and something may have been sent, with each one's own", async () => {
    const { path, own, change, last, delay } = await openExchange();
    await change({ members: [{ accountId: last }] });
    await delay(NEVER_MS);
    const { status, body } = await own.api.post(`${path}/orders`, BUY);
    expect([status, body.error.code]).toEqual([500, "OUTCOME_UNKNOWN"]);
    expect(body.accounts[0].error.intentId).toMatch(/^i[0-9a-f]{28}$/);
  });
});

describe("an alert that names accounts", () => {
  const place = (account: string) =>
    `command=PLACE;account=${account};instrument=ES1!;action=buy;qty=1;order_type=market;tif=day`;
  const close = (account: string) => `command=CLOSEPOSITION;account=${account};instrument=ES1!`;

  test("goes to these alone, and to nobody where one of them is unknown or off", async () => {
    const desk = await openPaper([{}, {}, {}, { enabled: false }], { profile: "crosstrade" });
    const { send, accounts, held, log } = desk;
    const [a = "", b = "", , off = ""] = accounts;
    const { status, body } = await send(place(`${a},${b.toUpperCase()}`));
    expect([status, body.accounts.length]).toEqual([200, 2]);
    expect(await held()).toEqual([{ [ES.code]: 1 }, { [ES.code]: 1 }, {}, {}]);
    for (const wrong of ["nobody", off, a]) {
      const refused = await send(place(`${a},${wrong}`));
      expect(refused.status).toBe(400);
      expect(refused.body.error.details).toEqual([
        { path: "account", message: expect.stringContaining(`"${wrong}" is`) as string },
      ]);
    }
    expect(await held()).toEqual([{ [ES.code]: 1 }, { [ES.code]: 1 }, {}, {}]);
    expect((await log("&outcome=refused")).length).toBe(3);
  });

  test("lets a way out pass for those that are known, and says who is not", async () => {
    const { send, accounts, held, find } = await openPaper([{}, {}], { profile: "crosstrade" });
    const [a = ""] = accounts;
    await send(place(accounts.join(",")));
    const { status, body } = await send(close(`nobody,${a}`));
    expect([status, each(body)]).toEqual([207, [[200, "done"]]]);
    expect(body.problems).toEqual([
      { path: "account", message: '"nobody" is no account of the webhook\'s group' },
    ]);
    expect(await held()).toEqual([{}, { [ES.code]: 1 }]);
    expect((await find(body.alertId)).decisions.join()).toContain('"nobody" is no account');
    expect((await send(close("nobody,none"))).status).toBe(400);
    expect(await held()).toEqual([{}, { [ES.code]: 1 }]);
  });

  test("in rows goes to each on its row's terms", async () => {
    const { send, accounts, held } = await openPaper([{}, {}, {}], { profile: "pickmytrade" });
    const [a = "", , c = ""] = accounts;
    const multiple_accounts = [
      { token: "T", account_id: a, quantity_multiplier: 1 },
      { token: "T", account_id: c, quantity_multiplier: 3 },
    ];
    const alert = { symbol: "ES1!", data: "buy", quantity: 1, multiple_accounts };
    expect((await send(alert)).status).toBe(200);
    expect(await held()).toEqual([{ [ES.code]: 1 }, {}, { [ES.code]: 3 }]);
  });
});
