import { defineScript } from "../redis/script.ts";
import { checkRequest, writeIntent } from "./write-intent.ts";

/**
 * Writes a new intent, unless it comes too late, its Idempotency-Key already stands for one, or its
 * id follows from an event that was accepted before.
 *
 * KEYS as in `write-intent.ts`
 * ARGV as in `write-intent.ts`, then whether the id follows from an event ("1" or "0")
 * Answers `accepted`, `late`, `reused`, or `known` with the id of the intent that stands for it.
 */
export const acceptIntent = defineScript(`
if ARGV[10] == '1' and redis.call('EXISTS', KEYS[1]) == 1 then return {'known', ARGV[1]} end
${checkRequest}
${writeIntent}
return {'accepted'}
`);
