import { parseArgs } from "node:util";

export const PARTS = [
  "throughput",
  "footprint",
  "slow",
  "copying",
  "memory",
  "scaling",
  "spreading",
  "quotes",
  "telling",
  "guards",
  "plans",
] as const;
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
  /** The folder of an earlier version that is built, to be measured too. */
  readonly before: string | undefined;
  /** Files to write to: the report, and the figures of throughput. */
  readonly out: string | undefined;
  readonly json: string | undefined;
  /** Whether the page in docs/ is to show this run. */
  readonly publish: boolean;
}

export const USAGE = `npm run bench -- [--only throughput,footprint,slow,copying,memory,scaling,spreading,quotes,telling,guards,plans] [--rounds 5] [--seconds 5]
  [--connections 1,32,256] [--contenders koa,worker,gateway] [--before FOLDER]
  [--accounts 10,100,1000,10000] [--slow-seconds 60] [--copy-rounds 40]
  [--alerts 20000] [--out FILE.md] [--json FILE.json] [--publish]`;

/** Fewer say too little about the spread. */
const PUBLISHED_ROUNDS = 5;

/** The command line was not understood. */
export class UsageError extends Error {
  override readonly name = "UsageError";
}

export function readFlags(words: readonly string[]): Flags {
  const values = parse(words);
  if (values.publish && Number(values.rounds) < PUBLISHED_ROUNDS) {
    throw new UsageError(`--publish takes at least ${PUBLISHED_ROUNDS} rounds`);
  }
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
    before: values.before,
    out: values.out,
    json: values.json,
    publish: values.publish,
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
        before: { type: "string" },
        out: { type: "string" },
        json: { type: "string" },
        publish: { type: "boolean", default: false },
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
