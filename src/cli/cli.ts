import { parseArgs } from "node:util";
import type { Config } from "../../config/index.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { type Command, type FileCommand, UsageError, type Words } from "./command-words.ts";
import type { SecretInput } from "./secret-input.ts";
import { openForCommand } from "./open-for-command.ts";
import { USAGE } from "./usage.ts";
import { GatewayError } from "../errors.ts";
import { Lifecycle } from "../app/lifecycle.ts";
import { createLogger } from "../observability/logger.ts";

/** What a command may read beside its words, and the brokers there are. */
export interface CommandSurroundings {
  readonly environment?: SecretInput["environment"];
  readonly stdin?: SecretInput["stdin"];
  readonly brokers?: BrokerKinds;
}

/** Runs one command over the same code that HTTP uses. Answers the exit status. */
export async function runCommand(
  words: readonly string[],
  config: Config,
  { environment = {}, stdin = process.stdin, brokers }: CommandSurroundings = {},
): Promise<number> {
  const lifecycle = new Lifecycle();
  try {
    const { command, fileCommand, ...parsed } = await parse(words);
    const log = createLogger("error");
    if (fileCommand !== undefined) {
      process.stdout.write(`${await fileCommand({ ...parsed, config, lifecycle, log })}\n`);
      return 0;
    }
    const store = await openForCommand(config, lifecycle, log, brokers);
    const input = { environment, stdin, terminal: process.stderr };
    process.stdout.write(`${await command({ ...parsed, store, config, input })}\n`);
    return 0;
  } catch (error) {
    if (!(error instanceof UsageError || error instanceof GatewayError)) throw error;
    process.stderr.write(
      error instanceof UsageError ? `${error.message}\n\n${USAGE}` : said(error),
    );
    return 2;
  } finally {
    await lifecycle.stop(config.SHUTDOWN_SECONDS * 1_000);
  }
}

/** Every problem, where there are several. */
function said({ message, details }: GatewayError): string {
  if (details.length < 2) return `${message}\n`;
  const lines = details.map(({ path, message: problem }) => `  ${path} ${problem}\n`);
  return `${message}\n${lines.join("")}`;
}

type Parsed = Words &
  (
    | { readonly command: Command; readonly fileCommand?: undefined }
    | { readonly command?: undefined; readonly fileCommand: FileCommand }
  );

type Table = Readonly<Record<string, Command>>;

/** The commands of each noun, loaded when one of them is asked for. */
async function tableOf(noun: string): Promise<Table> {
  switch (noun) {
    case "account":
      return (await import("./account-commands.ts")).ACCOUNT_COMMANDS;
    case "connection":
      return (await import("./connection-commands.ts")).CONNECTION_COMMANDS;
    case "destinations":
      return (await import("./destination-commands.ts")).DESTINATION_COMMANDS;
    case "exits":
      return (await import("./exit-commands.ts")).EXIT_COMMANDS;
    case "guards":
      return (await import("./guard-commands.ts")).GUARD_COMMANDS;
    case "users":
      return (await import("./user-commands.ts")).USER_COMMANDS;
    default:
      return (await import("./commands.ts")).STORE_COMMANDS;
  }
}

async function parse(words: readonly string[]): Promise<Parsed> {
  const text = { type: "string" } as const;
  const texts = { type: "string", multiple: true } as const;
  const options = {
    name: text,
    scopes: text,
    account: text,
    profile: text,
    reason: text,
    until: text,
    begins: text,
    zone: text,
    lock: text,
    then: text,
    environment: text,
    secrets: text,
    set: texts,
    unset: texts,
    "redis-dir": text,
    "max-order-qty": text,
    "max-position-qty": text,
    "max-orders-per-minute": text,
    "entries-without-cancel": text,
  };
  try {
    const {
      positionals,
      values: { set = [], unset = [], ...values },
    } = parseArgs({
      args: [...words],
      options,
      allowPositionals: true,
    });
    const [noun = "", verb = "", ...rest] = positionals;
    const said = { positionals: rest, options: values, set, unset };
    if (noun === "backup") {
      const fileCommand = (await import("./backup.ts")).FILE_COMMANDS[`${noun} ${verb}`];
      if (fileCommand !== undefined) return { fileCommand, ...said };
    }
    const command = (await tableOf(noun))[`${noun} ${verb}`];
    if (command !== undefined) return { command, ...said };
    throw new UsageError(`There is no command "${noun} ${verb}"`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
