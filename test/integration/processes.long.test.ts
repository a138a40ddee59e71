// The goal: several processes are one gateway: each connection has one owner, and a death is mended.
// The method: run the real program as a launcher, and kill or freeze the process that owns paper.
import { expect, test, type TestContext } from "vitest";
import { frontMonth } from "../support/front-month.ts";
import { GatewayMachine, type GatewayProcess } from "../support/gateway-process.ts";
import { eventually, made, waitUntil } from "../support/wait.ts";

const BUY = { action: "buy", symbol: "ES1!", qty: 1 };

async function launch({ onTestFinished }: TestContext) {
  const machine = await GatewayMachine.create({
    PROCESSES: "ingress=2,worker=2",
    DEFAULT_MAX_POSITION_QTY: "1000",
  });
  onTestFinished(machine.stop);
  return { machine, gateway: await machine.start() };
}

/** Who has owned the paper connection, in order; each line names its epoch and its process. */
function owners({ stdout }: GatewayProcess): { epoch: number; pid: number }[] {
  const lines = stdout().split("\n");
  return lines
    .filter((line) => line.includes('"msg":"Connection owned"'))
    .map((line) => JSON.parse(line) as { count: number; pid: number })
    .map(({ count, pid }) => ({ epoch: count, pid }));
}

function newest(gateway: GatewayProcess): { epoch: number; pid: number } {
  const owner = owners(gateway).at(-1);
  if (owner === undefined) throw new Error("Nobody owns the connection");
  return owner;
}

/** Alerts that follow one another, until one is filled at once; answers how many were accepted. */
async function buyUntilFilled(machine: GatewayMachine): Promise<string[]> {
  const accepted: string[] = [];
  await waitUntil("an alert is filled again", async () => {
    const { status, body } = await machine.alert({ ...BUY, comment: `buy ${performance.now()}` });
    expect([200, 202]).toContain(status);
    accepted.push(body.intentId);
    return body.status === "filled";
  });
  return accepted;
}

/** How many of these intents were done; every other one ended, visibly, without an order. */
async function countDone(machine: GatewayMachine, ids: readonly string[]): Promise<number> {
  const path = "/v1/accounts/paper-1/intents";
  const states = await Promise.all(
    ids.map(async (id) => (await machine.api.get(`${path}/${id}`)).body.state as string),
  );
  // Killed between the write-ahead and the broker, one is proven never to have got there.
  expect(["done", "lost", "expired"]).toEqual(expect.arrayContaining([...new Set(states)]));
  return states.filter((state) => state === "done").length;
}

async function heldQty(machine: GatewayMachine): Promise<number> {
  const { body } = await machine.api.get("/v1/accounts/paper-1/positions");
  return body.positions[0]?.qty ?? 0;
}

async function nothingOpen(machine: GatewayMachine): Promise<void> {
  const path = "/v1/accounts/paper-1/intents?state=unsettled";
  await waitUntil(
    "everything is settled",
    async () => (await machine.api.get(path)).body.intents.length === 0,
  );
}

async function tradesOf(machine: GatewayMachine): Promise<number> {
  const { body } = await machine.api.get("/v1/accounts/paper-1/orders?limit=500");
  return body.trades.length;
}

/** On a busy machine an owner may lose its lease, also before it has said that it owns. */
function expectOneOwnerAtATime(gateway: GatewayProcess): void {
  const epochs = owners(gateway).map(({ epoch }) => epoch);
  expect(epochs).not.toEqual([]);
  expect(epochs).toEqual([...new Set(epochs)].toSorted((one, other) => one - other));
}

test("they share one port, one owner, and one first start", async (context) => {
  const { machine, gateway } = await launch(context);
  expect(gateway.stdout().match(/gwk_/g)).toHaveLength(2);
  expectOneOwnerAtATime(gateway);

  const replies = await Promise.all(
    Array.from({ length: 20 }, (_, n) => machine.outcomeOf({ ...BUY, comment: `${n}` })),
  );
  expect(replies.map(({ status, body }) => [status, body.status])).toEqual(
    replies.map(() => [200, "filled"]),
  );
  const { symbol } = frontMonth("ES");
  const limit = { ...BUY, type: "limit", limitPrice: 100 };
  await made(() => machine.api.post("/v1/accounts/paper-1/orders", limit));
  // A busy machine may answer before the order works.
  await eventually(async () => {
    const { body } = await machine.api.get("/v1/accounts/paper-1/working-orders");
    expect(body.orders).toMatchObject([{ symbol, source: "gateway" }]);
  });
  expect(await heldQty(machine)).toBe(20);

  gateway.signal("SIGTERM");
  const ended = await gateway.ended;
  expect([ended.code, ended.signal]).toEqual([0, null]);
  expect(ended.stdout).not.toMatch(/Did not end/);
});

test("one that is killed is replaced at once, and nothing is lost or doubled", async (context) => {
  const { machine, gateway } = await launch(context);
  const before = newest(gateway);
  const orders = Array.from({ length: 30 }, async (_, n) =>
    machine.alert({ ...BUY, comment: `storm ${n}` }),
  );
  await Promise.race(orders);
  process.kill(before.pid, "SIGKILL");
  const replies = await Promise.all(orders);
  const more = await buyUntilFilled(machine);
  await nothingOpen(machine);

  const after = newest(gateway);
  expect(after.epoch).toBeGreaterThan(before.epoch);
  expect(after.pid).not.toBe(before.pid);
  expect(replies.every(({ status }) => status === 200 || status === 202)).toBe(true);
  expect(await tradesOf(machine)).toBe(await heldQty(machine));
  const accepted = [...replies.map(({ body }) => String(body.intentId)), ...more];
  expect(await heldQty(machine)).toBe(await countDone(machine, accepted));
});

test("one that is frozen is replaced, and does nothing when it thaws", async (context) => {
  const { machine, gateway } = await launch(context);
  const before = newest(gateway);
  process.kill(before.pid, "SIGSTOP");
  try {
    await waitUntil("another one owns it", () => newest(gateway).pid !== before.pid);
    await buyUntilFilled(machine);
  } finally {
    process.kill(before.pid, "SIGCONT");
  }
  await buyUntilFilled(machine);
  await nothingOpen(machine);
  expect(await tradesOf(machine)).toBe(await heldQty(machine));
  expectOneOwnerAtATime(gateway);
  expect(owners(gateway).length).toBeGreaterThan(1);
});
