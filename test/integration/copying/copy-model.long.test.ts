// The goal: whatever happens to a leader, its followers and the gateway, once it is quiet each
// follower that is well holds what it is to hold, and nobody holds anything behind a flat leader but
// what was its own before it followed, which nobody else touches until the leader trades there.
// The method: commands drawn at random go over HTTP to one gateway with several groups, next to a
// model that knows only what was asked for.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { HANGS_AFTER_MS } from "../../support/wait.ts";
import { CopySite } from "./copy-desk.ts";
import { CopyWorld, type GroupTerms, type Root } from "./copy-world.ts";
import { CHECK_SEED } from "../../support/check-seed.ts";

/** By hand: COPY_RUNS=50 COPY_SECONDS=900, and CHECK_SEED and COPY_PATH as a failure prints them. */
const RUNS = Number(process.env["COPY_RUNS"] ?? 2);
/** No sequence begins, and no shorter one is looked for, after so long. */
const SECONDS = Number(process.env["COPY_SECONDS"] ?? 30);
const PATH = process.env["COPY_PATH"];
const MOST_STEPS = 40;
/** The last sequence ends by itself: each of its waits is bounded. */
const LAST_RUN_MS = 10 * HANGS_AFTER_MS;

const GROUPS: readonly GroupTerms[] = [
  { driftPolicy: "repair", followers: [{}, { multiplier: 0.5 }, { invert: true, maxQty: 3 }] },
  { driftPolicy: "repair", followers: [{ fixedQty: 2 }] },
  { driftPolicy: "alarm", followers: [{}, { multiplier: 2, symbolMap: { NQ: "MNQ" } }] },
];
const ACCOUNTS = GROUPS.reduce((sum, { followers }) => sum + 1 + followers.length, 0);

type Command = fc.AsyncCommand<CopyWorld, CopyWorld>;

class Step implements Command {
  readonly #name: string;
  readonly #wish: unknown;
  readonly #run: (world: CopyWorld) => Promise<void>;

  constructor(name: string, wish: unknown, run: (world: CopyWorld) => Promise<void>) {
    this.#name = name;
    this.#wish = wish;
    this.#run = run;
  }

  check(): boolean {
    return true;
  }

  async run(world: CopyWorld): Promise<void> {
    tally.set(this.#name, (tally.get(this.#name) ?? 0) + 1);
    await this.#run(world);
  }

  toString(): string {
    return `\n  ${this.#name} ${JSON.stringify(this.#wish)}`;
  }
}

const tally = new Map<string, number>();
/** A group, and a follower of one: the remainder counts. */
const which = fc.nat(5);
const root = fc.constantFrom<Root>("MNQ", "MNQ", "NQ");
const qty = fc.integer({ min: -4, max: 4 }).filter((it) => it !== 0);
const shown = fc.option(fc.integer({ min: 1, max: 3 }), { nil: undefined });

function steps<Wish>(
  name: string,
  wish: fc.Arbitrary<Wish>,
  run: (world: CopyWorld, wish: Wish) => Promise<void>,
): fc.Arbitrary<Command> {
  return wish.map((its) => new Step(name, its, async (world) => await run(world, its)));
}

/** The leader trades; a quantity that takes it back to flat now and then. */
const trading = steps(
  "trade",
  fc.record({ which, root, qty, shown, isExit: fc.nat(3).map((n) => n === 0) }),
  async (world, wish) => {
    const school = world.school(wish.which);
    const held = school.leads[wish.root] ?? 0;
    const signed = wish.isExit && held !== 0 ? -held : wish.qty;
    await world.trade(school, wish.root, {
      qty: signed,
      ...(wish.shown !== undefined && { shown: wish.shown }),
    });
  },
);

const pupil = fc.record({ which, n: fc.nat(5) });
const pick = (world: CopyWorld, { which: of, n }: { which: number; n: number }) => {
  const school = world.school(of);
  const found = school.pupils[n % school.pupils.length];
  if (found === undefined) throw new Error("A group has no follower");
  return { school, found };
};

const turning = steps("on/off", pupil, async (world, wish) => {
  const { school, found } = pick(world, wish);
  if (!school.isCopiedOnly) await world.turn(school, found, !found.isOn);
});

const limiting = steps("limit", pupil, async (world, wish) => {
  const { school, found } = pick(world, wish);
  if (!school.isCopiedOnly) await world.limit(found, !found.isLimited);
});

const byHand = steps(
  "by hand",
  fc.record({ of: pupil, root, qty }),
  async (world, { of, ...wish }) => {
    const { school, found } = pick(world, of);
    if (!school.isCopiedOnly) await world.byHand(found, wish.root, wish.qty);
  },
);

const pausing = steps("pause/resume", which, async (world, of) => {
  const school = world.school(of);
  if (!school.isCopiedOnly) await world.pause(school, !school.isPaused);
});

const syncing = steps("sync", which, async (world, of) => await world.sync(world.school(of)));
const nothing = fc.constant(undefined);
const settling = steps("settle", nothing, async (world) => await world.settle());
const breaking = steps("break", nothing, async (world) => await world.breakSession());
const restarting = steps("restart", nothing, async (world) => await world.restart());

const anyCommand = fc.oneof(
  { weight: 50, arbitrary: trading },
  { weight: 10, arbitrary: turning },
  { weight: 8, arbitrary: limiting },
  { weight: 8, arbitrary: byHand },
  { weight: 8, arbitrary: pausing },
  { weight: 5, arbitrary: syncing },
  { weight: 3, arbitrary: settling },
  { weight: 3, arbitrary: breaking },
  { weight: 2, arbitrary: restarting },
);

let site: CopySite;
let deadline: number;
let sequences = 0;

beforeAll(async () => {
  site = await CopySite.open(ACCOUNTS * (RUNS + 200), { ENTRY_MAX_AGE_SECONDS: "60" });
});
afterAll(async () => await site.gateway.stop());

async function runSequence(commands: Iterable<Command>): Promise<void> {
  if (performance.now() > deadline) return;
  sequences += 1;
  const world = await CopyWorld.open(site, GROUPS);
  try {
    await fc.asyncModelRun(() => ({ model: world, real: world }), commands);
    await world.end();
  } catch (error) {
    // A long search for a shorter sequence is no silence.
    say(String(error).slice(0, 3_000));
    throw error;
  }
}

test(
  "once it is quiet, each follower that is well holds what it is to hold",
  async () => {
    say(`CHECK_SEED=${CHECK_SEED} COPY_RUNS=${RUNS}`);
    deadline = performance.now() + SECONDS * 1_000;
    const commands = fc.commands([anyCommand], { maxCommands: MOST_STEPS, size: "max" });
    // Without a bias to short ones: what is worth finding takes some steps.
    const run = await fc.check(fc.asyncProperty(fc.noBias(commands), runSequence), {
      seed: CHECK_SEED,
      numRuns: RUNS,
      includeErrorInReport: true,
      ...(PATH !== undefined && { path: PATH }),
    });
    say(`${sequences} sequences: ${[...tally].map((counted) => counted.join(" ")).join(", ")}`);
    expect(run.failed, `${await fc.asyncDefaultReportMessage(run)}`).toBe(false);
  },
  SECONDS * 1_000 + LAST_RUN_MS,
);

function say(line: string): void {
  process.stderr.write(`copying: ${line}\n`);
}
