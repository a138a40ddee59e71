import { contracts } from "./contracts.ts";
import { expectation, type Setting, type SettingName, SETTINGS } from "./schema.ts";

/** The table of settings in docs/operations.md, as Markdown. */
export function describeSettings(): string {
  const rows = SETTINGS.map(([name, setting]) => `| ${row(name, setting).join(" | ")} |`);
  return ["| Setting | Default | What it is | Values |", "|---|---|---|---|", ...rows, ""].join(
    "\n",
  );
}

/** The table of known roots in docs/alerts.md, by exchange, as Markdown. */
export function describeContracts(): string {
  const roots = new Map<string, string[]>();
  for (const { exchange, root } of contracts) {
    roots.set(exchange, [...(roots.get(exchange) ?? []), root]);
  }
  const rows = [...roots].map(([exchange, names]) => `| ${exchange} | ${names.join(", ")} |`);
  return ["| Exchange | Roots |", "|---|---|", ...rows, ""].join("\n");
}

/**
 * The example environment file. Every line is a comment, so the file as it stands changes nothing;
 * plain `NAME=value` lines are understood by shells, Docker, systemd and Node alike.
 */
export function exampleEnvironment(): string {
  const blocks = SETTINGS.map(([name, setting]) =>
    [
      `# ${setting.description.replaceAll("`", "")}.`,
      `# Values: ${expectation(setting)}.`,
      ...(setting.secret ? [`# ${name}_FILE=/path/to/file reads it from a file instead.`] : []),
      `#${name}=${setting.default ?? ""}`,
    ].join("\n"),
  );
  const head =
    "# Every setting with its default. Remove the # in front of what you change.\n" +
    "# Generated from config/schema.ts by `npm run docs`.";
  return `${[head, ...blocks].join("\n\n")}\n`;
}

function row(name: SettingName, setting: Setting): string[] {
  const names = setting.secret ? `\`${name}\` or \`${name}_FILE\`` : `\`${name}\``;
  const byDefault = setting.default === undefined ? "" : `\`${setting.default}\``;
  return [names, byDefault, setting.description, expectation(setting)].map((cell) =>
    cell.replaceAll("|", "\\|"),
  );
}
