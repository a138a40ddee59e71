/** Whose words an alert is written in: each service that people write alerts for has its own. */
export const ALERT_PROFILES = [
  "native",
  "traderspost",
  "crosstrade",
  "pickmytrade",
  "position",
] as const;
export type AlertProfile = (typeof ALERT_PROFILES)[number];

/** Whether an opposite signal turns a position round (`traderspost`): what that service calls it. */
export const SIDE_SWAPS = ["off", "on", "subtract"] as const;
export type SideSwap = (typeof SIDE_SWAPS)[number];

/** The choices for an exit whose market is closed: kept until the opening, or refused. */
export const EXITS_WHEN_CLOSED = ["hold", "refuse"] as const;

/** The senders of a webhook. The orders of a strategy are its entries and its exits. */
export const SENT_BY = ["strategy", "indicator"] as const;

/** How an option is asked for in the console's form. Absent: the form has a place of its own for it. */
export interface OptionField {
  readonly part: "orders" | "guards";
  readonly label: string;
  /** What it is called where its value is listed, if not by its label. */
  readonly listed?: string;
  readonly hint: string;
  readonly placeholder?: string;
  /** What can be chosen, and how it is listed. The first one is what holds where nothing is set. */
  readonly choices?: readonly (readonly [word: string, label: string, listed?: string])[];
  /** The one profile that it means something in. */
  readonly onlyFor?: AlertProfile;
  /** An item that has a box to tick. */
  readonly box?: { readonly item: string; readonly label: string; readonly hint: string };
}

interface Option {
  /** In the API document. */
  readonly description: string;
  /** In the table of `docs/alerts.md`, as Markdown, if not the description. */
  readonly row?: string;
  readonly examples?: readonly unknown[];
  /** Its field in the store, if that has another name. */
  readonly storedAs?: string;
  readonly field?: OptionField;
}

/** What an option may be. */
export type WebhookOption = Option &
  (
    | { readonly kind: "choice"; readonly words: readonly string[] }
    /** Long or short. */
    | { readonly kind: "side" }
    | {
        readonly kind: "whole";
        readonly min: number;
        readonly max: number;
        readonly unit?: "seconds";
      }
    /** Kept as text, so that no digit is lost. */
    | { readonly kind: "decimal" }
    /** Of something that the user keeps. */
    | { readonly kind: "name" }
    | { readonly kind: "list"; readonly items: "names" | "roots" | "senders"; readonly max: number }
    /** Roots by roots. */
    | { readonly kind: "map"; readonly max: number }
  );

/**
 * What a webhook's owner sets for all of its alerts, each said once. What the API takes and shows,
 * what is stored, the console's form and list, and the table in `docs/alerts.md` follow from it. What
 * is absent is not restricted.
 */
