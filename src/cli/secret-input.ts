import { createInterface } from "node:readline/promises";
import { Writable } from "node:stream";
import { text } from "node:stream/consumers";

/** Where secrets come from: never from the command line, which every process of the machine can read. */
export interface SecretInput {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly terminal: NodeJS.WritableStream;
}

/** What the environment variable of a secret is called: `CONNECTION_PASSWORD`. */
export const secretVariable = (field: string): string => `CONNECTION_${field.toUpperCase()}`;

export type SecretSource = "stdin" | "prompt" | "environment";

/**
 * The secrets that were given, by field: from variables of the environment, and from `name=value` lines
 * on standard input or by asking on the terminal, where nothing of an answer is shown.
 */
export async function readSecrets(
  fields: readonly string[],
  source: SecretSource,
  input: SecretInput,
): Promise<Readonly<Record<string, string>>> {
  const found = new Map<string, string>();
  for (const field of fields) {
    const value = input.environment[secretVariable(field)];
    if (value !== undefined && value !== "") found.set(field, value);
  }
  if (source === "stdin") {
    for (const [field, value] of parseLines(await text(input.stdin))) found.set(field, value);
  }
  if (source === "prompt") await ask(fields, found, input);
  return Object.fromEntries(found);
}

function parseLines(lines: string): [string, string][] {
  return lines.split(/\r?\n/).flatMap((line): [string, string][] => {
    const split = line.indexOf("=");
    return split < 1 ? [] : [[line.slice(0, split), line.slice(split + 1)]];
  });
}

async function ask(
  fields: readonly string[],
  found: Map<string, string>,
  { stdin, terminal }: SecretInput,
): Promise<void> {
  // The terminal's own echo is off while lines are read from it, and this one shows nothing.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true });
  try {
    for (const field of fields) {
      if (found.has(field)) continue;
      terminal.write(`${field} (not shown; empty for none): `);
      const value = await lines.question("");
      terminal.write("\n");
      if (value !== "") found.set(field, value);
    }
  } finally {
    lines.close();
  }
}
