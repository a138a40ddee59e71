// The goal: over the death of a process each slot of each strategy is in its log once, evaluated or told
// as missed, and sends one order at most.
// The method: the real program as a launcher with two workers; twenty strategies with a slot each ten
// seconds, most of which go in and out of their market; at three slots in a row one worker is killed.
import { setTimeout as sleep } from "node:timers/promises";
import { expect, test, type TestContext, vi } from "vitest";
import { GatewayMachine, type GatewayProcess } from "../../support/gateway-process.ts";
import { HANGS_AFTER_MS, waitUntil } from "../../support/wait.ts";
import {
  type Answered,
  EVERY_TEN_SECONDS,
  IN_AND_OUT,
  openStrategyDesk,
  type StrategyDesk,
} from "./strategy-desk.ts";

vi.setConfig({ testTimeout: 150_000 });

const SLOT_MS = 10_000;
const ACCOUNTS = ["paper-1", "paper-2", "paper-3", "paper-4"];
const SYMBOLS = ["MES1!", "MNQ1!", "MYM1!", "M2K1!"];
/** How long after a slot each of the deaths comes, ms: while it is taken, evaluated, carried out. */
const DEATHS = [5, 40, 120];

interface Trader extends StrategyDesk {
  readonly account: string;
  readonly symbol: string;
}

async function launch({ onTestFinished }: TestContext) {
  const machine = await GatewayMachine.create({
    PROCESSES: "ingress=1,worker=2",
    PAPER_ACCOUNTS: "1-4",
  });
  onTestFinished(machine.stop);
  return { machine, gateway: await machine.start() };
}

/** Sixteen that trade, each its own market of an account, and one of each account that watches. */
async function openStrategies({ api }: GatewayMachine) {
  const open = async (account: string, symbol: string, mode: string): Promise<Trader> => {
    const terms = {
      accountId: account,
      symbol,
      mode,
      barMinutes: 1,
      barCount: 20,
      conditions: IN_AND_OUT,
      schedule: EVERY_TEN_SECONDS,
    };
    return { ...(await openStrategyDesk(() => api, terms)), account, symbol };
  };
  const traders: Trader[] = [];
  const observers: Trader[] = [];
  for (const account of ACCOUNTS) {
    for (const symbol of SYMBOLS) traders.push(await open(account, symbol, "trade"));
    observers.push(await open(account, "MNQ1!", "observe"));
  }
  return { traders, observers };
}

const linesOf = ({ stdout }: GatewayProcess, msg: string) =>
  stdout()
    .split("\n")
    .filter((line) => line.includes(`"msg":"${msg}"`))
    .map((line) => JSON.parse(line) as { pid: number; kind?: string });

const workersOf = (gateway: GatewayProcess): number[] =>
  linesOf(gateway, "Process started")
    .filter(({ kind }) => kind === "worker")
    .map(({ pid }) => pid);

function aWorker(pid: number | undefined): number {
  if (pid === undefined) throw new Error("There is no such worker");
  return pid;
}

const ownerOf = (gateway: GatewayProcess): number =>
  aWorker(linesOf(gateway, "Connection owned").at(-1)?.pid);

/** The one that lives and does not own the connection. */
function helperOf(gateway: GatewayProcess, dead: readonly number[]): number {
  const alive = workersOf(gateway).filter((pid) => !dead.includes(pid));
  return aWorker(alive.find((pid) => pid !== ownerOf(gateway)));
}

/** Kills a worker just after a slot, and waits until another one has come in its place. */
async function killAfterSlot(gateway: GatewayProcess, victim: number, lateMs: number) {
  const slotAt = Math.ceil((Date.now() + 200) / SLOT_MS) * SLOT_MS;
  const before = workersOf(gateway).length;
  await sleep(slotAt + lateMs - Date.now());
  process.kill(victim, "SIGKILL");
  await waitUntil("another worker has started", () => workersOf(gateway).length > before);
  return slotAt;
}

/** The owner of the connection, the other worker, the next owner. Answers the slots. */
async function killThree(gateway: GatewayProcess): Promise<readonly number[]> {
  const dead: number[] = [];
  const slots: number[] = [];
  for (const [n, lateMs] of DEATHS.entries()) {
    const victim = n === 1 ? helperOf(gateway, dead) : ownerOf(gateway);
    slots.push(await killAfterSlot(gateway, victim, lateMs));
    dead.push(victim);
  }
  return slots;
}

const at = (time: string): number => Date.parse(time);

