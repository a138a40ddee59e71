// The goal: whatever is asked of an account, and in whichever order, its orders, fills and position
// agree with what was answered. The method: commands drawn at random go through HTTP to the whole
// gateway on the paper broker, next to a book that knows only calls, answers and the trade history.
import fc from "fast-check";
import { beforeAll, expect, test } from "vitest";
import { startGateway, type TestGateway } from "../support/gateway.ts";
import { anyCommand, type Command } from "./commands.ts";
import { flatten } from "./flatten.ts";
import { alertSteps, SharedAccount } from "./alerts.ts";
import { probeAbilities } from "./abilities.ts";
import { closableBy, isLiveLeg } from "./view.ts";
import { MARKET_ORDER, place } from "./place.ts";
import { type Abilities, claim, openTrader, symbolOf, type Tally, World } from "./world.ts";
import { CHECK_SEED } from "../support/check-seed.ts";

/** By hand: MODEL_STEPS=5000, and CHECK_SEED, MODEL_PATH, MODEL_REPLAY as a failure prints them. */
const STEPS = Number(process.env["MODEL_STEPS"] ?? 400);
const PATH = process.env["MODEL_PATH"];
const REPLAY = process.env["MODEL_REPLAY"];
const MOST_STEPS = 40;
/** Sequences are of any length up to the most. */
const RUNS = Math.ceil(STEPS / (MOST_STEPS / 2));
const ALERT_RUNS = Math.ceil(STEPS / 40);
const MS_PER_STEP = 300;
const LIMIT_MS = 30_000 + STEPS * MS_PER_STEP;

/** Nothing is ever asked of it. */
const BYSTANDER = "paper-1";
const ACCOUNTS = 40 + RUNS * 2 + 400;

let gateway: TestGateway;
let abilities: Abilities;
const tally = createTally();
let accounts = 1;

beforeAll(async () => {
  gateway = await startGateway({ settings: { PAPER_ACCOUNTS: `1-${ACCOUNTS}` } });
  abilities = await probeAbilities(gateway, nextAccount);
  return gateway.stop;
});

function nextAccount(): string {
  accounts += 1;
  return `paper-${accounts}`;
}

test(
  "orders, fills and positions agree with what was asked and answered",
  async () => {
    say(`CHECK_SEED=${CHECK_SEED} MODEL_STEPS=${STEPS}`);
    if (!abilities.keepsLegs) say("nobody keeps legs; that is not checked here");
    if (!abilities.modifies) say("orders cannot be changed; that is left out");
    const commands = fc.commands([anyCommand(abilities)], {
      maxCommands: MOST_STEPS,
      size: "max",
      ...(REPLAY !== undefined && { replayPath: REPLAY }),
    });
    let running = Promise.resolve();
    const inOrder = async (sequence: Iterable<Command>) => {
      await (running = runSequence(sequence));
    };
    // Without a bias to short ones: what is worth finding takes some steps.
    const run = await fc.check(fc.asyncProperty(fc.noBias(commands), inOrder), {
      seed: CHECK_SEED,
      numRuns: RUNS,
      interruptAfterTimeLimit: LIMIT_MS,
      includeErrorInReport: true,
      ...(PATH !== undefined && { path: PATH }),
    });
    // One that was interrupted goes on, and would break the sessions of the tests behind it.
    await running.catch(() => undefined);
    say([...tally.counts].map(([name, times]) => `${name} ${times}`).join(", "));
    const report = await fc.asyncDefaultReportMessage(run);
    expect(run.failed, `${report}`).toBe(false);
    // It did what it is for.
    expect(run.numRuns).toBeGreaterThan(0);
  },
  LIMIT_MS + 120_000,
);

test(
  "an exit by alert is carried out, whoever sent what before",
  async () => {
    const run = await fc.check(
      fc.asyncProperty(fc.noBias(alertSteps), async (sequence) => {
        const shared = await SharedAccount.open(gateway, nextAccount());
        try {
          for (const step of sequence) await shared.take(step);
        } finally {
          await shared.leave();
        }
      }),
      { seed: CHECK_SEED, numRuns: ALERT_RUNS, includeErrorInReport: true },
    );
    const report = await fc.asyncDefaultReportMessage(run);
    expect(run.failed, `${report}`).toBe(false);
  },
  LIMIT_MS,
);

