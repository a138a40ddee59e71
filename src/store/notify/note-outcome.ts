import { keyInLua } from "../keys-in-lua.ts";

const OUTBOX = keyInLua((keys, account) => keys.outbox(account));

/** So many lines wait at most: they are read within seconds, while anybody is told anything. */
const MOST_LINES = 5_000;
const OUTBOX_MS = 7 * 24 * 60 * 60_000;

/** `noteLine(outbox, field, value, …)`: one more line in an outbox, whosever it is. */
export const noteLine = `
local function noteLine(outbox, ...)
  redis.call('XADD', outbox, 'MAXLEN', '~', ${MOST_LINES}, '*', ...)
  redis.call('PEXPIRE', outbox, ${OUTBOX_MS})
end
`;

/** One that says what an intent came to, from which state. Only its id is noted: whoever tells it reads its record. */
export const noteOutcomeIn = `${noteLine}
local function noteOutcomeIn(outbox, id, before, ended)
  noteLine(outbox, 'i', id, 's', before, 'n', ended)
end
`;

/**
 * For scripts whose first key is `keys.account`. `noteOutcome(id, before, ended)`: the intent has come to
 * that state from the one before.
 */
export const noteOutcome = `${noteOutcomeIn}
local function noteOutcome(id, before, ended)
  noteOutcomeIn(${OUTBOX}, id, before, ended)
end
`;
