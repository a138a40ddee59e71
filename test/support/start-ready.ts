import type { Config } from "../../config/index.ts";
import type { App } from "../../src/app/app.ts";
import { hasNoKey } from "./every-scope.ts";
import { untilBrokerIsThere } from "./wait.ts";

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