test("legs end with the position that they protect", () => {
  expect(abilities.keepsLegs, "legs are still there after their position was closed").toBe(true);
});

test("a close that finds too few to trade with is carried through", async () => {
  await expect(closeWithTooFew()).resolves.toBeUndefined();
});

test("the legs of a reversal that still fills close no more than the position", async () => {
  await expect(reverseWithTooFew()).resolves.toBeUndefined();
});

async function closeWithTooFew(): Promise<void> {
  await inWorld(async (world) => {
    const trader = world.trader(0);
    await place(world, trader, { ...MARKET_ORDER, qty: 2 });
    world.move("ES", 0, 1);
    await flatten(world, trader, { via: "webhook", root: undefined, isThin: true });
  });
}

async function reverseWithTooFew(): Promise<void> {
  await inWorld(async (world) => {
    // A session that breaks in between, on a busy machine, sees the same size shown anew.
    const isMade = (await reverseHalf(world, 0)) || (await reverseHalf(world, 1));
    claim(isMade, "one of three is still to be filled", world.traders);
  });
}

/** Answers whether the entry still works and its leg closes no more than is held. */
async function reverseHalf(world: World, nth: number): Promise<boolean> {
  const trader = world.trader(nth);
  const stopLoss = { by: "ticks", distance: 40 } as const;
  world.resetMarket();
  await place(world, trader, MARKET_ORDER);
  world.move("ES", 0, 2);
  // Quiet is only once no leg is larger than the position.
  await place(world, trader, { ...MARKET_ORDER, action: "sell", qty: 3, stopLoss });
  const legs = trader.view.working.filter(isLiveLeg);
  const held = closableBy(trader.view, symbolOf("ES"), "buy");
  if (held !== 1) return false;
  expect(legs).toMatchObject([{ remainingQty: 1 }]);
  return true;
}

async function inWorld(run: (world: World) => Promise<void>): Promise<void> {
  const world = await openWorld();
  try {
    await run(world);
  } catch (error) {
    // A long search for a shorter sequence is no silence.
    say(String(error).slice(0, 2_000));
    throw error;
  } finally {
    await leaveNothing(world);
  }
}

async function openWorld(): Promise<World> {
  const traders = [
    await openTrader(gateway, nextAccount()),
    await openTrader(gateway, nextAccount()),
  ];
  const world = new World(gateway, { abilities, tally, traders });
  world.resetMarket();
  return world;
}

async function runSequence(commands: Iterable<Command>): Promise<void> {
  await inWorld(async (world) => {
    await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
    await endInOrder(world);
  });
}

/** A sequence ends as the specification says a webhook's close ends everything. */
async function endInOrder(world: World): Promise<void> {
  world.resetMarket();
  await world.settle();
  for (const trader of world.traders) {
    await flatten(world, trader, { via: "webhook", root: undefined });
    const { positions, working } = trader.view;
    const isEmpty = Object.keys(positions).length + working.length === 0;
    claim(isEmpty, "a webhook's close leaves nothing", trader.view);
  }
  const { positions, working, trades } = await world.lookAt(BYSTANDER);
  const isUntouched = Object.keys(positions).length + working.length + trades.length === 0;
  claim(isUntouched, "nothing appears on other accounts", { positions, working, trades });
}

/** What a failed sequence left would trade against the next one's displayed sizes. */
async function leaveNothing(world: World): Promise<void> {
  world.resetMarket();
  for (const trader of world.traders) await world.alert(trader, { action: "close" });
}

function say(line: string): void {
  process.stderr.write(`model: ${line}\n`);
}

function createTally(): Tally {
  const counts = new Map<string, number>();
  return { counts, add: (name) => counts.set(name, (counts.get(name) ?? 0) + 1) };
}
