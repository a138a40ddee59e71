import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describeContracts, describeSettings, exampleEnvironment } from "../../config/describe.ts";
import { replacePart } from "./generated-part.ts";

// Writes what is generated from the settings and the contract table: `npm run docs`. A test fails when it was forgotten.
const root = path.join(import.meta.dirname, "../..");
const readme = path.join(root, "README.md");

writeFileSync(path.join(root, "config/example.env"), exampleEnvironment());

if (existsSync(readme)) {
  const before = readFileSync(readme, "utf8");
  const withSettings = replacePart(before, "settings", describeSettings());
  writeFileSync(readme, replacePart(withSettings, "contracts", describeContracts()));
} else {
  process.stderr.write("There is no README.md, so only config/example.env was written\n");
}
