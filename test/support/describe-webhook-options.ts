import { OPTION_NAMES, webhookOption } from "../../src/domain/declared/webhook-options.ts";

/** The options of a webhook as a table of the documents. */
export function describeWebhookOptions(): string {
  const rows = OPTION_NAMES.map((name) => {
    const { description, row = description } = webhookOption(name);
    return `| \`${name}\` | ${row} |`;
  });
  return ["| Option | Meaning |", "|---|---|", ...rows, ""].join("\n");
}
