import type { Config } from "../config/index.ts";
export async function runCommand(words: readonly string[], config: Config): Promise<number> {
  return words.length + config.PORT;
}
