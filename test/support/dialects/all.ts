import { CROSSTRADE } from "./crosstrade.ts";
import type { Dialect } from "./field-row.ts";
import { PICKMYTRADE } from "./pickmytrade.ts";
import { PINE_CONNECTOR } from "./pine-connector.ts";
import { POSITION } from "./position.ts";
import { TRADERSPOST } from "./traderspost.ts";

export const DIALECTS: readonly Dialect[] = [
  TRADERSPOST,
  CROSSTRADE,
  PICKMYTRADE,
  PINE_CONNECTOR,
  POSITION,
];

/** A table for each service: every field that it documents, read as what, or refused and why. */
export function describeDialects(): string {
  return DIALECTS.map(describeDialect).join("\n");
}

function describeDialect({ title, source, read, refused }: Dialect): string {
  const byReason = new Map<string, string[]>();
  for (const [name, why] of Object.entries(refused)) {
    byReason.set(why, [...(byReason.get(why) ?? []), name]);
  }
  const rows = [
    ...read.map(({ name, as }) => `| ${named(name.split(", "))} | ${as} |`),
    ...[...byReason].map(([why, names]) => `| ${named(names)} | **Refused**: ${why} |`),
  ];
  return [
    `### ${title}`,
    "",
    `From ${source}.`,
    "",
    "| Field | Here |",
    "|---|---|",
    ...rows,
    "",
  ].join("\n");
}

const named = (names: readonly string[]): string =>
  names.map((name) => (name.startsWith("the ") ? name : `\`${name}\``)).join(", ");
