import { defineScript } from "../redis/script.ts";

/**
 * Forgets what a user has set of a connection, with all that follows from it; who owned it last stays.
 *
 * KEYS setup, memory, stop, connection
 */
export const removeConnectionSetup = defineScript(`
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HDEL', KEYS[4], 'userId', 'broker', 'environment')
`);
