/**
 * What a caller may do next. `check-first` means the outcome is unknown: the order
 * may be live at the broker, so look before trying again.
 */
export type Retry = "never" | "safe" | "check-first";

/** One thing that is wrong, and where: `path` is a field of the body, a parameter or a header. */
export interface Problem {
  readonly path: string;
  readonly message: string;
}

export interface ErrorSpec {
  readonly code: string;
  readonly status: number;
  readonly retry: Retry;
  /** When the error happens, for the API document. */
  readonly meaning: string;
}

/** Every public error, in the order the API reference lists them. Codes are part of the contract. */
export const ERRORS = {
  VALIDATION_FAILED: spec(400, "never", "The request is not valid; details name every problem"),
  UNRESOLVED_PLACEHOLDER: spec(
    400,
    "never",
    "A charting placeholder such as {{ticker}} was not filled in by the sender",
  ),
  UNKNOWN_SYMBOL: spec(400, "never", "The symbol resolves to no tradable contract"),
  UNAUTHORIZED: spec(401, "never", "There is neither a living key in X-API-Key nor a session"),
  SIGN_IN_FAILED: spec(401, "never", "What was to prove a person does not"),
  INSUFFICIENT_SCOPE: spec(403, "never", "The API key lacks the scope that this needs"),
  SIGN_IN_AGAIN: spec(403, "never", "The person must confirm who they are: their proof is too old"),
  CROSS_SITE_REFUSED: spec(403, "never", "Another site's page asks in the name of a person"),
  ACCOUNT_INACTIVE: spec(403, "safe", "The broker does not report the account now, or stopped it"),
  WEBHOOK_PAUSED: spec(403, "never", "The webhook token is paused"),
  SENDER_NOT_ALLOWED: spec(403, "never", "The webhook takes no alerts from this address"),
  NOT_FOUND: spec(404, "never", "There is no such thing, or it belongs to somebody else"),
  METHOD_NOT_ALLOWED: spec(405, "never", "The path exists, but not for this method"),
  NOT_ACCEPTABLE: spec(406, "never", "The Accept header allows no answer that there is"),
  REQUEST_TIMEOUT: spec(408, "safe", "The request's headers or body came too slowly"),
  CANCEL_REJECTED: spec(409, "never", "The broker refused the cancellation"),
  MODIFY_REJECTED: spec(409, "never", "The broker refused the change, or works no such order"),
  SYMBOL_MISMATCH: spec(
    409,
    "never",
    "The account holds another symbol; nothing was closed or sent",
  ),
  NO_POSITION: spec(409, "never", "There is no open position to act on"),
  POSITION_HELD: spec(409, "never", "The symbol is held on that side already; nothing was sent"),
  OVERTAKEN_BY_EXIT: spec(
    409,
    "never",
    "What it could open was closed, cancelled or set anew after it was accepted and before it was sent; nothing was sent, and a repeat sends nothing either",
  ),
  POSITION_MISMATCH: spec(409, "never", "The symbol is not held as it was to be; nothing was sent"),
  NOT_REPLAYABLE: spec(409, "never", "Only an alert of which nothing was sent can be replayed"),
  CONNECTION_FIXED: spec(409, "never", "The gateway's own settings say what this connection is"),
  LOGIN_IN_USE: spec(409, "never", "Another connection logs in with it; nothing was changed"),
  CHANGED_MEANWHILE: spec(
    409,
    "safe",
    "Somebody else changes it at this time; nothing was changed",
  ),
  COPY_LOOP: spec(409, "never", "An account cannot both lead and follow, nor follow two leaders"),
  COPY_PAUSED: spec(
    409,
    "never",
    "The copy group is paused or the follower is off: nothing is copied",
  ),
  COPIED_TWICE: spec(
    409,
    "never",
    "Two accounts of one group copy each other, or are one: what goes to both would be done twice",
  ),
  ACCOUNT_GROUP_IN_USE: spec(409, "never", "Webhooks send their alerts to the account group"),
  STRATEGY_CONFLICT: spec(409, "never", "Another strategy trades this market on the account"),
  GUARDS_CHANGED: spec(409, "never", "The guards were changed meanwhile; nothing was changed"),
  WOULD_LOCK_NOW: spec(
    409,
    "never",
    "By the figures as they stand the guards would lock the account at once; nothing was changed",
  ),
  CALENDAR_HELD: spec(
    409,
    "never",
    "A hard rule waits for events that would be taken from the calendar; nothing was changed",
  ),
  EXIT_PLAN_EXISTS: spec(409, "never", "There is an exit plan of the name; nothing was changed"),
  EXIT_PLAN_IN_USE: spec(
    409,
    "never",
    "Entries of a webhook follow the exit plan; nothing was changed",
  ),
  LOCK_IS_HARD: spec(409, "never", "Nobody can end the lock before its time"),
  ACCOUNT_ACTIVE: spec(409, "never", "The account's positions are read from its broker"),
  ACCOUNT_NOT_LOCKED: spec(409, "never", "The account is not locked"),
  MARKET_CLOSED: spec(409, "safe", "The market of the position is closed; nothing was sent"),
  CLOSED_IN_PART: spec(409, "check-first", "The exit has ended after it closed a part"),
  NOT_GOING_ON: spec(409, "never", "The intent has ended, or is no exit that goes on"),
  NAME_TAKEN: spec(409, "never", "Somebody else signs in with this name"),
  UNSUPPORTED_MEDIA_TYPE: spec(415, "never", "The body is not declared as application/json"),
  IDEMPOTENCY_KEY_REUSED: spec(422, "never", "The Idempotency-Key was used with another body"),
  EXITS_ONLY: spec(422, "never", "Only exits are copied to the account now"),
  SYMBOL_NOT_ALLOWED: spec(422, "never", "The webhook may not open or grow a position in it"),
  LIMIT_EXCEEDED: spec(422, "never", "The account's limits refuse the order; nothing was sent"),
  NOT_UNDERSTOOD: spec(
    422,
    "never",
    "The account has something at the broker that cannot be understood: only exits are let through",
  ),
  CONTRACT_DISPUTED: spec(
    422,
    "never",
    "The broker describes the contract otherwise than our table: only exits are let through",
  ),
  CANNOT_CANCEL: spec(
    422,
    "never",
    "The broker may refuse to cancel the account's orders: only exits are let through until a person confirms it",
  ),
  SIDE_NOT_ALLOWED: spec(
    422,
    "never",
    "The webhook may not open or grow a position on that side; nothing was sent",
  ),
  SENDER_UNCLEAR: spec(422, "never", "Perhaps a strategy's exit from a plan: it opens nothing"),
  KILL_SWITCH_ON: spec(422, "never", "The kill switch is on: only exits are let through"),
  LOCKED: spec(422, "never", "The account is locked: only exits are let through until it ends"),
  GUARD_REFUSED: spec(
    422,
    "never",
    "A guard of the account refuses what opens or grows a position",
  ),
  RISK_TOO_SMALL: spec(
    422,
    "never",
    "One contract would lose more at its stop-loss than may be risked; nothing was sent",
  ),
  SIZE_UNKNOWN: spec(
    422,
    "never",
    "How many contracts the risk allows is not known now, for want of a fresh price or of the account's worth; nothing was sent",
  ),
  TOO_MANY_CONNECTIONS: spec(422, "never", "There are as many connections as there may be"),
  TOO_MANY_KEYS: spec(422, "never", "There are as many living keys as there may be"),
  TOO_MANY_PASSKEYS: spec(422, "never", "There are as many passkeys as there may be"),
  TOO_MANY_COPY_GROUPS: spec(422, "never", "There are as many copy groups as there may be"),
  TOO_MANY_ACCOUNT_GROUPS: spec(422, "never", "There are as many account groups as there may be"),
  NO_ACCOUNTS_IN_GROUP: spec(
    422,
    "never",
    "The account group is gone, or none of its accounts is on; this request sent nothing",
  ),
  TOO_MANY_STRATEGIES: spec(422, "never", "There are as many strategies as there may be"),
  TOO_MANY_CALENDARS: spec(422, "never", "There are as many calendars as there may be"),
  TOO_MANY_EXIT_PLANS: spec(422, "never", "There are as many exit plans as there may be"),
  TOO_MANY_DESTINATIONS: spec(422, "never", "There are as many destinations as there may be"),
  TOO_MANY_WEBHOOKS: spec(422, "never", "There are as many webhooks as there may be"),
  ALERT_TOO_OLD: spec(422, "never", "The alert fired too long ago to open or grow a position"),
  RATE_LIMITED: spec(429, "safe", "Too many requests; see Retry-After"),
  TOO_MANY_STREAMS: spec(429, "safe", "As many streams are open as may be: close one first"),
  INTERNAL_ERROR: spec(500, "check-first", "The gateway failed; what was asked may have happened"),
  OUTCOME_UNKNOWN: spec(500, "check-first", "The broker's answer did not come or proves nothing"),
  BROKER_ORDER_REJECTED: spec(502, "never", "The broker refused the order, in its own words"),
  PROTECTION_REPLACE_FAILED: spec(
    502,
    "check-first",
    "The old levels are cancelled and the new ones refused: the position is unprotected",
  ),
  SIGN_IN_BUSY: spec(503, "safe", "Too many sign in at once; nothing was looked at"),
  BROKER_UNAVAILABLE: spec(503, "safe", "The broker connection is not available; nothing was sent"),
  SEALING_UNAVAILABLE: spec(503, "safe", "Secrets cannot be sealed, so none was taken"),
  INTENT_EXPIRED: spec(503, "safe", "It waited too long to be sent, and was withdrawn unsent"),
  STORE_UNAVAILABLE: spec(503, "safe", "Redis is not available; nothing was written or sent"),
  STORE_FULL: spec(503, "safe", "Redis' memory is nearly full: only exits are let through"),
  ACCEPTANCE_UNKNOWN: spec(504, "check-first", "Redis did not answer; the alert may be accepted"),
} as const satisfies Record<string, Omit<ErrorSpec, "code">>;

