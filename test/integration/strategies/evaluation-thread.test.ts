// The goal: what is computed never holds the main thread, and always comes to an end.
// The method: ask a real thread for what takes for ever, what breaks and what is too much.
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { EvaluationThread } from "../../../src/evaluation/evaluation-thread.ts";
import type { EngineInputs } from "../../../src/trading/strategies/ports.ts";
import type { StrategyRules } from "../../../src/domain/strategies/strategy.ts";
import { evaluationProgram } from "../../support/program.ts";
import { ENDLESS } from "../../support/endless-condition.ts";
import { HANGS_AFTER_MS } from "../../support/wait.ts";

const lost: string[] = [];
let threads: EvaluationThread[] = [];
afterEach(async () => {
  await Promise.all(threads.map((thread) => thread.close()));
  threads = [];
  lost.length = 0;
});

function open(options: ConstructorParameters<typeof EvaluationThread>[0] = {}) {
  const onLost = ({ message }: Error) => lost.push(message);
  const common = { program: evaluationProgram(), onLost, limitMs: HANGS_AFTER_MS };
  const thread = new EvaluationThread({ ...common, ...options });
  threads.push(thread);
  return thread.calls;
}

const bars = Array.from({ length: 200 }, (_, n) => ({
  startsAt: n * 60_000,
  open: n,
  high: n + 1,
  low: n - 1,
  close: n,
  volume: 10,
}));
const inputs: EngineInputs = { bars, position: { netQty: 0 }, at: 12_000_000, timeZone: "UTC" };

const rulesOf = (enterLong: string): StrategyRules => ({
  barMinutes: 1,
  barCount: 200,
  indicators: { fast: { type: "sma", source: "close", period: 2 } },
  conditions: { enterLong },
});

const RISING = rulesOf("close[0] > close[1]");

test("conditions and series come back from the thread, in the order of asking", async () => {
  const { compute, series } = open();
  const answered: string[] = [];
  const [rises, falls, lines] = await Promise.all([
    compute(RISING, inputs).finally(() => answered.push("rises")),
    compute(rulesOf("fast[0] < fast[1]"), inputs).finally(() => answered.push("falls")),
    series(RISING, bars).finally(() => answered.push("lines")),
  ]);
  expect(rises).toEqual({
    kind: "computed",
    values: { fast: 198.5 },
    conditions: { enterLong: true },
  });
  expect(falls.conditions).toEqual({ enterLong: false });
  expect(lines["fast"]?.slice(0, 3)).toEqual([null, 0.5, 1.5]);
  expect(answered).toEqual(["rises", "falls", "lines"]);
});

test("what takes too long is ended, and the next one is computed on a new thread", async () => {
  const { compute } = open({ limitMs: 300 });
  let ended: string | undefined;
  compute(rulesOf(ENDLESS), inputs).catch((error: Error) => (ended = error.message));
  const next = compute(RISING, inputs).catch(() => undefined);
  // Meanwhile, the main thread goes on.
  let rounds = 0;
  while (ended === undefined) {
    await sleep(1);
    rounds += 1;
  }
  expect(ended).toContain("It took longer than 0.3 s");
  expect(rounds).toBeGreaterThan(1);
  // A machine that stops for as long delays a short one as well.
  let computed = await next;
  let again = 0;
  while (computed === undefined) {
    again += 1;
    computed = await compute(RISING, inputs).catch(() => undefined);
  }
  expect(computed.conditions).toEqual({ enterLong: true });
  expect(lost).toEqual(Array.from({ length: 1 + again }, () => "It took longer than 0.3 s"));
});

test("a fault of ours fails what meets it, and nobody else", async () => {
  const { compute } = open();
  const broken = compute({ ...RISING, conditions: null as never }, inputs);
  const next = compute(RISING, inputs);
  await expect(broken).rejects.toThrow(TypeError);
  expect((await next).conditions).toEqual({ enterLong: true });
  expect(lost).toEqual([]);
});

test("a thread that takes too much memory ends alone", async () => {
  const program = inline(`
    parentPort.postMessage({ kind: "ready" });
    parentPort.on("message", () => {
      const all = [];
      for (;;) all.push(Array.from({ length: 10_000 }, Math.random));
    });
  `);
  const { compute } = open({ program, limitMs: 60_000 });
  await expect(compute(RISING, inputs)).rejects.toMatchObject({
    name: "NotComputedError",
    cause: { code: "ERR_WORKER_OUT_OF_MEMORY" },
  });
});

test("a thread that cannot start fails who waits, and is tried again for the next one", async () => {
  const { compute } = open({ program: new URL("file:///nowhere/program.js") });
  const [one, two] = [compute(RISING, inputs), compute(RISING, inputs)];
  await expect(one).rejects.toThrow("The thread that computed it ended");
  await expect(two).rejects.toThrow("The thread that computed it ended");
  await expect(compute(RISING, inputs)).rejects.toThrow("The thread that computed it ended");
});

test("where no thread can be started who asks is told, and nothing else fails", async () => {
  // As where the system has no thread left, this throws where the thread is made.
  const { compute } = open({ program: new URL("http://nowhere/program.js") });
  for (let n = 0; n < 2; n += 1) {
    await expect(compute(RISING, inputs)).rejects.toMatchObject({ name: "NotComputedError" });
  }
  expect(lost).toHaveLength(2);
});

test("a thread that ends before it answers fails its question", async () => {
  const program = inline(`
    parentPort.postMessage({ kind: "ready" });
    parentPort.on("message", () => process.exit(0));
  `);
  const { compute } = open({ program });
  await expect(compute(RISING, inputs)).rejects.toThrow("The thread that computed it ended");
});

test("only so many wait: the next one is told at once", async () => {
  const { compute } = open({ mostWaiting: 2 });
  const waiting = [compute(RISING, inputs), compute(RISING, inputs)];
  await expect(compute(RISING, inputs)).rejects.toMatchObject({ why: "busy" });
  expect(await Promise.all(waiting)).toHaveLength(2);
});

test("at the end who still waits is told, and nobody is taken in", async () => {
  const { compute } = open();
  const endless = compute(rulesOf(ENDLESS), inputs);
  const waiting = compute(RISING, inputs);
  const ended = Promise.allSettled([endless, waiting]);
  await threads[0]?.close();
  for (const one of await ended) {
    // Another process may be free to compute it.
    const reason = { message: "The gateway stops", why: "busy" };
    expect(one).toMatchObject({ status: "rejected", reason });
  }
  await expect(compute(RISING, inputs)).rejects.toThrow("The gateway stops");
  expect(lost).toEqual([]);
});

function inline(code: string): URL {
  const whole = `import { parentPort } from "node:worker_threads";${code}`;
  return new URL(`data:text/javascript,${encodeURIComponent(whole)}`);
}