/** Every slot that an entry of the log stands for. */
function slotsOf({ slotAt, missed }: Answered): number[] {
  if (missed === null) return [at(slotAt)];
  const slots = Array.from({ length: missed.slots }, (_, n) => at(missed.fromAt) + n * SLOT_MS);
  expect(slots.at(-1)).toBe(at(slotAt));
  return slots;
}

const everySlot = (fromAt: number, untilAt: number): number[] =>
  Array.from({ length: (untilAt - fromAt) / SLOT_MS + 1 }, (_, n) => fromAt + n * SLOT_MS);

/** What each has in its log, in the order of slots, when everything until that slot has ended. */
async function readLogs(all: readonly Trader[], fromAt: number, untilAt: number) {
  const wanted = everySlot(fromAt, untilAt);
  return await Promise.all(
    all.map(async (trader) => {
      let entries: readonly Answered[] = [];
      const isWhole = async () => {
        entries = (await trader.log()).toSorted((one, other) => at(one.slotAt) - at(other.slotAt));
        const told = new Set(entries.flatMap(slotsOf));
        const isSettled = entries.every(({ outcome }) => !OPEN.has(outcome));
        return isSettled && wanted.every((slot) => told.has(slot));
      };
      await waitUntil(`every slot of ${trader.id} has ended`, isWhole);
      return { trader, entries };
    }),
  );
}

const OPEN: ReadonlySet<string> = new Set(["pending", "unknown"]);
const isDecided = ({ decision }: Answered): boolean => ["enterLong", "exit"].includes(decision);

const inTurn = (count: number, one: string, other: string): string[] =>
  Array.from({ length: count }, (_, n) => (n % 2 === 0 ? one : other));

/** How many came to what. */
function tally(entries: readonly Answered[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const { decision, reason } of entries) {
    const name = `${decision}: ${reason}`;
    counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

async function tradesOf({ api }: GatewayMachine, account: string): Promise<readonly Answered[]> {
  return (await api.get(`/v1/accounts/${account}/orders?limit=500`)).body.trades.toReversed();
}

test("over three deaths each slot is told once, and none sends two orders", async (context) => {
  const { machine, gateway } = await launch(context);
  const { traders, observers } = await openStrategies(machine);
  const all = [...traders, ...observers];
  const before = await Promise.all(all.map(async ({ ended }) => await ended(1, HANGS_AFTER_MS)));
  const fromAt = Math.max(...before.map(([first]) => at(first.slotAt)));

  const deaths = await killThree(gateway);
  const lastDeathAt = deaths.at(-1) ?? 0;
  const untilAt = lastDeathAt + 2 * SLOT_MS;
  const logs = await readLogs(all, fromAt, untilAt);

  for (const { entries } of logs) {
    const told = entries.flatMap(slotsOf);
    expect(told).toEqual(everySlot(told[0] ?? 0, told.at(-1) ?? 0));
    for (const { reason } of entries) expect(reason).toMatch(/\w/);
    const well = entries.filter(({ slotAt }) => at(slotAt) > lastDeathAt + SLOT_MS);
    expect(well.filter((one) => !isDecided(one))).toEqual([]);
  }

  const trades = new Map<string, readonly Answered[]>();
  for (const account of ACCOUNTS) trades.set(account, await tradesOf(machine, account));
  for (const { trader, entries } of logs.slice(0, traders.length)) {
    const done = entries.filter(({ outcome }) => outcome === "done");
    const [{ symbol }] = done;
    const own = (trades.get(trader.account) ?? []).filter((trade) => trade.symbol === symbol);
    // In and out in turn: nothing was sent for what was done already.
    expect(done.map(({ decision }) => decision as string)).toEqual(
      inTurn(done.length, "enterLong", "exit"),
    );
    expect(own.map(({ side }) => side as string)).toEqual(inTurn(done.length, "buy", "sell"));
    expect(new Set(own.map(({ orderId }) => orderId as string)).size).toBe(done.length);
  }
  for (const { entries } of logs.slice(traders.length)) {
    expect(entries.map(({ intentId }) => intentId as unknown)).toEqual(entries.map(() => null));
  }

  // There was always a worker that could have waited for the connection within the slot's time.
  const atDeaths = logs.flatMap(({ entries }) =>
    entries.filter(({ slotAt }) => deaths.includes(at(slotAt))),
  );
  expect(atDeaths).toHaveLength(deaths.length * all.length);
  expect(tally(atDeaths.filter((one) => !isDecided(one)))).toEqual({});
});
