import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { exampleEnvironment } from "../../config/describe.ts";
import { CHART, drawBenchmark } from "../bench/published-run.ts";
import { GENERATED_PARTS, replacePart } from "./generated-part.ts";
import { ROOT } from "./source-tree.ts";
import { OLD_WORDING, remainingOldWording } from "./wording.ts";

// Writes what is generated from the settings, the contract table, the options of webhooks, the decisions and the
// published run of the benchmark: `npm run docs`. A test fails when it was forgotten.
writeFileSync(path.join(ROOT, "config/example.env"), exampleEnvironment());

for (const part of GENERATED_PARTS) {
  const page = path.join(ROOT, part.page);
  writeFileSync(page, replacePart(readFileSync(page, "utf8"), part));
}

const chart = drawBenchmark();
if (chart !== undefined) writeFileSync(path.join(ROOT, CHART), chart);

// Only drops sentences that are gone, so no test asks for it.
writeFileSync(path.join(ROOT, OLD_WORDING), remainingOldWording());
