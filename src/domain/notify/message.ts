import { declaredEvent, type GatewayEvent } from "./event.ts";
import type { EventFacts } from "./event-facts.ts";
import type { Severity } from "../severity.ts";

/** An event in words, for people. A channel only escapes it, and cuts it to its limits. */
export interface Message {
  readonly severity: Severity;
  readonly title: string;
  readonly lines: readonly string[];
  /** Unix ms. */
  readonly at: number;
}

/** So much of an account's number is told: enough to know one's own by. */
const SHOWN = 4;

/** `count`: so many equal events are told as this one. */
export function messageOf(event: GatewayEvent, count = 1): Message {
  const { severity, at, accountId, accountName, environment } = event;
  const told = event.masked ?? maskedByItself(event);
  const times = count > 1 ? ` (×${count})` : "";
  const name = accountId === undefined ? undefined : maskedName(accountId, accountName);
  const where =
    name === undefined
      ? []
      : [
          `${name}${environment === "live" || environment === "simulated" ? ` · ${environment}` : ""}`,
        ];
  return {
    severity,
    title: `${declaredEvent(event.type).title}${times}`,
    lines: [
      told.message,
      ...figuresOf(event),
      ...adviceOf(told.advice),
      ...alarmLines(event),
      ...where,
    ],
    at,
  };
}

const WEB_ADDRESS = /^https?:\/\/[^\s\p{Cc}]+$/iu;

/** Which rule it was, and where it is said what to do. */
function alarmLines(event: GatewayEvent): readonly string[] {
  if (event.type !== "operator.alarm") return [];
  const { alertname, runbookUrl = "" } = event.facts;
  const name = alertname === event.message ? [] : [`Rule: ${alertname}`];
  return WEB_ADDRESS.test(runbookUrl) ? [...name, `Runbook: ${runbookUrl}`] : name;
}

function figuresOf(event: GatewayEvent): readonly string[] {
  if (event.type === "summary.daily") return summaryLines(event.facts);
  const day = "day" in event.facts ? (event.facts.day ?? []) : [];
  return day.map(({ currency, net }) => `Day: ${net} ${currency} net`);
}

function summaryLines({ date, accounts }: EventFacts["summary"]): readonly string[] {
  return accounts.map(
    ({ accountId, accountName, tradingDay, trades, refusals, day, slippageTicks }) => {
      const figures = day.map(({ currency, net, fees }) => `${net} ${currency} net, fees ${fees}`);
      const slipped = slippageTicks === undefined ? [] : [`slippage ${slippageTicks} ticks`];
      const counts = [`${trades} trades`, `${refusals} refusals`];
      const other = tradingDay === date ? "" : ` on ${tradingDay}`;
      const words = [...counts, ...figures, ...slipped].join(", ");
      return `${maskedName(accountId, accountName)}${other}: ${words}`;
    },
  );
}

/** Where nobody has looked for other accounts that it names. */
function maskedByItself({ message, advice, accountId, accountName = "" }: GatewayEvent) {
  const own = accountId === undefined ? [] : [{ accountId, name: accountName }];
  const numbers = numbersOf(own);
  return {
    message: hideNumbers(message, numbers),
    ...(advice !== undefined && { advice: hideNumbers(advice, numbers) }),
  };
}

const adviceOf = (advice: string | undefined): readonly string[] =>
  advice === undefined ? [] : [advice];

/** What may name an account in a sentence. */
export interface AccountNames {
  readonly accountId: string;
  readonly name: string;
  readonly number?: string;
}

const WORD = /[A-Za-z0-9](?:[\w.-]*[A-Za-z0-9])?/g;
/** A word of fewer digits, or in fewer parts, is no account's number. */
const MAY_BE_NUMBER = /\d{4}|\d+[.-]\d+[.-]\d+/;

/** The words by which these accounts are known, as far as they hold a number. */
export function numbersOf(accounts: Iterable<AccountNames>): ReadonlySet<string> {
  const words = new Set<string>();
  for (const { accountId, name, number = "" } of accounts) {
    for (const word of `${accountId} ${name} ${number}`.match(WORD) ?? []) {
      if (MAY_BE_NUMBER.test(word)) words.add(word);
    }
  }
  return words;
}

/** A sentence in which these words show their end alone. An amount, or a price, stays what it is. */
export const hideNumbers = (sentence: string, numbers: ReadonlySet<string>): string =>
  sentence.replaceAll(WORD, (word: string, at: number) => {
    if (!numbers.has(word)) return word;
    const isFigure =
      /^\d+$/.test(word) &&
      (BEFORE_FIGURE.test(sentence.slice(Math.max(0, at - 50), at)) ||
        AFTER_FIGURE.test(sentence.slice(at + word.length, at + word.length + 5)));
    return isFigure ? word : endOf(word);
  });

const BEFORE_FIGURE = /(?:(?:long|short|bought|sold) \d{1,9} \S{1,20} at |, now |\s-)$/;
/** Of the currencies without decimals: an amount of any other is no word of digits alone. */
const AFTER_FIGURE = /^ (?:JPY|KRW|CLP|VND|ISK)\b/;

const endOf = (word: string): string => `…${word.slice(-SHOWN)}`;

/** A name that a person chose stays; what has a number in it shows its end alone. */
export function maskedName(accountId: string, accountName: string = accountId): string {
  const text = accountName === "" ? accountId : accountName;
  return text.replaceAll(/[A-Za-z]*\d[\w-]{4,}|\d+(?:\.\d+){2,}/g, endOf);
}
