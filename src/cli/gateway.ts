import { runWords } from "./run-words.ts";

// The command line alone, as `npm run gateway` runs it.
await runWords(process.argv.slice(2));
