import { loadConfig } from "../../config/index.ts";
import { startApp } from "../../src/app/app.ts";
import { welcome } from "../../src/processes/greeting.ts";
import { connectionId } from "../../src/domain/ids.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";

/** The gateway as it is, with connections to the exchange simulator instead of the paper broker. */
async function main(): Promise<void> {
  const { SIMULATOR_URL: url = "", SIMULATOR_ACCOUNTS: accounts } = process.env;
  const count = Number(process.env["SIMULATOR_CONNECTIONS"] ?? 1);
  const config = loadConfig(process.env);
  const log = createLogger(config.LOG_LEVEL);
  const app = await startApp({
    config,
    log,
    version: "bench",
    connections: async () =>
      Array.from({ length: count }, (_, at) => {
        const id = connectionId(`sim-${at + 1}`);
        return {
          connectionId: id,
          open: ({ isOwned: beforeWrite }) =>
            createExchangeAdapter({
              connectionId: id,
              url,
              accounts: Number(accounts),
              beforeWrite,
            }),
        };
      }),
  });
  process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)));
  process.stdout.write(`\n${welcome(app)}\n`);
  log.info("Started", { version: "bench" });
}

await main();
