import { writeFileSync } from "node:fs";
import path from "node:path";
import { dashboardFiles } from "./dashboards.ts";

// Writes grafana/dashboards: `npm run dashboards`. A test fails when it was forgotten.
const folder = path.join(import.meta.dirname, "../dashboards");
for (const [name, text] of dashboardFiles()) writeFileSync(path.join(folder, name), text);
