import { openDataFolder } from "../../src/data-folder/data-folder.ts";

// Holds the data folder named on the command line until its standard input ends.
const said = await openDataFolder(process.argv[2] ?? "").then(
  () => "held",
  () => "refused",
);
process.stdout.write(`${said}\n`);
process.stdin.resume();
