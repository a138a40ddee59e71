import type { Config } from "../../config/index.ts";
import { type AccountId, parseAccountId } from "../domain/ids.ts";
import { isShownAsItIs, UNSEEN } from "../domain/visible-text.ts";
import type { Lifecycle } from "../app/lifecycle.ts";
import type { Logger } from "../observability/logger.ts";
import type { CommandStore } from "./open-for-command.ts";
import type { SecretInput } from "./secret-input.ts";

/** A command line after its first two words. */
export interface Words {
  readonly positionals: readonly string[];
  readonly options: Readonly<Record<string, string | undefined>>;
  /** `name=value`, as often as it was said. */
  readonly set: readonly string[];
  readonly unset: readonly string[];
}

export interface CommandContext extends Words {
  readonly store: CommandStore;
  readonly config: Config;
  readonly input: SecretInput;
}

/** Answers what is printed. */
export type Command = (context: CommandContext) => Promise<string>;

/** What a command about the store as a whole works with: it opens, or makes, none. */
export interface FileCommandContext extends Words {
  readonly config: Config;
  readonly lifecycle: Lifecycle;
  readonly log: Logger;
}

/** Answers what is printed. */
export type FileCommand = (context: FileCommandContext) => Promise<string>;

/** The command line was not understood; the message says what is missing. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function required(value: string | undefined, what: string): string {
  if (value === undefined || value === "") throw new UsageError(`${what} is missing`);
  return value;
}

/** A name that is chosen for what is kept; undefined where none is given. */
export function chosenName(options: Readonly<Partial<Record<string, string>>>): string | undefined {
  const { name } = options;
  if (name === undefined || (name !== "" && name.length <= 64 && isShownAsItIs(name))) return name;
  throw new UsageError(
    "--name must be 1 to 64 characters, and none that cannot be seen or changes how the rest looks",
  );
}

export function toAccount(text: string): AccountId {
  const account = parseAccountId(text);
  if (account === undefined) throw new UsageError(`"${text}" is no account`);
  return account;
}

export const when = (at: number | undefined): string =>
  at === undefined ? "-" : new Date(at).toISOString();

/** A terminal would obey some of them in place of showing them. */
const NOT_SHOWN = new RegExp(`[${UNSEEN}]`, "g");

/** Columns as wide as their widest cell. Cells may be somebody else's words. */
export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, ...rows].map((line) =>
    line.map((cell) => cell.replaceAll(NOT_SHOWN, "\ufffd")),
  );
  const widths = head.map((_, column) =>
    Math.max(...lines.map((line) => (line[column] ?? "").length)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join("  ")
        .trimEnd(),
    )
    .join("\n");
}
