import { failStart } from "../processes/fail-start.ts";
import { USAGE } from "./usage.ts";

const HELP: ReadonlySet<string> = new Set(["help", "-h", "--help"]);

/** Runs one command and sets the exit status of the process. */
export async function runWords(words: readonly string[]): Promise<void> {
  if (words.length === 1 && HELP.has(words[0] ?? "")) return void process.stdout.write(USAGE);
  const { env: environment } = process;
  try {
    const [{ loadConfig }, { runCommand }] = await Promise.all([
      import("../../config/index.ts"),
      import("./cli.ts"),
    ]);
    process.exitCode = await runCommand(words, loadConfig(environment), { environment });
  } catch (error) {
    failStart(error);
  }
}