export type ErrorCode = keyof typeof ERRORS;

/** Collections of a user that have a bound. */
type TooMany = Exclude<Extract<ErrorCode, `TOO_MANY_${string}`>, "TOO_MANY_STREAMS">;

interface ErrorOptions {
  readonly cause?: unknown;
  readonly details?: readonly Problem[];
  /** Facts beside the message, such as the `intentId` to look up. Never secrets. */
  readonly facts?: Readonly<Record<string, unknown>>;
  /** When to come back, for the header of that name. */
  readonly retryAfterSeconds?: number;
}

/** An error whose code, status and message are part of the public API. */
export class GatewayError extends Error {
  readonly spec: ErrorSpec;
  readonly details: readonly Problem[];
  readonly facts: Readonly<Record<string, unknown>>;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause });
    this.name = code;
    this.spec = { code, ...ERRORS[code] };
    this.details = options.details ?? [];
    this.facts = options.facts ?? {};
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The errors that are made in more than one place, with their messages written once. */
export const errors = {
  validationFailed: (details: readonly Problem[]) =>
    new GatewayError("VALIDATION_FAILED", describe(details), { details }),

  unknownSymbol: (symbol: string, reason: string) =>
    new GatewayError("UNKNOWN_SYMBOL", `Unknown symbol "${symbol}": ${reason}`, {
      details: [{ path: "symbol", message: reason }],
    }),

  unresolvedPlaceholder: (details: readonly Problem[]) =>
    new GatewayError(
      "UNRESOLVED_PLACEHOLDER",
      `${details[0]?.message ?? "A placeholder was not filled in"}. Charting platforms fill in the ones of strategies in alerts on a strategy only`,
      { details },
    ),

  notFound: (what: string) => new GatewayError("NOT_FOUND", `There is no such ${what}`),

  insufficientScope: (scope: string, what = "This") =>
    new GatewayError(
      "INSUFFICIENT_SCOPE",
      `${what} needs the scope ${scope}, and the API key lacks it: use a key that was created with it, or the console`,
    ),

  methodNotAllowed: (allowed: string) =>
    new GatewayError("METHOD_NOT_ALLOWED", `The path exists, but only for ${allowed}`),

  accountInactive: () => new GatewayError("ACCOUNT_INACTIVE", "Account is inactive"),

  connectionFixed: (connection: string) =>
    new GatewayError(
      "CONNECTION_FIXED",
      `The connection "${connection}" is set by the gateway's own settings, and nowhere else`,
    ),

  loginInUse: (connection: string | undefined) =>
    new GatewayError(
      "LOGIN_IN_USE",
      `${connection === undefined ? "Another user's connection" : `The connection "${connection}"`} has this login already: two would trade the same accounts and end each other's sessions. Nothing was changed`,
    ),

  changedMeanwhile: (what: string) =>
    new GatewayError(
      "CHANGED_MEANWHILE",
      `"${what}" is being changed by somebody else; nothing was changed. Try again`,
    ),

  copyLoop: (message: string) => new GatewayError("COPY_LOOP", message),

  copyPaused: (message: string) => new GatewayError("COPY_PAUSED", message),

  copiedTwice: (message: string) => new GatewayError("COPIED_TWICE", message),

  accountGroupInUse: (webhooks: readonly string[]) =>
    new GatewayError(
      "ACCOUNT_GROUP_IN_USE",
      `Webhooks send their alerts to it: ${webhooks.join(", ")}. Point them elsewhere first; nothing was changed`,
    ),

  tooMany: (code: TooMany, most: number) => {
    const what = code.slice("TOO_MANY_".length).toLowerCase().replaceAll("_", " ");
    return new GatewayError(code, `There are ${most} ${what}: take one away first`);
  },

  strategyConflict: (name: string, root: string, account: string) =>
    new GatewayError(
      "STRATEGY_CONFLICT",
      `The strategy "${name}" trades ${root} on ${account} already: the two would take each other's positions for their own. Turn one of them off, or let it observe`,
    ),

  guardsChanged: () =>
    new GatewayError(
      "GUARDS_CHANGED",
      "The guards were changed after they were read; nothing was changed. Read them again",
    ),

  /** `details` names each rule that would be breached, with its figures. */
  wouldLockNow: (details: readonly Problem[]) =>
    new GatewayError(
      "WOULD_LOCK_NOW",
      "The account would be locked at once; nothing was changed. Say locksNow if that is meant",
      { details },
    ),

  lockIsHard: (endsAt: string) =>
    new GatewayError("LOCK_IS_HARD", `Nobody can end the lock before ${endsAt}`),

  accountActive: () => new GatewayError("ACCOUNT_ACTIVE", "It is active: close its positions"),

  accountNotLocked: () => new GatewayError("ACCOUNT_NOT_LOCKED", "The account is not locked"),

  /** `details` names events that would be gone. */
  calendarHeld: (rule: string, account: string, until: string, details: readonly Problem[]) =>
    new GatewayError(
      "CALENDAR_HELD",
      `The hard rule "${rule}" of account ${account} waits for events that would be gone: they can be taken away from ${until} on. Adding events is free; nothing was changed`,
      { details },
    ),

  exitPlanExists: (name: string) =>
    new GatewayError(
      "EXIT_PLAN_EXISTS",
      `There is an exit plan "${name}" already; PUT /v1/exit-plans/${name} replaces it. Nothing was changed`,
    ),

  exitPlanInUse: (name: string, webhooks: readonly { readonly name: string }[]) => {
    const names = webhooks.slice(0, 10).map((one) => `"${one.name}"`);
    const more = webhooks.length - names.length;
    const told = `${names.join(", ")}${more > 0 ? ` and ${more} more` : ""}`;
    return new GatewayError(
      "EXIT_PLAN_IN_USE",
      `Entries of the webhook${webhooks.length === 1 ? "" : "s"} ${told} follow the exit plan "${name}": give ${webhooks.length === 1 ? "it" : "them"} another one first, or none. Nothing was changed`,
    );
  },

  sealingUnavailable: (cause: unknown, why: string) =>
    new GatewayError(
      "SEALING_UNAVAILABLE",
      `Secrets cannot be sealed: ${why}. Set SEALING_KEY; nothing was written`,
      { cause },
    ),

  signInFailed: () => new GatewayError("SIGN_IN_FAILED", "The name or the password is wrong"),

  passkeyRefused: () =>
    new GatewayError(
      "SIGN_IN_FAILED",
      "The passkey is not one of ours, or its answer came too late",
    ),

  sessionOver: () => new GatewayError("UNAUTHORIZED", "The session is over: sign in"),

  signInAgain: () =>
    new GatewayError("SIGN_IN_AGAIN", "Confirm who you are first, by your password or a passkey"),

  setUpLinkGone: () =>
    new GatewayError(
      "NOT_FOUND",
      "The link is used up, too old or not one of ours: `npm run gateway -- users link` prints another",
    ),

  tooManyAttempts: (waitMs: number) => {
    const retryAfterSeconds = Math.ceil(waitMs / 1_000);
    return new GatewayError(
      "RATE_LIMITED",
      `Too many attempts to sign in; try again in ${retryAfterSeconds} seconds`,
      { retryAfterSeconds },
    );
  },

  brokerUnavailable: (cause: unknown, connection?: string) =>
    new GatewayError(
      "BROKER_UNAVAILABLE",
      `The broker connection${connection === undefined ? "" : ` "${connection}"`} is not available; nothing was sent`,
      { cause },
    ),

  storeUnavailable: (cause: unknown, how = "is not available") =>
    new GatewayError(
      "STORE_UNAVAILABLE",
      `The gateway's store ${how}; nothing was written or sent. Try again`,
      { cause },
    ),

  storeFull: (cause?: unknown) =>
    new GatewayError("STORE_FULL", `${ERRORS.STORE_FULL.meaning}; nothing was sent`, { cause }),

  internal: (cause: unknown) =>
    new GatewayError(
      "INTERNAL_ERROR",
      "The gateway failed; check the working orders and unsettled intents before trying again",
      { cause },
    ),
} as const;

function spec(status: number, retry: Retry, meaning: string) {
  return { status, retry, meaning };
}

function describe(details: readonly Problem[]): string {
  const [first] = details;
  if (first === undefined) return "The request is not valid";
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : "";
  return `The request is not valid: ${first.path} ${first.message}${more}`;
}
