import { loadConfig } from "../../config/index.ts";
import { startApp } from "../../src/app/app.ts";
import { welcome } from "../../src/processes/greeting.ts";
import { connectionId } from "../../src/domain/ids.ts";
import { createLogger } from "../../src/observability/logger.ts";
import { createExchangeAdapter } from "../simulators/exchange/adapter.ts";

/** The gateway as it is, on the exchange simulator instead of the paper broker. */
async function main(): Promise<void> {
  const { SIMULATOR_URL: url = "", SIMULATOR_ACCOUNTS: accounts } = process.env;
  const config = loadConfig(process.env);
  const log = createLogger(config.LOG_LEVEL);
  const id = connectionId("sim");
  const app = await startApp({
    config,
    log,
    version: "bench",
    connections: async () => [
      {
        connectionId: id,
        open: ({ isOwned: isHeld }) =>
          createExchangeAdapter({
            connectionId: id,
            url,
            accounts: Number(accounts),
            beforeWrite: isHeld,
          }),
      },
    ],
  });
  process.once("SIGTERM", () => void app.stop().then(() => process.exit(0)));
  process.stdout.write(`\n${welcome(app)}\n`);
  log.info("Started", { version: "bench" });
}

await main();
