import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { dashboardFiles } from "./dashboards.ts";
import { runbookPage } from "./runbook.ts";

// Writes what Grafana and Prometheus serve: `npm run dashboards`. A test fails when it was forgotten.
const folder = path.join(import.meta.dirname, "..");
for (const [name, text] of dashboardFiles()) {
  writeFileSync(path.join(folder, "dashboards", name), text);
}
const readme = readFileSync(path.join(folder, "README.md"), "utf8");
writeFileSync(path.join(folder, "prometheus/consoles/runbook.html"), runbookPage(readme));
