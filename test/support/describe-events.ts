import { EVENT_TYPES, declaredEvent } from "../../src/domain/notify/event.ts";
import { isAtLeast } from "../../src/domain/severity.ts";

/** What is told, as a table of the documents. */
export function describeEvents(): string {
  const rows = EVENT_TYPES.map((type) => {
    const { severity, isWanted, description } = declaredEvent(type);
    const isTold =
      type !== "gateway.alive" && (isAtLeast(severity, "warning") || isWanted === true);
    return `| \`${type}\` | ${severity} | ${isTold ? "yes" : "no"} | ${description} |`;
  });
  return [
    "| Type | Severity | Told without a rule | When |",
    "|---|---|---|---|",
    ...rows,
    "",
  ].join("\n");
}
