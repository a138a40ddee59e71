import { alertsAndLatency } from "./alerts-and-latency.ts";
import { brokerConnections } from "./broker-connections.ts";
import { copyTrading } from "./copy-trading.ts";
import { lanes } from "./lanes.ts";
import { overview } from "./overview.ts";
import { processes } from "./process.ts";
import { strategies } from "./strategies.ts";

/** Every dashboard as the text of its file, by the file's name. */
export function dashboardFiles(): ReadonlyMap<string, string> {
  const all = [
    overview(),
    alertsAndLatency(),
    copyTrading(),
    strategies(),
    lanes(),
    brokerConnections(),
    processes(),
  ];
  return new Map(
    all.map((dashboard) => [`${dashboard.uid}.json`, `${JSON.stringify(dashboard, null, 2)}\n`]),
  );
}
