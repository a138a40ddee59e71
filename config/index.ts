import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { Ajv2020 } from "ajv/dist/2020.js";
import {
  type Config,
  ConfigSchema,
  expectation,
  type Setting,
  type SettingName,
  SETTINGS,
} from "./schema.ts";

export type { Config } from "./schema.ts";

type Environment = Readonly<Record<string, string | undefined>>;

const MAX_PAPER_ACCOUNTS = 20_000;

const ajv = new Ajv2020({
  allErrors: true,
  coerceTypes: true,
  useDefaults: true,
  strict: true,
  // By default Ajv checks no bounds of numbers that are not finite: `Infinity` would pass a maximum.
  strictNumbers: false,
  // The port is closed until the settings are read. That a schema is one is tested.
  validateSchema: false,
});
// Our own annotations; they validate nothing.
for (const keyword of ["expects", "secret"]) ajv.addKeyword(keyword);
const validate = ajv.compile<Config>(ConfigSchema);

/** The settings are not valid; `problems` names each wrong one and its valid values. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
  readonly problems: readonly string[];

  constructor(problems: readonly string[]) {
    const list = problems.map((problem) => `  ${problem}`).join("\n");
    super(
      `The settings are not valid:\n${list}\n` +
        "Correct them in the environment and start again. config/example.env lists every setting.",
    );
    this.problems = problems;
  }
}

/** Reads the environment once, and reports every bad setting together. */
export function loadConfig(env: Environment): Config {
  const { given, problems } = gather(env);
  const candidate: unknown = { ...given };

  if (!validate(candidate)) {
    const wrong = new Set((validate.errors ?? []).map((error) => error.instancePath.slice(1)));
    for (const [name, setting] of SETTINGS) {
      if (wrong.has(name)) problems.push(describeProblem(name, setting, given[name]));
    }
  }
  // Settings that are valid by themselves may still conflict.
  problems.push(...conflicts(candidate as Partial<Config>));

  if (problems.length > 0) throw new ConfigError(problems);
  return Object.freeze(candidate as Config);
}

/** Picks our names out of the environment. An empty value counts as unset. */
function gather(env: Environment) {
  const given: Partial<Record<SettingName, string>> = {};
  const problems: string[] = [];

  for (const [name, setting] of SETTINGS) {
    const value = env[name] || undefined;
    const file = setting.secret ? env[`${name}_FILE`] || undefined : undefined;
    if (value !== undefined && file !== undefined) {
      problems.push(`${name} and ${name}_FILE are both set; keep one of them`);
    } else if (file !== undefined) {
      readSecret(name, file, given, problems);
    } else if (value !== undefined) {
      given[name] = value;
    }
  }
  return { given, problems };
}

function readSecret(
  name: SettingName,
  file: string,
  given: Partial<Record<SettingName, string>>,
  problems: string[],
): void {
  try {
    // Editors and secret stores end a file with a newline that does not belong to the secret.
    const value = readFileSync(file, "utf8").replace(/(\r?\n)+$/, "");
    if (value !== "") given[name] = value;
    else problems.push(`${name}_FILE names ${file}, which is empty`);
  } catch (error) {
    problems.push(`${name}_FILE names ${file}, which cannot be read (${errorCode(error)})`);
  }
}

function describeProblem(name: SettingName, setting: Setting, value: string | undefined): string {
  const shown = setting.secret
    ? "what is set is not shown here, since it may hold a password"
    : `not ${JSON.stringify(value)}`;
  return `${name} must be ${expectation(setting)}; ${shown}`;
}

function conflicts(config: Partial<Config>): string[] {
  const { ENTRY_MAX_AGE_SECONDS: entry, EXIT_MAX_AGE_SECONDS: exit, PAPER_FEED: feed } = config;
  const problems: string[] = [];
  // Otherwise an exit would expire sooner than an entry.
  if (Number(exit) < Number(entry)) {
    problems.push(
      `EXIT_MAX_AGE_SECONDS must not be less than ENTRY_MAX_AGE_SECONDS, ${entry}; not "${exit}"`,
    );
  }
  if (feed === "bars" && config.PAPER_BAR_FILE === undefined) {
    problems.push("PAPER_BAR_FILE must name a file of price bars, because PAPER_FEED is bars");
  }
  if (feed === "bars" && config.PAPER_BAR_ROOT === undefined) {
    problems.push("PAPER_BAR_ROOT must name the root of the bars, because PAPER_FEED is bars");
  }
  const networks = (["TRUSTED_PROXIES", "NOTIFY_ALLOW_PRIVATE"] as const).flatMap((name) =>
    networkProblems(name, String(config[name] ?? "")),
  );
  return [...problems, ...accountProblems(String(config.PAPER_ACCOUNTS)), ...networks];
}

/** The setting's pattern checks the form of a network, not its numbers. */
function networkProblems(name: SettingName, networks: string): string[] {
  const wrong = networks.split(",").find((network) => {
    const [address = "", prefix = "0"] = network.split("/");
    return LIKE_A_NETWORK.test(network) && Number(prefix) > (BITS[isIP(address)] ?? -1);
  });
  return wrong === undefined
    ? []
    : [`${name} must be addresses and networks that there are; not "${wrong}"`];
}

const LIKE_A_NETWORK = /^(\d+(\.\d+){3}(\/\d{1,2})?|[\dA-Fa-f]*:[\dA-Fa-f:.]+(\/\d{1,3})?)$/;
/** The longest prefix for the family of an address; without a family none is valid. */
const BITS: Readonly<Record<number, number>> = { 4: 32, 6: 128 };

function accountProblems(accounts: string): string[] {
  const ranges = accounts.split(",").map((range) => {
    const [first = 0, last = first] = range.split("-").map(Number);
    return { range, count: last - first + 1 };
  });
  const backwards = ranges.find(({ count }) => count < 1);
  if (backwards !== undefined) {
    return [`PAPER_ACCOUNTS must count upwards; "${backwards.range}" does not`];
  }
  const total = ranges.reduce((sum, { count }) => sum + count, 0);
  if (!(total > MAX_PAPER_ACCOUNTS)) return [];
  return [`PAPER_ACCOUNTS must name at most ${MAX_PAPER_ACCOUNTS} accounts; not ${total}`];
}

function errorCode(error: unknown): string {
  const code: unknown = error instanceof Error && "code" in error ? error.code : undefined;
  return typeof code === "string" ? code : "unknown reason";
}
