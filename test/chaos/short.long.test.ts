// The goal: whatever dies, and whenever, each accepted intent becomes exactly one right order or says
// why not. The method: the short chaos run, five processes of the gateway with faults of a fixed seed.
import path from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { frontMonth } from "../support/front-month.ts";
import { temporaryFolder } from "../support/temporary-folder.ts";
import { accountId, clOrdId } from "../../src/domain/ids.ts";
import { ticks } from "../../src/domain/contracts/price.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { readBrokerLog } from "./broker-view.ts";
import { MODES } from "./modes.ts";
import { openAdapter } from "./open-adapter.ts";
import { report, stories } from "./report.ts";
import { runChaos } from "./run.ts";
import { startProjectXBroker } from "./projectx-broker.ts";
import { startTradovateBroker } from "./tradovate-broker.ts";
import { planCalls } from "./wishes.ts";

/** Among others: Redis killed, a worker frozen beyond its lease, deaths with and without a report. */
const SEED = 506;

test(
  "a short run under faults keeps every promise, on a mix of all brokers",
  async () => {
    const folder = await temporaryFolder();
    const ending = new AbortController();
    onTestFinished(() => ending.abort());
    const run = await runChaos({
      ...MODES.short,
      broker: "mix",
      seed: SEED,
      logFile: path.join(folder, "processes.log"),
      say: () => undefined,
      signal: ending.signal,
    });
    const wrong = run.verdicts.filter(({ violations }) => violations.length > 0);
    expect(wrong, `${report(run)}\n${stories(run)}`).toEqual([]);
    // The load and its faults are the run's own doing; how much they met is said, and decides nothing.
    const planned = [...planCalls(SEED, MODES.short.shape)].length;
    expect(run.history.calls.length).toBeGreaterThanOrEqual(planned);
    expect(run.faults.length).toBeGreaterThan(0);
    // A gateway that accepts nothing breaks no promise, and proves none.
    expect(run.history.intents.length).toBeGreaterThan(0);
    process.stdout.write(report(run));
  },
  5 * 60_000,
);

/** As the gateway names what intents send: the intent, and which one of its orders. */
const idOf = (n: number, nth = 1) => clOrdId(`i${String(n).padStart(28, "0")}-${nth}`);
const MARKET = { ordType: "MARKET", timeInForce: "DAY" } as const;
const FAR = { by: "distance", distance: ticks(800) } as const;

/** A check that reads nothing finds nothing: what it would have to find is done by hand. */
test.each([
  ["tradovate", startTradovateBroker, 2],
  // A tag that was used is refused there.
  ["projectx", startProjectXBroker, 1],
] as const)(
  "what a simulator saw is told as the checks read it: %s",
  async (brokerName, start, taken) => {
    const broker = await start();
    onTestFinished(broker.stop);
    const [name = ""] = await broker.openAccounts("sim-1", 1);
    const account = accountId(name);
    const place = {
      broker: brokerName,
      connectionId: "sim-1",
      port: broker.addressOf("sim-1").port,
      accounts: 1,
    } as const;
    const adapter = openAdapter(place, { mayWrite: () => true, log: createLogger("error") });
    const ending = new AbortController();
    await new Promise<void>((onReady, reject) => {
      const session = adapter.runSession({ signal: ending.signal, onReady });
      session.catch(reject);
      onTestFinished(() => (ending.abort(), session));
    });
    const { symbol, code: contract } = frontMonth("MES");
    const entry = { ...MARKET, contract, side: "BUY", orderQty: 2 } as const;
    await adapter.submitOrder(account, { ...entry, clOrdId: idOf(1) });
    await adapter.submitOrder(account, { ...entry, clOrdId: idOf(1) });
    const bracket = { takeProfit: FAR, stopLoss: FAR };
    await adapter.submitOrder(account, { ...entry, clOrdId: idOf(2), bracket });
    await adapter.closePosition(account, contract, idOf(3));

    const { sent, filled } = readBrokerLog(await broker.log(), (id) => id === idOf(3));
    expect(sent.map((order) => [order.account, order.clOrdId, order.op, order.reduces])).toEqual([
      ...Array.from({ length: taken }, () => [name, idOf(1), "submitOrder", false]),
      [name, idOf(2), "submitOrder", false],
      ...(brokerName === "tradovate" ? [[name, `${idOf(2)}-TP`, "submitProtection", true]] : []),
      [name, idOf(3), "closePosition", true],
    ]);
    expect(filled.get(name)?.get(symbol)).toBe(0);
    expect((await broker.positions()).get(name)).toEqual([]);
  },
);
