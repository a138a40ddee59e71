import type { WholeAlert } from "./types.ts";

const BY_CODE: Readonly<Record<string, string>> = {
  VALIDATION_FAILED:
    "Correct the message in the alert. The webhook's page builds one and tries it without sending.",
  UNRESOLVED_PLACEHOLDER:
    "The charting platform left a placeholder as it was: those of strategies are filled in only in alerts on a strategy. Use one that the alert knows, or write a fixed value.",
  UNKNOWN_SYMBOL:
    "Check the symbol: a root such as ES, a continuous form such as ES1! or a contract such as ESZ6. The webhook's symbol map can put another in its place.",
  ACCOUNT_INACTIVE:
    "The account is not active: check its connection under Accounts, or at the broker.",
  WEBHOOK_PAUSED: "Resume the webhook if its alerts should trade.",
  SENDER_NOT_ALLOWED:
    "It came from an address that the webhook does not take. If it was yours, add the address to the webhook's senders; if not, make a new webhook, since somebody knows its URL.",
  SYMBOL_MISMATCH: "Check what the account holds, and close that symbol instead.",
  NO_POSITION: "Nothing was held, so there is nothing to do.",
  POSITION_HELD: "The position was there already, so there is nothing to do.",
  POSITION_MISMATCH: "Compare what the account holds with what the strategy believes it holds.",
  OVERTAKEN_BY_EXIT:
    "It was dropped for good, so that it does not open again what was closed; sent again it stays dropped. If the trade is wanted all the same, replay it.",
  SYMBOL_NOT_ALLOWED:
    "Add the symbol to those that the webhook allows, if it is meant to trade it.",
  SIDE_NOT_ALLOWED: "Allow both sides in the webhook's options, if it is meant to trade this one.",
  LIMIT_EXCEEDED:
    "Raise the account's limit under Accounts if the order was right; else ask for fewer contracts.",
  KILL_SWITCH_ON: "Turn the kill switch off under Accounts, to trade again.",
  ALERT_TOO_OLD: "It arrived late. Check whether the sender or the network is slow.",
  RATE_LIMITED: "Find out why so many alerts came, or raise the webhook's limit.",
};

const BY_OUTCOME: Readonly<Partial<Record<WholeAlert["outcome"], string>>> = {
  rejected: "The broker says why. Check the account there before sending another one.",
  unprotected: "Check the position now, and protect or close it under Accounts.",
  notSent: "Check the connection under Accounts. If the trade is still wanted, replay it.",
  expired:
    "It was dropped so that nothing late is sent. If the trade is still wanted at today's price, replay it.",
  withdrawn: "If the trade is still wanted, replay it.",
  unknown:
    "Check the account at the broker first: an order may be working or filled. The gateway keeps asking, and holds new entries until it knows.",
  lost: "Nothing of it is at the broker. If the trade is still wanted, replay it.",
};

/** What a person can do about it; undefined where there is nothing to do. */
export function adviceOn({ code, outcome }: WholeAlert): string | undefined {
  return (code === null ? undefined : BY_CODE[code]) ?? BY_OUTCOME[outcome];
}

const NEVER_SENT: ReadonlySet<WholeAlert["outcome"]> = new Set([
  "refused",
  "denied",
  "notSent",
  "expired",
  "overtaken",
  "withdrawn",
  "lost",
]);

/** Whether it can be carried out now: nothing of it was sent, and it says what it wants. */
export const mayReplay = ({ outcome, read, test }: WholeAlert): boolean =>
  NEVER_SENT.has(outcome) && read !== null && !test;
