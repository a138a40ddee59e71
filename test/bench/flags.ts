import { parseArgs } from "node:util";

export const PARTS = ["throughput", "footprint", "slow", "copying", "memory"] as const;
export type Part = (typeof PARTS)[number];

export interface Flags {
  readonly parts: readonly Part[];
  readonly rounds: number;
  /** Of each measurement of throughput. */
  readonly seconds: number;
  readonly connections: readonly number[];
  /** Undefined: every one. */
  readonly contenders: readonly string[] | undefined;
  /** Of the idle gateways, one after another. */
  readonly accounts: readonly number[];
  readonly slowSeconds: number;
  readonly copyRounds: number;
  readonly alerts: number;
  /** Files to write to. */
  readonly out: string | undefined;
  readonly svg: string | undefined;
}

export const USAGE = `npm run bench -- [--only throughput,footprint,slow,copying,memory] [--rounds 5] [--seconds 5]
  [--connections 1,32,256] [--contenders koa,worker,gateway] [--accounts 10,100,1000,10000]
  [--slow-seconds 60] [--copy-rounds 40] [--alerts 20000] [--out FILE.md] [--svg FILE.svg]`;

/** The command line was not understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function readFlags(words: readonly string[]): Flags {
  const values = parse(words);
  return {
    parts: (values.only ?? PARTS.join(",")).split(",").map(toPart),
    rounds: count("rounds", values.rounds),
    seconds: count("seconds", values.seconds),
    connections: counts("connections", values.connections),
    contenders: values.contenders?.split(","),
    accounts: counts("accounts", values.accounts),
    slowSeconds: count("slow-seconds", values["slow-seconds"]),
    copyRounds: count("copy-rounds", values["copy-rounds"]),
    alerts: count("alerts", values.alerts),
    out: values.out,
    svg: values.svg,
  };
}

function parse(words: readonly string[]) {
  try {
    return parseArgs({
      args: [...words],
      options: {
        only: { type: "string" },
        rounds: { type: "string", default: "5" },
        seconds: { type: "string", default: "5" },
        connections: { type: "string", default: "1,32,256" },
        contenders: { type: "string" },
        accounts: { type: "string", default: "10,100,1000,10000" },
        "slow-seconds": { type: "string", default: "60" },
        "copy-rounds": { type: "string", default: "40" },
        alerts: { type: "string", default: "20000" },
        out: { type: "string" },
        svg: { type: "string" },
      },
    }).values;
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function toPart(word: string): Part {
  const part = PARTS.find((known) => known === word);
  if (part === undefined) throw new UsageError(`--only takes ${PARTS.join(", ")}, not ${word}`);
  return part;
}

const counts = (flag: string, text: string): number[] =>
  text.split(",").map((word) => count(flag, word));

function count(flag: string, text: string): number {
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new UsageError(`--${flag} takes whole numbers above 0, not ${text}`);
}
