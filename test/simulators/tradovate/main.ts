import { parseArgs } from "node:util";
import { startTradovateServer } from "./server.ts";

const { values } = parseArgs({
  options: {
    port: { type: "string", default: "0" },
    /** For who starts it: it ends with its parent, however that one ends. */
    "until-stdin-ends": { type: "boolean", default: false },
  },
});

if (values["until-stdin-ends"]) {
  process.stdin.resume();
  process.stdin.once("close", () => process.exit(0));
}
const server = await startTradovateServer(Number(values.port));
process.stdout.write(`${JSON.stringify(server)}\n`);
