import { defineScript } from "../redis/script.ts";
import { keyedIntent } from "./write-intent.ts";

/**
 * What an Idempotency-Key stands for, before anything else is asked.
 *
 * KEYS idempotency, idempotency as it was named while keys belonged to an API key
 * ARGV fingerprint, intentKeyPrefix
 * Answers `reused`, `known` with the id of the intent that stands for it, or `free`.
 */
export const findKeyedIntent = defineScript(`
${keyedIntent((id) => `ARGV[2] .. ${id}`)}
for index = 1, 2 do
  local found = keyed(KEYS[index], ARGV[1])
  if found then return found end
end
return {'free'}
`);
