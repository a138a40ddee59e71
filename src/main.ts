// The gateway. With words it is the command line, which `dist/command-line` has in fewer files.
const words = process.argv.slice(2);
if (words.length > 0) await (await import("./cli/run-words.ts")).runWords(words);
else await (await import("./processes/run-gateway.ts")).runGateway();
