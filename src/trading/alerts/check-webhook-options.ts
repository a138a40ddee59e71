import type { WebhookOptions, WebhookOptionsChange } from "../../domain/alert.ts";
import type { ContractDirectory } from "../../domain/contracts/contract-directory.ts";
import { formatScaled, parseDecimal, rescale } from "../../domain/contracts/decimal.ts";
import { errors, type Problem } from "../../errors.ts";
import { isNetwork } from "../people/networks.ts";

const MAX_MULTIPLIER = 1_000n;
const MAX_RISK = 1_000_000_000n;
const OPTION_DECIMALS = 4;

/** Reading what a user has set: what is wrong with it is added to `problems`. */
export interface OptionReading {
  readonly contracts: ContractDirectory;
  readonly nowMs: number;
  readonly problems: Problem[];
  /** What the paths of problems begin with, such as `followers.0.`; by default nothing. */
  readonly at?: string;
}

/**
 * Options as they are stored: roots in upper case, the multiplier in its shortest form. Throws
 * VALIDATION_FAILED that names every root that is not in the contract table, every address that is
 * none, and a multiplier that is out of bounds.
 */
export function checkOptions<Options extends WebhookOptions | WebhookOptionsChange>(
  options: Options,
  contracts: ContractDirectory,
  nowMs: number,
): Options {
  const problems: Problem[] = [];
  const reading = { contracts, nowMs, problems };
  const { multiplier, riskMoney, riskPercent, symbolMap, allowedSymbols, allowedSenders } = options;
  const checked = {
    ...options,
    ...(typeof multiplier === "string" && { multiplier: readMultiplier(multiplier, reading) }),
    ...(typeof riskMoney === "string" && {
      riskMoney: readAmount("riskMoney", riskMoney, reading, MAX_RISK),
    }),
    ...(typeof riskPercent === "string" && {
      riskPercent: readAmount("riskPercent", riskPercent, reading, 100n),
    }),
    ...(symbolMap && { symbolMap: readSymbolMap(symbolMap, reading) }),
    ...(allowedSymbols && { allowedSymbols: readAllowedSymbols(allowedSymbols, reading) }),
    ...(allowedSenders && { allowedSenders: readSenders(allowedSenders, problems) }),
  };
  if (saysRiskTwice(options)) problems.push(RISK_TWICE);
  if (problems.length > 0) throw errors.validationFailed(problems);
  return checked;
}

export const saysRiskTwice = ({ riskMoney, riskPercent }: WebhookOptionsChange): boolean =>
  typeof riskMoney === "string" && typeof riskPercent === "string";

export const RISK_TWICE: Problem = {
  path: "riskPercent",
  message: "says the same as riskMoney in another way: give one of the two, and null for the other",
};

/** Roots in upper case, each once. */
export function readAllowedSymbols(
  symbols: readonly string[],
  reading: OptionReading,
): readonly string[] {
  return unique(symbols.map((text, n) => readRoot(`allowedSymbols.${n}`, text, reading)));
}

/** Roots in upper case by roots in upper case. */
export function readSymbolMap(
  map: Readonly<Record<string, string>>,
  reading: OptionReading,
): Readonly<Record<string, string>> {
  const read = new Map<string, string>();
  for (const [written, target] of Object.entries(map)) {
    const path = `symbolMap.${written.slice(0, 32)}`;
    const from = readRoot(path, written, reading);
    if (read.has(from)) refuse(reading, path, "is given twice, in different spellings");
    read.set(from, readRoot(path, target, reading));
  }
  return Object.fromEntries(read);
}

/** A decimal in its shortest form. */
export const readMultiplier = (text: string, reading: OptionReading): string =>
  readAmount("multiplier", text, reading, MAX_MULTIPLIER);

function readAmount(path: string, text: string, reading: OptionReading, most: bigint): string {
  const value = parseDecimal(text.trim());
  const shortest = value === undefined ? "" : formatScaled(value);
  const decimals = shortest.split(".")[1]?.length ?? 0;
  const isRight =
    value !== undefined &&
    value.units > 0n &&
    value.units <= rescale({ units: most, scale: 0 }, value.scale) &&
    decimals <= OPTION_DECIMALS;
  if (!isRight) {
    const message = `must be a number above 0 and at most ${most}, with at most ${OPTION_DECIMALS} decimals`;
    refuse(reading, path, message);
  }
  return shortest;
}

function readRoot(path: string, text: string, reading: OptionReading): string {
  const { contracts, nowMs } = reading;
  const root = text.trim().toUpperCase();
  if (contracts.product(root) !== undefined) return root;
  const meant = contracts.resolve(text, nowMs);
  const instead = meant.kind === "resolved" ? meant.contract.root : "one such as MNQ";
  const shown = JSON.stringify(text.slice(0, 32));
  refuse(reading, path, `${shown} is no root of the contract table; write ${instead}`);
  return root;
}

function refuse({ problems, at = "" }: OptionReading, path: string, message: string): void {
  problems.push({ path: `${at}${path}`, message });
}

function readSenders(senders: readonly string[], problems: Problem[]): readonly string[] {
  const written = senders.map((text) => text.trim().toLowerCase());
  for (const [n, sender] of written.entries()) {
    if (sender === "tradingview" || isNetwork(sender)) continue;
    const message =
      "must be an address such as 203.0.113.7, a network such as 203.0.113.0/24, or tradingview";
    problems.push({ path: `allowedSenders.${n}`, message });
  }
  return unique(written);
}

const unique = (list: readonly string[]): readonly string[] => [...new Set(list)];
