/** A fault in a script for Redis, which Stryker does not see, since the script is a text to it. */
export interface ScriptFault {
  /** The consequence for the account. */
  readonly name: string;
  readonly file: string;
  /** It is in the file exactly once. */
  readonly text: string;
  readonly replacement: string;
  /** Integration tests: one of these must fail. */
  readonly noticedBy: readonly string[];
}

const INTENTS = "src/store/intents";
const SEND_PERMITS = "test/integration/send-permits.test.ts";
const ACCEPT_AND_BEGIN = "test/integration/accept-and-begin.test.ts";

export const SCRIPT_FAULTS: readonly ScriptFault[] = [
  {
    name: "an owner that was replaced goes on sending",
    file: `${INTENTS}/begin-sending.ts`,
    text: "if redis.call('GET', KEYS[4]) ~= ARGV[7] then return {'fenced'} end",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "one identifier is given out twice, so an order is sent twice",
    file: `${INTENTS}/begin-sending.ts`,
    text: "if permit then return {'refused', 'the order was sent before'} end",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "an entry that is too old is sent",
    file: `${INTENTS}/begin-sending.ts`,
    text: "if state == 'PREPARED' and now >= tonumber(ARGV[2]) then return {'expired'} end",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "orders are not counted against the minute's limit",
    file: `${INTENTS}/begin-sending.ts`,
    text: "redis.call('ZADD', KEYS[2], now, ARGV[1])",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "a guard's lock does not hold an entry back",
    file: `${INTENTS}/begin-sending.ts`,
    text: "if guards[2] then return {'locked', guards[2]} end",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "an entry passes that was judged by guards of an earlier version",
    file: `${INTENTS}/begin-sending.ts`,
    text: "if (guards[1] or '') ~= ARGV[14] then return {'guardsChanged'} end",
    replacement: "",
    noticedBy: [SEND_PERMITS],
  },
  {
    name: "the short way does not ask for the guards",
    file: `${INTENTS}/accept-and-begin.ts`,
    text: "if guards[2] or (guards[1] or '') ~= ${ARG.guardVersion} then return false end",
    replacement: "",
    noticedBy: [ACCEPT_AND_BEGIN],
  },
  {
    name: "the short way does not ask for the account's kill switch",
    file: `${INTENTS}/accept-and-begin.ts`,
    text: "if redis.call('HGET', ${KEY.killSwitch}, 'active') == '1' then return false end",
    replacement: "",
    noticedBy: [ACCEPT_AND_BEGIN],
  },
  {
    name: "the same alert within its window is a second order",
    file: `${INTENTS}/accept-alert.ts`,
    text: "tonumber(${ARG.windowMs}) > 0",
    replacement: "false",
    noticedBy: ["test/integration/duplicates.test.ts"],
  },
  {
    name: "an Idempotency-Key is never forgotten, and Redis fills up",
    file: `${INTENTS}/write-intent.ts`,
    text: "redis.call('PEXPIRE', key, ${IDEMPOTENCY_TTL_MS})",
    replacement: "",
    noticedBy: ["test/integration/intent-store.test.ts"],
  },
  {
    name: "a flatten does not overtake the entries before it",
    file: `${INTENTS}/write-intent.ts`,
    text: "if reach.empties then redis.call('HSET', counters, 'flatten' .. reach.empties, seq) end",
    replacement: "",
    noticedBy: ["test/integration/intent-store.test.ts"],
  },
  {
    name: "two processes own one connection",
    file: "src/store/connections/take-lease.ts",
    text: "if left > 0 and owner ~= ARGV[1] then return 0 end",
    replacement: "",
    noticedBy: ["test/integration/connection-leases.test.ts"],
  },
  {
    name: "a fill that is reported twice counts twice",
    file: "src/store/accounts/record-fills.ts",
    text: "if redis.call('HSETNX', fills, execId, body) == 1 then",
    replacement: "if redis.call('HSET', fills, execId, body) then",
    noticedBy: ["test/integration/account-views.test.ts"],
  },
  {
    name: "an older word about the user's kill switch replaces a newer one",
    file: `${INTENTS}/copy-user-switch.ts`,
    text: "if known >= tonumber(version) then return 0 end",
    replacement: "",
    noticedBy: ["test/integration/user-guards.test.ts"],
  },
  {
    name: "two accounts hold opposite sides of one market",
    file: "src/store/guards/claim-side.ts",
    text: "elseif not own[account] and related[root] and side ~= ARGV[3] then",
    replacement: "elseif false then",
    noticedBy: ["test/integration/guards/side-claims.test.ts"],
  },
  {
    name: "jobs of a dead owner come back in the wrong order",
    file: "queues/lane-layout.ts",
    text: "redis.call('HSETNX', lane .. ':' .. id, 'data', lostData)\n    redis.call('RPUSH', lane .. ':wait', id)",
    replacement:
      "redis.call('HSETNX', lane .. ':' .. id, 'data', lostData)\n    redis.call('LPUSH', lane .. ':wait', id)",
    noticedBy: ["test/integration/lane-layout.test.ts", "test/integration/lane-recovery.test.ts"],
  },
];
