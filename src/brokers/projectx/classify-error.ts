import type { CommandFailure } from "../../trading/ports.ts";
import type { ProjectXAnswer } from "./wire.ts";

/**
 * What a code says of a command: a refusal is the broker's word that nothing was done, and `pending` its
 * word that it has not come to the end of it.
 */
type Meaning = "rejected" | "pending" | "unknown";

interface Code {
  readonly name: string;
  readonly means: Meaning;
}

const rejected = (name: string): Code => ({ name, means: "rejected" });
const pending = (name: string): Code => ({ name, means: "pending" });
const unknown = (name: string): Code => ({ name, means: "unknown" });

/**
 * Every documented error code of the commands that are sent, by its number; 0 is success. A code that is
 * not here says nothing of what became of the command.
 */
export const COMMAND_CODES = {
  "Order/place": {
    1: rejected("AccountNotFound"),
    2: rejected("OrderRejected"),
    3: rejected("InsufficientFunds"),
    4: rejected("AccountViolation"),
    5: rejected("OutsideTradingHours"),
    6: pending("OrderPending"),
    7: unknown("UnknownError"),
    8: rejected("ContractNotFound"),
    9: rejected("ContractNotActive"),
    10: rejected("AccountRejected"),
  },
  "Order/cancel": {
    1: rejected("AccountNotFound"),
    2: rejected("OrderNotFound"),
    3: rejected("Rejected"),
    4: pending("Pending"),
    5: unknown("UnknownError"),
    6: rejected("AccountRejected"),
  },
  "Order/modify": {
    1: rejected("AccountNotFound"),
    2: rejected("OrderNotFound"),
    3: rejected("Rejected"),
    4: pending("Pending"),
    5: unknown("UnknownError"),
    6: rejected("AccountRejected"),
    7: rejected("ContractNotFound"),
  },
} as const satisfies Readonly<Record<string, Readonly<Record<number, Code>>>>;

/** A call that changes something at the broker. */
export type Command = keyof typeof COMMAND_CODES;

/** What the answer to a command says. */
export type CommandAnswer =
  | { readonly kind: "taken" }
  /** It may still be carried out, and it may not. */
  | { readonly kind: "pending"; readonly reason: string }
  | CommandFailure;

/** Judges an answer by its code. Nothing but the success that is documented is taken for one. */
export function classifyAnswer(command: Command, answer: ProjectXAnswer): CommandAnswer {
  const { success, errorCode } = answer;
  if (success && (errorCode ?? 0) === 0) return { kind: "taken" };
  const code = codeOf(command, errorCode);
  const reason = wordsOf(answer, code);
  // A success with an error's code says two things.
  return { kind: success ? "unknown" : (code?.means ?? "unknown"), reason };
}

function codeOf(command: Command, errorCode: number | undefined): Code | undefined {
  const codes: Readonly<Record<number, Code>> = COMMAND_CODES[command];
  return errorCode === undefined ? undefined : codes[errorCode];
}

function wordsOf({ errorCode, errorMessage }: ProjectXAnswer, code: Code | undefined): string {
  const called = code?.name ?? numbered(errorCode);
  if (errorMessage === undefined) return `ProjectX gave no reason (${called})`;
  const advice = ADVICE.find(({ message }) => message.test(errorMessage));
  const words = `${errorMessage} (${called})`;
  return advice === undefined ? words : `${words}. ${advice.words}`;
}

const numbered = (errorCode: number | undefined): string =>
  errorCode === undefined ? "no code" : `code ${errorCode}`;

/** What a person can do about a refusal, by the broker's literal words. */
const ADVICE: readonly { readonly message: RegExp; readonly words: string }[] = [
  {
    message: /brackets cannot be used with position brackets/i,
    words:
      "Set the account to Auto OCO Brackets in the settings of the firm's platform: with Position Brackets it takes no order with exits of its own",
  },
  {
    message: /live accounts not supported|follower accounts cannot cancel/i,
    words: "Cancel the order on the firm's platform: ProjectX does not cancel it through the API",
  },
];

/** Advice for a login without API access, by any of its codes. */
const SUBSCRIBE =
  "Buy API access at dashboard.projectx.com, link it to the firm's platform (TopstepX: Settings, API, ProjectX Linking), then reconnect";

/**
 * Whether the order was refused because there is one with its tag already. A tag is used up for ever, by
 * an order that was refused too.
 */
export function isTagInUse(command: Command, { success, errorMessage }: ProjectXAnswer): boolean {
  return command === "Order/place" && !success && IN_USE.test(errorMessage ?? "");
}

const IN_USE = /\bcustom ?tag is already in use\b/i;

/**
 * What a refused login means: `credentials` will not do, a person must `act` on something else, or the
 * same may be taken when it is tried `again`.
 */
export type LoginRefusal = "credentials" | "act" | "again";

/** Every documented code of `Auth/loginKey`. */
export const LOGIN_CODES: Readonly<
  Record<number, { readonly name: string; readonly means: LoginRefusal }>
> = {
  1: { name: "UserNotFound", means: "credentials" },
  2: { name: "PasswordVerificationFailed", means: "credentials" },
  3: { name: "InvalidCredentials", means: "credentials" },
  4: { name: "AppNotFound", means: "act" },
  5: { name: "AppVerificationFailed", means: "act" },
  6: { name: "InvalidDevice", means: "act" },
  7: { name: "AgreementsNotSigned", means: "act" },
  8: { name: "UnknownError", means: "again" },
  9: { name: "ApiSubscriptionNotFound", means: "act" },
  10: { name: "ApiKeyAuthenticationDisabled", means: "act" },
};

const API_SUBSCRIPTION_NOT_FOUND = 9;

/** An unknown code may pass by itself. */
export function classifyLogin({ errorCode, errorMessage }: ProjectXAnswer): {
  readonly means: LoginRefusal;
  readonly reason: string;
} {
  const code = errorCode === undefined ? undefined : LOGIN_CODES[errorCode];
  const words = errorMessage ?? "ProjectX refused the login";
  const reason = `${words} (${code?.name ?? numbered(errorCode)})`;
  const lacksAccess = errorCode === API_SUBSCRIPTION_NOT_FOUND || /subscription/i.test(words);
  if (lacksAccess) return { means: "act", reason: `${reason}. ${SUBSCRIBE}` };
  return { means: code?.means ?? "again", reason };
}
