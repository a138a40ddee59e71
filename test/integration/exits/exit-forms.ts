/** One form in which a user asks to get out, as docs/alerts.md, docs/alert-formats.md and docs/api.md have it. */
export interface ExitForm {
  readonly name: string;
  /** Contracts that are left of the two in the end; below 0 they are on the other side. */
  readonly leaves: number;
  /** A message to a webhook of this profile, or a call of the API. */
  readonly ask:
    | { readonly profile: string; readonly alert: object | string }
    | { readonly call: "flatten" | "flattenSymbol" | "flattenGroup" | "order" };
  /** An order is sent once, and is no demand: nothing goes on with it after a refusal. */
  readonly isOrder?: true;
}

const SYMBOL = "ES1!";

const hook = (
  alert: object | string,
  { leaves = 0, profile = "native", isOrder }: HookOptions = {},
): ExitForm => ({
  name: `${profile} ${typeof alert === "string" ? alert : JSON.stringify(alert)}`,
  leaves,
  ask: { profile, alert },
  ...(isOrder === true && { isOrder }),
});

interface HookOptions {
  readonly leaves?: number;
  readonly profile?: string;
  readonly isOrder?: true;
}

export const EXIT_FORMS: readonly ExitForm[] = [
  // The whole account
  hook({ action: "flat" }),
  hook({ action: "close" }),
  hook({ action: "exit" }),
  hook({ action: "flatten", symbol: SYMBOL }),
  hook("command=FLATTENEVERYTHING;", { profile: "crosstrade" }),
  hook(`licence,closeall,${SYMBOL}`),
  { name: "DELETE positions", leaves: 0, ask: { call: "flatten" } },
  { name: "POST flatten of a group", leaves: 0, ask: { call: "flattenGroup" } },

  // One symbol
  hook({ position: 0, symbol: SYMBOL }),
  hook({ action: "reduce", symbol: SYMBOL, percent: 100 }),
  hook({ action: "close_long", symbol: SYMBOL }),
  hook({ ticker: SYMBOL, action: "exit" }, { profile: "traderspost" }),
  hook({ ticker: SYMBOL, action: "sell", quantity: 2 }, { profile: "traderspost" }),
  hook(`command=CLOSEPOSITION;instrument=${SYMBOL};`, { profile: "crosstrade" }),
  hook(`command=FLATTEN;instrument=${SYMBOL};`, { profile: "crosstrade" }),
  hook({ symbol: SYMBOL, data: "close", quantity: 0 }, { profile: "pickmytrade" }),
  hook(
    { symbol: SYMBOL, market_position: "flat", market_position_size: 0 },
    { profile: "position" },
  ),
  hook(`licence,closelong,${SYMBOL}`),
  { name: "DELETE positions?symbol", leaves: 0, ask: { call: "flattenSymbol" } },

  // A part
  hook({ action: "reduce", symbol: SYMBOL, qty: 1 }, { leaves: 1 }),
  hook({ action: "reduce", symbol: SYMBOL, percent: 50 }, { leaves: 1 }),
  hook({ position: 1, symbol: SYMBOL }, { leaves: 1 }),
  hook(`command=CLOSEPOSITION;instrument=${SYMBOL};percent=0.5;`, {
    profile: "crosstrade",
    leaves: 1,
  }),

  // To the other side
  hook({ action: "reverse", symbol: SYMBOL }, { leaves: -2 }),
  hook({ position: -2, symbol: SYMBOL }, { leaves: -2 }),
  hook(
    `command=REVERSEPOSITION;instrument=${SYMBOL};action=SELL;qty=2;order_type=MARKET;tif=DAY;`,
    {
      profile: "crosstrade",
      leaves: -2,
    },
  ),

  // An ordinary order on the other side
  hook({ action: "sell", symbol: SYMBOL, qty: 2 }, { isOrder: true }),
  { name: "POST orders", leaves: 0, ask: { call: "order" }, isOrder: true },
];
