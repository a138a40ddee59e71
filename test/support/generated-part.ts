import { describeContracts, describeSettings } from "../../config/describe.ts";
import { describeBenchmark } from "../bench/published-run.ts";
import { describeDecisions } from "./decisions.ts";
import { describeDialects } from "./dialects/all.ts";
import { describeEvents } from "./describe-events.ts";
import { describeWebhookOptions } from "./describe-webhook-options.ts";

/** A part of a page that is generated, between two markers that bear its name. */
export interface GeneratedPart {
  readonly name:
    | "settings"
    | "contracts"
    | "decisions"
    | "webhook-options"
    | "events"
    | "dialects"
    | "benchmark";
  readonly page: string;
  readonly write: () => string;
}

export const GENERATED_PARTS: readonly GeneratedPart[] = [
  { name: "settings", page: "docs/operations.md", write: describeSettings },
  { name: "contracts", page: "docs/alerts.md", write: describeContracts },
  { name: "decisions", page: "docs/decisions/README.md", write: describeDecisions },
  { name: "webhook-options", page: "docs/alerts.md", write: describeWebhookOptions },
  { name: "events", page: "docs/notifications.md", write: describeEvents },
  { name: "dialects", page: "docs/alert-formats.md", write: describeDialects },
  { name: "benchmark", page: "docs/benchmark.md", write: describeBenchmark },
];

/** The page with its part as it is generated now. Fails where the page lacks the markers. */
export function replacePart(page: string, { name, write }: GeneratedPart): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const start = page.indexOf(open);
  const end = page.indexOf(close);
  if (start < 0 || end < start) throw new Error(`The page needs the markers ${open} and ${close}`);
  return `${page.slice(0, start)}${open}\n\n${write()}\n${page.slice(end)}`;
}
