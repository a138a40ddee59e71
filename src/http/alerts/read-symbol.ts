import { MAX_SYMBOL_LENGTH, plainSymbol } from "../../domain/contracts/symbol.ts";
import { bareText } from "../../domain/visible-text.ts";
import type { AlertFields } from "./alert-fields.ts";

/** Senders' names for the exchange of their symbol, in every dialect. */
export const EXCHANGES = [
  "exchange",
  "tv_exchange",
  "tvExchange",
  "exchange_name",
  "exchangeName",
  "exchange_code",
  "exchangeCode",
  "primary_exchange",
  "primaryExchange",
  "listed_exchange",
  "listedExchange",
  "syminfo.prefix",
  "syminfo_prefix",
  "syminfoPrefix",
] as const;

type Names = string | readonly [name: string, ...aliases: string[]];

/**
 * The symbol, with each exchange that is said beside it before it, whatever that is: the contract table
 * refuses what does not trade there, so that the share `CL` is never taken for crude oil.
 */
export function readSymbol(
  fields: AlertFields,
  names: Names,
  { needed = false } = {},
): string | undefined {
  const value = fields.value(names);
  if (value === undefined) return needed ? fields.problem(names, "is needed") : undefined;
  const symbol = plainSymbol(textOf(value));
  const own = symbol.split(":");
  if (
    typeof value === "boolean" ||
    /^$|[{[]/.test(symbol) ||
    own.some((part) => part.length > MAX_SYMBOL_LENGTH)
  ) {
    return fields.problem(names, `must be text of 1 to ${MAX_SYMBOL_LENGTH} characters`);
  }
  const said = saidExchanges(fields);
  const others = said.filter((exchange) => !own.slice(0, -1).includes(exchange));
  return [...others, symbol].join(":");
}

/** An exchange that is not even text is an unknown one. */
function saidExchanges(fields: AlertFields): readonly string[] {
  const said = EXCHANGES.flatMap((name) => {
    const value = fields.value(name);
    if (value === undefined) return [];
    return [bareText(textOf(value)).replaceAll(":", " ").slice(0, MAX_SYMBOL_LENGTH)];
  });
  return [...new Set(said)];
}

/** A chart's own id may come as the object that it is. */
const textOf = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value);