export const WEBHOOK_OPTIONS = {
  profile: {
    kind: "choice",
    words: ALERT_PROFILES,
    description:
      "Whose words the alerts are written in: native is this gateway's own, position the target position of TradingView's {{strategy.market_position}}. Without it native",
    row: "see [above](#formats-of-other-services)",
  },
  sideSwap: {
    kind: "choice",
    words: SIDE_SWAPS,
    description:
      "Of the profile traderspost: what a buy or sell against the position does. off closes it and stops there; on closes it and enters the other side with the alert's quantity; subtract enters with what that is more than was closed. Without it off",
    field: {
      part: "orders",
      onlyFor: "traderspost",
      label: "Opposite signal",
      hint: "What a buy or sell against the open position does. Set it like “Allow side swapping” and “Subtract exit quantity” in TradersPost.",
      choices: [
        ["off", "Close and stop there", "closes and stops there"],
        ["on", "Close, then enter the other side", "closes, then enters the other side"],
        ["subtract", "Close, then enter with what is left", "closes, then enters with the rest"],
      ],
    },
  },
  allowedExtraFields: {
    kind: "list",
    items: "names",
    max: 50,
    description:
      "Names of fields that your alerts carry beside the order and that ask for nothing. Every other name that is not known is refused. A name that may protect, limit or change an order cannot be allowed",
    examples: [["rsi", "confidence"]],
    field: {
      part: "orders",
      label: "Extra fields to ignore",
      listed: "Extra fields ignored",
      placeholder: "rsi, confidence",
      hint: "Field names in your messages that have no effect on the order. The charting platforms' usual ones are ignored anyway; an alert with any other unknown field is refused.",
    },
  },
  defaultQty: {
    kind: "whole",
    min: 1,
    max: 10_000,
    description: "Contracts of an order that names no quantity",
    field: {
      part: "orders",
      label: "Default quantity",
      hint: "Contracts, when the message has no quantity. Empty: the alert is refused, or trades 1 contract where the profile's service does.",
    },
  },
  riskMoney: {
    kind: "decimal",
    description:
      "Of the profile native: what a buy or sell that names no quantity may lose at its stop-loss, in the contract's currency; its quantity follows from that. It needs a stop-loss then, and defaultQty is not looked at. Above 0, with at most 4 decimals",
    examples: ["500"],
    field: {
      part: "orders",
      onlyFor: "native",
      label: "Risk in money",
      placeholder: "500",
      hint: "What an entry without a quantity may lose at its stop-loss, fees included. Empty: the default quantity.",
    },
  },
  riskPercent: {
    kind: "decimal",
    description:
      "Of the profile native: the same as percent of the account, of its balance or of its worth with open positions, whichever is less. Not together with riskMoney. Above 0, at most 100, with at most 4 decimals",
    examples: ["0.5"],
    field: {
      part: "orders",
      onlyFor: "native",
      label: "Risk in percent",
      placeholder: "0.5",
      hint: "The same as percent of what the account is worth. Empty: the default quantity.",
    },
  },
  multiplier: {
    kind: "decimal",
    description:
      "Every quantity of an alert is multiplied by it and rounded down. What is less than one contract then opens nothing: a target is flat, and what closes takes out one contract. Above 0, at most 1000, with at most 4 decimals. A percentage of a position stays as it is. Of an order that is sized by its risk, the risk is multiplied",
    examples: ["0.5"],
    field: {
      part: "orders",
      label: "Multiplier",
      placeholder: "0.5",
      hint: "Every quantity is multiplied by this and rounded down; less than 1 contract is refused. Empty: 1.",
    },
  },
  exitPlan: {
    kind: "name",
    description:
      "The name of the exit plan that entries follow which bring neither a take-profit or stop-loss nor a plan of their own. Without it they go as they are",
    row: "the name of the [exit plan](#exit-plans) that entries follow which bring neither a take-profit or stop-loss nor a plan of their own; what only closes is not concerned",
    examples: ["runner"],
    field: {
      part: "orders",
      label: "Exit plan",
      placeholder: "runner",
      hint: "The name of the exit plan for entries whose message has no take-profit, stop-loss or exit plan. Empty: none.",
    },
  },
  sentBy: {
    kind: "choice",
    words: SENT_BY,
    description:
      "The sender of orders that follow an exit plan. strategy: a plain order only closes, and the strategy's position has to be said to open anything. indicator: each order is carried out as it is. Without it an order against a position of a plan closes at most that position",
    row: "for orders that follow an [exit plan](#exit-plans): `strategy` or `indicator`, [see there](#a-strategy-and-an-exit-plan)",
    field: {
      part: "orders",
      label: "Alerts come from",
      hint: "For entries with an exit plan. A strategy sends its own exits too, and must not open a position by one that the plan has closed before.",
      choices: [
        ["", "Not said"],
        ["strategy", "A strategy, which says its position"],
        ["indicator", "An indicator: every order is an entry or a reversal"],
      ],
    },
  },
  symbolMap: {
    kind: "map",
    max: 50,
    description:
      "What is traded instead: with NQ to MNQ an alert for NQ1! trades MNQ1!. Prices that an alert names open nothing in another market: send ticks or an offset",
    examples: [{ NQ: "MNQ" }],
    field: {
      part: "orders",
      label: "Symbol map",
      placeholder: "NQ=MNQ, ES=MES",
      hint: "With NQ=MNQ an alert for NQ1! trades MNQ1!, in the same month. Empty: the symbol in the message.",
    },
  },
  allowedSymbols: {
    kind: "list",
    items: "roots",
    max: 100,
    description:
      "The roots that may be traded, after the map. Exits of everything else still pass. Without it all",
    examples: [["MNQ", "MES"]],
    field: {
      part: "orders",
      label: "Allowed symbols",
      placeholder: "MNQ, MES",
      hint: "Roots that entries may trade, after the symbol map. Exits always pass. Empty: all.",
    },
  },
  allowedSide: {
    kind: "side",
    description:
      "The only side on which a position may be opened or grown. Exits always pass. Without it both",
    field: {
      part: "orders",
      label: "Allowed side",
      hint: "The side that entries may trade. Exits always pass.",
      choices: [
        ["", "Long and short"],
        ["long", "Long only"],
        ["short", "Short only"],
      ],
    },
  },
  allowedSenders: {
    kind: "list",
    items: "senders",
    max: 50,
    description:
      "Addresses and networks that alerts may come from; tradingview stands for the addresses that TradingView publishes. Behind a reverse proxy the operator has to set TRUSTED_PROXIES. Without it everywhere",
    examples: [["tradingview", "203.0.113.0/24"]],
    field: {
      part: "guards",
      label: "Other senders",
      listed: "Senders",
      placeholder: "203.0.113.7, 198.51.100.0/24",
      hint: "IP addresses and networks. Behind a proxy, TRUSTED_PROXIES must be set. Empty, with the box not ticked: any sender.",
      box: {
        item: "tradingview",
        label: "Accept alerts from TradingView's addresses",
        hint: "With this ticked, or any address below, alerts from all other addresses are refused.",
      },
    },
  },
  entryMaxAgeSeconds: {
    kind: "whole",
    min: 1,
    max: 3_600,
    unit: "seconds",
    description: "Age at which an unsent order that opens or grows a position is dropped",
    row: "instead of the gateway's `ENTRY_MAX_AGE_SECONDS`; [counted from when the alert fired](#how-old-an-alert-may-be), if it says so",
    field: {
      part: "guards",
      label: "Entries expire after",
      hint: "An entry that could not be sent for this long, counted from when the alert fired if it says so, is dropped. Empty: the gateway's setting, 30 by default, and a minute more on its way.",
    },
  },
  exitMaxAgeSeconds: {
    kind: "whole",
    min: 1,
    max: 86_400,
    unit: "seconds",
    description: "Age at which an unsent order that reduces a position is dropped, with an alarm",
    row: "instead of the gateway's `EXIT_MAX_AGE_SECONDS`",
    field: {
      part: "guards",
      label: "Exits expire after",
      hint: "An exit that could not be sent for this long is dropped, with an alarm. Empty: the gateway's setting, 600 by default.",
    },
  },
  exitsWhenClosed: {
    kind: "choice",
    words: EXITS_WHEN_CLOSED,
    description:
      "An exit of a market that is closed by its exchange's hours. hold keeps it until the opening; refuse answers MARKET_CLOSED and touches nothing. Without it hold",
    row: "`hold` (usual): [kept until the opening](#an-exit-that-goes-on); `refuse`: `MARKET_CLOSED`, nothing is touched",
    field: {
      part: "guards",
      label: "Exits of a closed market",
      hint: "A held exit closes the position two seconds after the opening. Its stop and target stay until then.",
      choices: [
        ["hold", "Are held until the opening", "are held until the opening"],
        ["refuse", "Are refused", "are refused"],
      ],
    },
  },
  entryTimeoutSeconds: {
    kind: "whole",
    min: 1,
    max: 86_400,
    unit: "seconds",
    description:
      "How long an order of an alert may rest that names no timeout itself; what ends at once is not touched. Without it as long as its timeInForce says",
    field: {
      part: "orders",
      label: "Resting orders end after",
      hint: "A limit or stop order of an alert that has not filled for this long is ended. A message with its own timeout keeps that. Empty: never.",
    },
  },
  entryTimeoutThen: {
    kind: "choice",
    words: ["cancel", "market"],
    description:
      "What becomes of such an order: cancel, or market, which sends what is left of it at the market. It means something together with entryTimeoutSeconds. Without it cancel",
    field: {
      part: "orders",
      label: "Resting orders then",
      hint: "What happens to what is left of such an order.",
      choices: [
        ["cancel", "Are cancelled", "are cancelled"],
        ["market", "Go at the market", "go at the market"],
      ],
    },
  },
  duplicateWindowSeconds: {
    kind: "whole",
    min: 0,
    max: 3_600,
    unit: "seconds",
    description:
      "How long the same body counts as the same alert, sent again; 0 makes each one an alert of its own",
    row: "instead of 20; with 0, equal bodies are different alerts",
    field: {
      part: "guards",
      label: "Duplicate window",
      hint: "The same message again within this time is a duplicate and trades nothing. 0: never a duplicate. Empty: 20.",
    },
  },
  rateLimitPerMinute: {
    kind: "whole",
    min: 1,
    max: 1_000_000,
    // The script that counts requests reads it by this name.
    storedAs: "rateLimit",
    description: "Alerts in any 60 seconds; what is above is refused with a 429",
    row: "instead of `WEBHOOK_RATE_LIMIT_PER_MINUTE`",
    field: {
      part: "guards",
      label: "Alerts per minute",
      hint: "Alerts beyond this are refused, exits too. Empty: the gateway's setting.",
    },
  },
} as const satisfies Readonly<Record<string, WebhookOption>>;

type Options = typeof WEBHOOK_OPTIONS;
export type OptionName = keyof Options;

export const OPTION_NAMES = Object.keys(WEBHOOK_OPTIONS) as readonly OptionName[];

/** One option, whichever it is. */
export const webhookOption = (name: OptionName): WebhookOption => WEBHOOK_OPTIONS[name];

/** What each option holds, where a side is called `AsSide` and a decimal is an `AsDecimal`. */
export type OptionValues<AsSide, AsDecimal> = {
  readonly [Name in OptionName]: Options[Name] extends { kind: "choice"; words: infer Words }
    ? Words extends readonly (infer Word)[]
      ? Word
      : never
    : Options[Name] extends { kind: infer Kind extends keyof ByKind<AsSide, AsDecimal> }
      ? ByKind<AsSide, AsDecimal>[Kind]
      : never;
};

interface ByKind<AsSide, AsDecimal> {
  readonly side: AsSide;
  readonly whole: number;
  readonly decimal: AsDecimal;
  readonly name: string;
  readonly list: readonly string[];
  readonly map: Readonly<Record<string, string>>;
}
