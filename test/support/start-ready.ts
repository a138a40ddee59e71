import type { Config } from "../../config/index.ts";
import { type App, type AppOptions, startApp } from "../../src/app/app.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { hasNoKey } from "./every-scope.ts";
import { evaluationProgram } from "./program.ts";
import { type AnswerOptions, answerTimesOf } from "./roomy.ts";
import { untilBrokerIsThere } from "./wait.ts";

type OwnOptions = Pick<AppOptions, "connections" | "brokers" | "scheduleLookups" | "services">;

/** A gateway in this process that takes orders. `write` gets each line of its log. */
export async function startTestApp(
  config: Config,
  write: (line: string) => void,
  { answersOnTime, ...own }: AnswerOptions & OwnOptions,
): Promise<App> {
  const binary = process.env["REDIS_SERVER_BIN"];
  const options = {
    ...own,
    config: binary === undefined ? config : { ...config, REDIS_SERVER_BIN: binary },
    log: createLogger(config.LOG_LEVEL, { write }),
    version: "test",
    evaluationProgram: evaluationProgram(),
    answerTimes: answerTimesOf({ answersOnTime }),
  };
  return await startReady(config, async () => await startApp(options));
}

/**
 * Starts a gateway, and waits until it takes orders. It answers some seconds after its start even if
 * no broker is logged in, as on a busy machine: a first order would be refused then, and a first
 * start has handed no key out; the next one does.
 */
export async function startReady(config: Config, start: () => Promise<App>): Promise<App> {
  const app = await startWithBroker(config, start);
  if (app.first !== undefined || config.ROLE !== "all" || !(await hasNoKey(config))) return app;
  await app.stop();
  return await startWithBroker(config, start);
}

async function startWithBroker({ ROLE }: Config, start: () => Promise<App>): Promise<App> {
  const app = await start();
  try {
    // The broker of an ingress is another process' own, which may not run.
    if (ROLE !== "ingress") await untilBrokerIsThere(app.url);
    return app;
  } catch (error) {
    await app.stop();
    throw error;
  }
}
