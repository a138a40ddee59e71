import { type OpenMetricsContentType, Registry } from "prom-client";

/** The library keeps exemplars of what is registered in such a registry, and shows them from there alone. */
export function exemplarRegistry(): Registry {
  const registry = new Registry<OpenMetricsContentType>();
  registry.setContentType(Registry.OPENMETRICS_CONTENT_TYPE);
  // Its type says which content it answers with, which nobody asks it for.
  return registry as unknown as Registry;
}

/**
 * What a scrape is answered that asks for OpenMetrics: the same figures but what it forbids, with the
 * exemplars of those in `exemplified`. The library would write counters in this format only under a name that it changes for
 * good, so their heads are written here.
 */
export async function openMetricsText(
  registry: Registry,
  exemplified: Registry | undefined,
): Promise<string> {
  const texts = registry.getMetricsAsArray().map(async ({ name }) => {
    const from = exemplified?.getSingleMetric(name) === undefined ? registry : exemplified;
    return withoutSum(name, withoutTotal(await from.getSingleMetricAsString(name)));
  });
  return `${(await Promise.all(texts)).join("\n")}\n# EOF\n`;
}

/** A counter's family has its name without the ending that its samples have. */
const withoutTotal = (text: string): string =>
  text.replaceAll(/^(# (?:HELP|TYPE) \S+)_total /gm, "$1 ");

/** A histogram of what may be negative has no sum in this format, and without a sum it has no count. */
function withoutSum(name: string, text: string): string {
  if (!text.includes(`${name}_bucket{le="-`)) return text;
  const isLeftOut = (line: string) => /^_(sum|count)[{ ]/.test(line.slice(name.length));
  return text
    .split("\n")
    .filter((line) => !(line.startsWith(name) && isLeftOut(line)))
    .join("\n");
}
