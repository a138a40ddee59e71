/**
 * The keys and arguments of the scripts that accept, in their order. Who sends them and who reads them
 * go by these lists: no place in them is counted by hand. What is absent is ""; a claim is "1" or "0".
 */
export interface Names {
  readonly keys: readonly string[];
  readonly args: readonly string[];
}

/** Of every intent. */
export const OF_EVERY = {
  // The last is used with a fingerprint only.
  keys: ["intent", "open", "counters", "idempotency"],
  args: [
    "intentId",
    "record",
    "entryMaxAgeMs",
    "exitMaxAgeMs",
    "latestAt",
    // As in `write-intent.ts`.
    "reach",
    // Of a request with an Idempotency-Key.
    "fingerprint",
    "idempotencyTtlMs",
    "intentPrefix",
  ],
} as const satisfies Names;

const ON_LANE = [
  "lane",
  "jobData",
  // The channel over which another process is called that works the lane.
  "doorbell",
] as const;

/** Of `accept-intent.ts`. */
export const OF_REQUEST = {
  keys: OF_EVERY.keys,
  args: [
    ...OF_EVERY.args,
    // Its id follows from an event.
    "isDerived",
    ...ON_LANE,
  ],
} as const satisfies Names;

/** Of `accept-alert.ts`. */
export const OF_ALERT = {
  // The last three are used with an id, with a window and with a replay only.
  keys: [...OF_EVERY.keys, "acceptedAlerts", "sameAlert", "newestBody", "replayed"],
  args: [
    ...OF_EVERY.args,
    "entry",
    // As it came.
    "text",
    "receivedAt",
    "retentionMs",
    // In the log.
    "mostAlerts",
    "hasId",
    "idCountsMs",
    // Its hash, and the place in it.
    "body",
    "place",
    "windowMs",
    // When the body stands no more.
    "until",
    "isReplay",
    // The alert before it in its message.
    "follows",
    // A repeat may ask for its record.
    "repeatedWithinMs",
    // Of the sets of alerts by their ending.
    "endingPrefix",
    ...ON_LANE,
  ],
} as const satisfies Names;

/** Behind those of either, of `accept-and-begin.ts`. */
export const TO_BEGIN = {
  keys: [
    "epoch",
    "unknown",
    "sending",
    "parked",
    "limits",
    "killSwitch",
    "sent",
    // The account's copy of its user's kill switch, and of the user's dead keys and tokens.
    "userSwitch",
    "revoked",
  ],
  args: [
    "beginsUntil",
    "ownEpoch",
    // The limits that it was judged by.
    "maxOrderQty",
    "maxPositionQty",
    "maxOrdersPerMinute",
    // Orders per minute; absent for what is always let through.
    "perAccount",
    "maxAgeMs",
    "clOrdId",
    "permit",
    "plan",
    "exitPlan",
    "worker",
    // The key or token that it came by.
    "credentialId",
    // Until when its process has a share for it; "0" for none.
    "shareUntil",
  ],
} as const satisfies Names;

/** Behind all others, of `admit-remembered.ts`; absent where the sender is admitted. */
export const TO_ADMIT = {
  keys: ["webhook", "window"],
  args: ["version", "limitByDefault", "windowMs", "receivedAt"],
} as const satisfies Names;

/** What each of them is called in a script, where those of `before` stand before them. */
export function inLua<Of extends Names>(names: Of, ...before: readonly Names[]) {
  const keysBefore = before.flatMap(({ keys }) => keys).length;
  const argsBefore = before.flatMap(({ args }) => args).length;
  return {
    KEY: called("KEYS", names.keys, keysBefore) as Called<Of["keys"]>,
    ARG: called("ARGV", names.args, argsBefore) as Called<Of["args"]>,
  };
}

type Called<List extends readonly string[]> = Readonly<Record<List[number], string>>;

const called = (table: "KEYS" | "ARGV", names: readonly string[], before: number) =>
  Object.fromEntries(names.map((name, at) => [name, `${table}[${before + at + 1}]`]));

/** Keys and arguments as they are sent. */
export interface Sent {
  readonly keys: readonly string[];
  readonly args: readonly (string | number)[];
}

interface Values<Of extends Names> {
  readonly keys: Readonly<Record<Of["keys"][number], string>>;
  readonly args: Readonly<Record<Of["args"][number], string | number>>;
}

export function inOrder<Of extends Names>(names: Of, { keys, args }: Values<Of>): Sent {
  return {
    keys: names.keys.map((name) => keys[name as Of["keys"][number]]),
    args: names.args.map((name) => args[name as Of["args"][number]]),
  };
}
