import { defineScript } from "../script.ts";
import { checkRequest, writeIntent } from "./write-intent.ts";

/**
 * Writes a new intent, unless it comes too late or its Idempotency-Key already stands for one.
 *
 * KEYS, ARGV as in `write-intent.ts`
 * Answers `accepted`, `late`, `reused`, or `known` with the intent id that the key stands for.
 */
export const acceptIntent = defineScript(`
${checkRequest}
${writeIntent}
return {'accepted'}
`);
