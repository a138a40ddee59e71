import { symbolOfCode } from "../../domain/contracts/contract.ts";
import { heldText } from "../../domain/position.ts";
import { formatAverage, formatTicks, tickSize as sizeOf } from "../../domain/contracts/price.ts";
import { hideNumbers, numbersOf } from "../../domain/notify/message.ts";
import type { StoredAccount } from "../connections/ports.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { Holding } from "../reads/read-holdings.ts";
import type { AccountLabels } from "./account-labels.ts";
import type { Reply } from "./ports.ts";

const UNITS = [
  [86_400_000, "d"],
  [3_600_000, "h"],
  [60_000, "min"],
  [1_000, "s"],
] as const;

/** How long, in its largest unit. */
export function spanText(ms: number): string {
  const [size, unit] = UNITS.find(([least]) => ms >= least) ?? [1_000, "s"];
  return `${Math.max(0, Math.floor(ms / size))} ${unit}`;
}

/** One position in a line. What is not known is said to be. */
export function holdingText(
  { account, position, mark, asOf, live, protection }: Holding,
  describe: DescribeContract,
  { now, nameOf }: { readonly now: number; readonly nameOf: AccountLabels },
): string {
  const { contract, netQty, avgPx, terms } = position;
  const { tickSize } = describe(contract, terms);
  const size = tickSize === undefined ? undefined : sizeOf(tickSize);
  const at = avgPx && size !== undefined ? ` at ${formatAverage(avgPx, size)}` : "";
  const told = mark && size !== undefined ? `, now ${formatTicks(mark.px, size)}` : "";
  const old = mark?.isStale === true ? ` (${spanText(now - mark.at)} ago)` : "";
  const age = live ? "" : `. As of ${spanText(now - asOf)} ago: its connection is not up`;
  const what = `${heldText(netQty)} ${symbolOfCode(contract)}${at}${told}${told === "" ? "" : old}`;
  return `${nameOf(account.accountId)}: ${what}, ${PROTECTED[protection.kind]}${age}`;
}

const PROTECTED: Readonly<Record<Holding["protection"]["kind"], string>> = {
  protected: "its stop-loss stands",
  noneAsked: "no stop-loss",
  missing: "an exit that was asked for is missing",
  unknown: "not known whether a stop-loss stands",
};

/** At most so many lines, and how many more there are. */
export function someOf(lines: readonly string[], most: number): readonly string[] {
  if (lines.length <= most) return lines;
  return [...lines.slice(0, most), `… and ${lines.length - most} more`];
}

/** A message holds 4,096 characters: this leaves room for its title and for names that grow as they are masked. */
export const LONGEST_LIST = 3_500;

export const lengthOf = (lines: readonly string[]): number =>
  lines.reduce((sum, line) => sum + line.length + 1, 0);

/** As many lines as there is room for; `more` says how many were left out. */
export function fitting(
  lines: readonly string[],
  room: number,
  more: (count: number) => string,
): readonly string[] {
  if (lengthOf(lines) <= room) return lines;
  let left = room - more(lines.length).length - 1;
  const count = lines.findIndex((line) => (left -= line.length + 1) < 0);
  return [...lines.slice(0, count), more(lines.length - count)];
}

/** Each of the lines, shortened where they would not all fit. */
export function allOf(lines: readonly string[], room: number): readonly string[] {
  if (lengthOf(lines) <= room) return lines;
  const longest = Math.floor(room / lines.length) - 2;
  return lines.map((line) => (line.length > longest ? `${line.slice(0, longest)}…` : line));
}

/** What is said without the numbers of accounts, in whatever way it names them. */
export function masked(reply: Reply, own: readonly StoredAccount[]): Reply {
  const numbers = numbersOf(own);
  const { title, lines } = reply;
  return {
    ...reply,
    title: hideNumbers(title, numbers),
    lines: lines.map((line) => hideNumbers(line, numbers)),
  };
}
