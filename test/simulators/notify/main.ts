import { parseArgs } from "node:util";
import { startNotifyServer } from "./server.ts";

const { values } = parseArgs({
  options: {
    /** For who starts it: it ends with its parent, however that one ends. */
    "until-stdin-ends": { type: "boolean", default: false },
  },
});

if (values["until-stdin-ends"]) {
  process.stdin.resume();
  process.stdin.once("close", () => process.exit(0));
}
process.stdout.write(`${JSON.stringify(await startNotifyServer())}\n`);
