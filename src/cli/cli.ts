import { parseArgs } from "node:util";
import type { Config } from "../../config/index.ts";
import type { BrokerKinds } from "../brokers/broker-kind.ts";
import { type Command, type FileCommand, UsageError, type Words } from "./command-words.ts";
import { COMMANDS, FILE_COMMANDS } from "./commands.ts";
import type { SecretInput } from "./secret-input.ts";
import { openForCommand } from "./open-for-command.ts";
import { GatewayError } from "../errors.ts";
import { Lifecycle } from "../app/lifecycle.ts";
import { createLogger } from "../observability/logger.ts";

const USAGE = `Commands, with the gateway running or stopped:

  users list
  users link [ID]                                 print a link to choose a password by, once
  users add NAME                                  the same for somebody new
  users remove ID                                 with their keys, webhooks and connections
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
  guards show ACCOUNT                             how near each is, and whether the account is locked
  guards lock ACCOUNT [--until INSTANT] [--lock soft|hard] [--then flatten|exitsOnly] [--reason TEXT]
                                                  let nothing in, until the next trading day by itself
  guards unlock ACCOUNT --reason TEXT             end a soft lock early
  connection list
  connection brokers [BROKER]                     what each asks for, and what to know first
  connection add BROKER --environment demo|live [--name NAME] [--set NAME=VALUE]...
  connection edit CONNECTION [--name NAME] [--set NAME=VALUE]... [--unset NAME]...
  connection pause CONNECTION
  connection resume CONNECTION
  connection test CONNECTION                      log in, read the accounts, log out
  connection remove CONNECTION
  connection reconnect CONNECTION                 log in again after the broker refused it
  destinations list
  destinations test DESTINATION                   send a sample now, and say what came back
  destinations undelivered DESTINATION            what was given up, and why
  destinations replay DESTINATION [EVENT]...      send these again, or all
  backup create FOLDER                            the whole store and the sealing key, of one moment
  backup restore FOLDER [--redis-dir DIR]         with the gateway stopped, where nothing is yet

Passwords and other secrets are never part of a command: add and edit take them with --secrets prompt,
with --secrets stdin (a line NAME=VALUE for each), or from the environment (CONNECTION_PASSWORD, ...).
`;

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
    const { command, fileCommand, ...parsed } = parse(words);
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

function parse(words: readonly string[]): Parsed {
  const text = { type: "string" } as const;
  const texts = { type: "string", multiple: true } as const;
  const options = {
    name: text,
    scopes: text,
    account: text,
    profile: text,
    reason: text,
    until: text,
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
    const command = COMMANDS[`${noun} ${verb}`];
    const fileCommand = FILE_COMMANDS[`${noun} ${verb}`];
    if (command !== undefined) return { command, ...said };
    if (fileCommand !== undefined) return { fileCommand, ...said };
    throw new UsageError(`There is no command "${noun} ${verb}"`);
  } catch (error) {
    if (error instanceof UsageError) throw error;
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}
