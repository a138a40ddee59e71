import { parseArgs } from "node:util";
import type { Config } from "../config/index.ts";
import { COMMANDS, type Command, UsageError, type Words } from "./app/commands.ts";
import { openForCommand } from "./app/open-for-command.ts";
import { GatewayError } from "./errors.ts";
import { Lifecycle } from "./lifecycle.ts";
import { createLogger } from "./observability/logger.ts";

const USAGE = `Commands, with the gateway running or stopped:

  keys create --name NAME --scopes read,trade     print a new API key, once
  keys list
  keys revoke ID
  webhooks create --account ACCOUNT [--name NAME] [--profile PROFILE]
                                                  print a new webhook URL, once
  webhooks list
  webhooks delete ID
  limits show ACCOUNT
  limits set ACCOUNT [--max-order-qty N] [--max-position-qty N] [--max-orders-per-minute N]
  kill-switch show
  kill-switch on  [--account ACCOUNT] [--reason TEXT]
  kill-switch off [--account ACCOUNT]
  connection list
  connection reconnect CONNECTION                 log in again after the broker refused it
`;

/** Runs one command over the same code that HTTP uses. Answers the exit status. */
export async function runCommand(words: readonly string[], config: Config): Promise<number> {
  const lifecycle = new Lifecycle();
  try {
    const { command, ...parsed } = parse(words);
    const log = createLogger("error");
    const store = await openForCommand(config, lifecycle, log);
    process.stdout.write(`${await command({ ...parsed, store, config })}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof GatewayError)) throw error;
    process.stderr.write(`${error.message}\n${error instanceof UsageError ? `\n${USAGE}` : ""}`);
    return 2;
  } finally {
    await lifecycle.stop(config.SHUTDOWN_SECONDS * 1_000);
  }
}

function parse(words: readonly string[]): Words & { readonly command: Command } {
  const text = { type: "string" } as const;
  const options = {
    name: text,
    scopes: text,
    account: text,
    profile: text,
    reason: text,
    "max-order-qty": text,
    "max-position-qty": text,
    "max-orders-per-minute": text,
  };
  try {
    const { positionals, values } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    const [noun = "", verb = "", ...rest] = positionals;
    const command = COMMANDS[`${noun} ${verb}`];
    if (command === undefined) throw new UsageError(`There is no command "${noun} ${verb}"`);
    return { command, positionals: rest, options: values };
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
