import { keyInLua } from "../keys-in-lua.ts";

const OUTBOX = keyInLua((keys, account) => keys.outbox(account));

/** So many lines wait at most: they are read within seconds, while anybody is told anything. */
export const MOST_LINES = 5_000;
export const OUTBOX_MS = 7 * 24 * 60 * 60_000;

/**
 * For scripts whose first key is `keys.account`. `noteOutcome(id, before, ended)`: the intent has come to
 * that state from the one before. Only its id is noted: whoever tells it reads its record.
 */
export const noteOutcome = `
local function noteOutcome(id, before, ended)
  redis.call('XADD', ${OUTBOX}, 'MAXLEN', '~', ${MOST_LINES}, '*', 'i', id, 's', before, 'n', ended)
  redis.call('PEXPIRE', ${OUTBOX}, ${OUTBOX_MS})
end
`;
