import type { Webhook } from "./types.ts";

interface Placeholder {
  readonly name: string;
  /** What the charting platform puts in its place. */
  readonly becomes: string;
  /** What stands for it in a test. */
  readonly sample: string;
  /** Filled in only in alerts on a strategy. */
  readonly ofStrategy: boolean;
}

/** Those of TradingView that the builder writes. */
const PLACEHOLDERS: readonly Placeholder[] = [
  {
    name: "{{strategy.order.action}}",
    becomes: "buy or sell: the order that the strategy just filled",
    sample: "buy",
    ofStrategy: true,
  },
  {
    name: "{{strategy.order.contracts}}",
    becomes: "how many contracts that order had",
    sample: "1",
    ofStrategy: true,
  },
  {
    name: "{{strategy.order.id}}",
    becomes: "the order's id, as the script names it",
    sample: "Long",
    ofStrategy: true,
  },
  {
    name: "{{strategy.market_position}}",
    becomes: "long, short or flat: the strategy's position after the order",
    sample: "long",
    ofStrategy: true,
  },
  {
    name: "{{strategy.market_position_size}}",
    becomes: "how many contracts the strategy holds afterwards, without a sign",
    sample: "1",
    ofStrategy: true,
  },
  {
    name: "{{strategy.position_size}}",
    becomes: "the strategy's position after the order: above 0 long, below 0 short",
    sample: "1",
    ofStrategy: true,
  },
  {
    name: "{{strategy.prev_market_position}}",
    becomes: "long, short or flat: the strategy's position before the order",
    sample: "flat",
    ofStrategy: true,
  },
  {
    name: "{{strategy.prev_market_position_size}}",
    becomes: "how many contracts the strategy held before it, without a sign",
    sample: "0",
    ofStrategy: true,
  },
  {
    name: "{{ticker}}",
    becomes: "the chart's symbol, such as ES1!",
    sample: "ES1!",
    ofStrategy: false,
  },
  {
    name: "{{close}}",
    becomes: "the close of the bar, or the last price while it is open",
    sample: "1",
    ofStrategy: false,
  },
  {
    name: "{{timenow}}",
    becomes: "the time at which the alert fired, in UTC",
    sample: "",
    ofStrategy: false,
  },
];

const SHORT = {
  "{{strategy.order.action}}": "sell",
  "{{strategy.order.id}}": "Short",
  "{{strategy.market_position}}": "short",
};

type SampleOptions = Pick<Webhook, "allowedSide" | "allowedSymbols" | "multiplier">;

export const placeholdersIn = (message: string): readonly Placeholder[] =>
  PLACEHOLDERS.filter(({ name }) => message.includes(name));

/**
 * The message as the charting platform might send it now, for an entry that the webhook's options
 * let through.
 */
export function withSamples(
  message: string,
  { allowedSide, allowedSymbols, multiplier }: SampleOptions,
): string {
  const [symbol] = allowedSymbols ?? [];
  const contracts = String(Math.max(1, Math.ceil(1 / Number(multiplier ?? 1))));
  const values: Readonly<Record<string, string>> = {
    "{{timenow}}": new Date().toISOString().replace(/[.]\d+Z$/, "Z"),
    "{{strategy.order.contracts}}": contracts,
    "{{strategy.market_position_size}}": contracts,
    "{{strategy.position_size}}": allowedSide === "short" ? `-${contracts}` : contracts,
    ...(symbol !== undefined && { "{{ticker}}": symbol }),
    ...(allowedSide === "short" && SHORT),
  };
  return PLACEHOLDERS.reduce(
    (text, { name, sample }) => text.replaceAll(name, values[name] ?? sample),
    message,
  );
}
