import { type Static, Type } from "@sinclair/typebox";

/** The settings of one paper connection. */
export const PaperSettings = Type.Object(
  {
    accounts: Type.String({
      default: "1-2",
      pattern: "^[1-9]\\d{0,5}(-[1-9]\\d{0,5})?(,[1-9]\\d{0,5}(-[1-9]\\d{0,5})?)*$",
      maxLength: 1_000,
      description: "Numbers of the demo accounts, for example 1-2 or 1,2,5-9",
    }),
    feed: Type.Union([Type.Literal("seeded"), Type.Literal("bars"), Type.Literal("manual")], {
      default: "seeded",
      description: "Where prices come from: made up from a seed, a bar file, or set by hand",
    }),
    seed: Type.Integer({ minimum: 0, default: 1, description: "Seed of the seeded feed" }),
    barFile: Type.Optional(
      Type.String({
        minLength: 1,
        description: "CSV file with the columns time,open,high,low,close,volume",
      }),
    ),
    barRoot: Type.Optional(
      Type.String({
        pattern: "^[A-Z0-9]{1,4}$",
        description: "Root the bar file is of, such as ES",
      }),
    ),
    barSpeed: Type.Number({
      exclusiveMinimum: 0,
      maximum: 86_400,
      default: 60,
      description: "How many times faster than life the bar file runs",
    }),
    barsLoop: Type.Boolean({
      default: true,
      description: "Whether the bar file starts again at its end",
    }),
    sessionHours: Type.Boolean({
      default: false,
      description: "Whether contracts trade only in their session hours",
    }),
    startBalance: Type.Integer({
      minimum: 0,
      maximum: 1_000_000_000,
      default: 50_000,
      description: "Dollars with which each account begins",
    }),
    fees: Type.String({
      default: "*=0",
      pattern:
        "^(\\*|[A-Z0-9]{1,4})=\\d{1,6}(\\.\\d{1,6})?(,(\\*|[A-Z0-9]{1,4})=\\d{1,6}(\\.\\d{1,6})?)*$",
      maxLength: 2_000,
      description: "What a contract of a root costs on each side, for example ES=2.25,*=0",
    }),
  },
  { additionalProperties: false },
);
export type PaperSettings = Readonly<Static<typeof PaperSettings>>;

export const MAX_PAPER_ACCOUNTS = 20_000;

/** The settings do not make sense together. */
export class PaperSettingsError extends Error {
  override readonly name = "PaperSettingsError";
}

/** The account numbers that a text such as "1,2,5-9" names, in its order and each once. */
export function parseAccountNumbers(text: string): readonly number[] {
  const numbers = new Set<number>();
  for (const part of text.split(",")) {
    const [, first = "", last = first] =
      /^([1-9]\d{0,5})(?:-([1-9]\d{0,5}))?$/.exec(part.trim()) ?? [];
    const [from, to] = [Number(first), Number(last)];
    if (first === "" || to < from) {
      throw new PaperSettingsError(`"${part}" is no account number or range, such as 3 or 1-2`);
    }
    if (numbers.size + to - from + 1 > MAX_PAPER_ACCOUNTS) {
      throw new PaperSettingsError(`There can be at most ${MAX_PAPER_ACCOUNTS} paper accounts`);
    }
    for (let number = from; number <= to; number += 1) numbers.add(number);
  }
  return [...numbers];
}
