import { declaredEvent, type GatewayEvent } from "./event.ts";
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
  const { severity, at, accountId, accountName, environment, message } = event;
  const times = count > 1 ? ` (×${count})` : "";
  const name = accountId === undefined ? undefined : maskedName(accountId, accountName);
  const where = name === undefined ? [] : [`${name}${environment === "live" ? " · live" : ""}`];
  return {
    severity,
    title: `${declaredEvent(event.type).title}${times}`,
    lines: [masked(event, message), ...figuresOf(event), ...adviceOf(event), ...where],
    at,
  };
}

function figuresOf(event: GatewayEvent): readonly string[] {
  if (event.type === "summary.daily") return event.facts.accounts.flatMap(summaryLines);
  const day = "day" in event.facts ? (event.facts.day ?? []) : [];
  return day.map(({ currency, net }) => `Day: ${net} ${currency} net`);
}

function summaryLines({
  accountId,
  accountName,
  trades,
  refusals,
  day,
  slippageTicks,
}: Extract<GatewayEvent, { type: "summary.daily" }>["facts"]["accounts"][number]) {
  const figures = day.map(({ currency, net, fees }) => `${net} ${currency} net, fees ${fees}`);
  const slipped = slippageTicks === undefined ? [] : [`slippage ${slippageTicks} ticks`];
  const counts = [`${trades} trades`, `${refusals} refusals`];
  return [
    `${maskedName(accountId, accountName)}: ${[...counts, ...figures, ...slipped].join(", ")}`,
  ];
}

const adviceOf = (event: GatewayEvent): readonly string[] =>
  event.advice === undefined ? [] : [masked(event, event.advice)];

/** A sentence without the account's number, in whatever way it names the account. */
function masked({ accountId, accountName }: GatewayEvent, sentence: string): string {
  if (accountId === undefined) return sentence;
  const name = maskedName(accountId, accountName);
  const hidden = sentence.replaceAll(accountId, name);
  return accountName === undefined ? hidden : hidden.replaceAll(accountName, name);
}

/** A name that a person chose stays; what has a number in it shows its end alone. */
export function maskedName(accountId: string, accountName: string = accountId): string {
  const text = accountName === "" ? accountId : accountName;
  return text.replaceAll(/[A-Za-z]*\d[\w-]{4,}/g, (word) => `…${word.slice(-SHOWN)}`);
}
