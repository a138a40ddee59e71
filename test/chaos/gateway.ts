import { randomBytes } from "node:crypto";
import { loadConfig } from "../../config/index.ts";
import { startApp } from "../../src/app/app.ts";
import type { ConnectionPlan } from "../../src/brokers/connection-owner.ts";
import { connectionId } from "../../src/domain/ids.ts";
import type { AnswerTimes } from "../../src/trading/orders/answer-times.ts";
import { evaluationProgram } from "../support/program.ts";
import { createLogger, type Logger } from "../../src/observability/logger.ts";
import { ORDER_FRAMES } from "./chaos-broker.ts";
import { hookAdapter, hookRedis, hookSending, obey } from "./crash-on-order.ts";
import type { BrokerPlace, CrashOrder, MemberNews } from "./crash-points.ts";
import { openAdapter } from "./open-adapter.ts";

/** One process of the gateway as it is, but for its brokers and for where it can be told to die. */
async function main(): Promise<void> {
  const { CHAOS_BROKERS = "[]", CHAOS_CRASH_AT, CHAOS_ANSWER_TIMES, ...settings } = process.env;
  const brokers = JSON.parse(CHAOS_BROKERS) as readonly BrokerPlace[];
  if (CHAOS_CRASH_AT !== undefined) obey(JSON.parse(CHAOS_CRASH_AT) as CrashOrder);
  process.on("message", (order: CrashOrder) => {
    obey(order);
    tell({ kind: "obeys", order });
  });
  // Whoever started it is gone.
  process.on("disconnect", () => process.exit(1));
  hookRedis((news) => tell({ kind: "accepted", news }));
  const names = new Set(brokers.map(({ broker }) => broker));
  hookSending([...names].map((name) => ORDER_FRAMES[name]));

  const config = loadConfig(settings);
  const log = createLogger(config.LOG_LEVEL);
  dieLoudly(log);
  const processId = randomBytes(6).toString("hex");
  tell({ kind: "named", processId });
  const connections = async () => await Promise.resolve(brokers.map((place) => toPlan(place, log)));
  // Compiled, the thread's program lies beside this one.
  const isSource = import.meta.url.endsWith(".ts");
  const app = await startApp({
    config,
    log,
    version: "chaos",
    processId,
    connections,
    ...(CHAOS_ANSWER_TIMES !== undefined && {
      answerTimes: JSON.parse(CHAOS_ANSWER_TIMES) as AnswerTimes,
    }),
    ...(isSource && { evaluationProgram: evaluationProgram() }),
  });
  tell({ kind: "listening", url: app.url, apiKey: app.first?.keySecret });
}

function toPlan(place: BrokerPlace, log: Logger): ConnectionPlan {
  return {
    connectionId: connectionId(place.connectionId),
    // A process that was frozen and thaws sends nothing any more.
    open: (ownership) =>
      hookAdapter(openAdapter(place, { mayWrite: () => ownership.isOwned(), log })),
  };
}

function tell(news: MemberNews): void {
  process.send?.(news);
}

/** As the gateway itself does: a bug ends the process. */
function dieLoudly(log: Logger): void {
  const die = (error: unknown) => {
    log.error("The gateway failed and ends now", { error });
    process.exit(1);
  };
  process.on("uncaughtException", die);
  process.on("unhandledRejection", die);
}

await main();
