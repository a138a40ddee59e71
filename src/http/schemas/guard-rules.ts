import { type Static, type TObject, type TSchema, Type } from "@sinclair/typebox";
import { AccountIdText, choice } from "./parts.ts";

const CLOSED = { additionalProperties: false } as const;

export const MOST_RULES = 40;
const MOST_ROOTS = 100;

const WEEK_SECONDS = 604_800;

const EVERY = {
  id: Type.String({
    pattern: "^[a-z0-9-]{1,40}$",
    description: "Yours: small letters, digits and -. Each rule of an account has its own",
    examples: ["daily-loss"],
  }),
  mode: choice(["on", "shadow"], {
    description: "shadow: it does nothing, and only tells what it would have done",
  }),
  lock: choice(["soft", "hard"], {
    description:
      "soft: a person can end the lock of a breach early. hard: nobody can, and what is loosened of the rule counts from the next trading day on",
  }),
};

const Breach = choice(["flatten", "exitsOnly"], {
  description:
    "flatten: everything is closed, and what rests is cancelled. exitsOnly: nothing more is let in",
});

const Root = Type.String({
  minLength: 1,
  maxLength: 32,
  description: "A root of the contract table",
  examples: ["ES"],
});
const Roots = Type.Array(Root, { minItems: 1, maxItems: MOST_ROOTS });
const OnlyRoots = Type.Optional({
  ...Roots,
  description: "Only these: ES is not MES. Without it all",
});

const Zone = Type.String({
  minLength: 1,
  maxLength: 64,
  description: "An IANA time zone",
  examples: ["America/Chicago"],
});
const LocalTime = Type.String({
  pattern: "^([01][0-9]|2[0-3]):[0-5][0-9](:[0-5][0-9])?$",
  description: "HH:MM or HH:MM:SS, by the clock of the zone",
  examples: ["15:10"],
});
const Days = Type.Array(choice(["mon", "tue", "wed", "thu", "fri", "sat", "sun"]), {
  minItems: 1,
  maxItems: 7,
  uniqueItems: true,
});
const seconds = (maximum: number, description: string) =>
  Type.Integer({ minimum: 0, maximum, description });
const EntriesOff = Type.Integer({
  minimum: 0,
  maximum: 1_440,
  description: "So many minutes before, nothing is let in any more",
});

/** Where the schemas of requests and of answers differ. */
interface AmountSchemas<Amount extends TSchema, Lots extends TSchema> {
  readonly amount: (description: string) => Amount;
  readonly lots: (description: string) => Lots;
  /** What their titles begin with. */
  readonly prefix: string;
}

/** One schema for each kind of rule. In answers an amount is a number, in requests a text will do too. */
function guardRuleSchemas<Amount extends TSchema, Lots extends TSchema>({
  amount,
  lots,
  prefix,
}: AmountSchemas<Amount, Lots>) {
  const titled = (word: string, description: string) => ({
    title: `${prefix}${word}`,
    description,
    ...CLOSED,
  });
  return [
    Type.Object(
      {
        ...EVERY,
        kind: choice(["loss", "profit"]),
        period: choice(["day", "week"], { description: "By trading days" }),
        limit: amount("Above 0. At it the rule is breached"),
        counts: choice(["open", "closed"], {
          description:
            "closed: what was closed, less fees. open: what open positions have won or lost too",
        }),
        then: Breach,
        together: Type.Optional(
          Type.Array(AccountIdText, {
            minItems: 1,
            maxItems: 50,
            uniqueItems: true,
            description:
              "Other accounts of yours whose figures are added. An account that two logins reach counts once",
          }),
        ),
      },
      titled("PnlRule", "What the account may lose, or win, on a trading day or in a week"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["drawdown"]),
        trails: choice(["endOfDay", "live"], {
          description:
            "endOfDay: the peak is the best balance that a trading day ended with. live: the most the account was ever worth, open positions included. Either is compared with what it is worth now",
        }),
        size: amount("Above 0. The floor is the peak less this"),
        start: amount("What the account began with, 0 or more: the peak is never below it"),
        peak: Type.Optional(amount("The peak until now, where it is above start")),
        locksAt: Type.Optional(amount("The floor never rises above it")),
        then: Breach,
      },
      titled("DrawdownRule", "How far the account may fall below its peak"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["lots"]),
        max: lots("The most, orders that could add to it included"),
        weights: Type.Record(
          Type.String(),
          lots("What a contract of the root counts as. One that is not named counts as 1"),
          { maxProperties: MOST_ROOTS, examples: [{ MES: 0.1 }] },
        ),
        ladder: Type.Optional(
          Type.Object(
            {
              start: amount("What the account began with, 0 or more"),
              counts: choice(["nextDay", "live"], {
                description: "nextDay: by the balance with which the trading day began",
              }),
              steps: Type.Array(
                Type.Object(
                  {
                    above: amount("Won since start; it rises from step to step"),
                    max: lots("What holds then in place of the rule's max"),
                  },
                  { title: `${prefix}LadderStep`, ...CLOSED },
                ),
                { minItems: 1, maxItems: 20 },
              ),
            },
            { title: `${prefix}Ladder`, ...CLOSED },
          ),
        ),
      },
      titled("LotsRule", "The most lots over all contracts, each by its weight"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["orderValue"]),
        max: amount("Above 0"),
      },
      titled("OrderValueRule", "The most that one order may be worth"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["opposite"]),
        groups: Type.Array(Roots, { minItems: 1, maxItems: 50, examples: [[["ES", "MES"]]] }),
      },
      titled(
        "OppositeRule",
        "Of each group of roots, no account of yours is long while another one is short",
      ),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["count"]),
        of: choice(["trades", "executions", "lossesInRow"], {
          description: "A trade is what opens from flat",
        }),
        max: Type.Integer({ minimum: 1, maximum: 100_000 }),
      },
      titled("CountRule", "So many on a trading day, and no entry after them"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["consistency"]),
        percent: Type.Integer({ minimum: 1, maximum: 100 }),
      },
      titled(
        "ConsistencyRule",
        "The best day's share of all that was won since the rule was set; it is only told",
      ),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["window"]),
        zone: Zone,
        windows: Type.Array(
          Type.Object(
            {
              days: Days,
              from: LocalTime,
              to: {
                ...LocalTime,
                description: "Where it is not after from, it is on the day after",
              },
            },
            { title: `${prefix}Window`, ...CLOSED },
          ),
          { minItems: 1, maxItems: 50 },
        ),
      },
      titled("WindowRule", "Entries pass in one of the windows, and at no other time"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["flatBy"]),
        zone: Zone,
        time: LocalTime,
        days: Type.Optional({ ...Days, description: "Without it each day" }),
        roots: OnlyRoots,
        entriesOffMinutes: EntriesOff,
        flattenSeconds: seconds(86_400, "So many seconds before, what is held is closed"),
        resumes: Type.Optional({
          ...LocalTime,
          description: "When entries pass again. Without it as the next trading day begins",
        }),
      },
      titled("FlatByRule", "Flat by a time of day"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["flatBeforeClose"]),
        before: choice(["day", "week", "holiday"], { description: "Which close" }),
        seconds: seconds(86_400, "So many seconds before, what is held is closed"),
        entriesOffMinutes: EntriesOff,
        roots: OnlyRoots,
      },
      titled("FlatBeforeCloseRule", "Flat before the market of a contract closes"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["flatBeforeRoll"]),
        businessDays: Type.Integer({ minimum: 0, maximum: 30 }),
        of: choice(["roll", "lastTrade"]),
      },
      titled("FlatBeforeRollRule", "Out of a contract so many business days before it ends"),
    ),
    Type.Object(
      {
        ...EVERY,
        kind: choice(["news"]),
        calendar: Type.String({
          minLength: 1,
          maxLength: 64,
          description: "The name of a calendar",
        }),
        titles: Type.Optional(
          Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
            minItems: 1,
            maxItems: 100,
            description: "Events whose title has one of these, in any case. Without it all",
          }),
        ),
        impacts: Type.Optional(
          Type.Array(choice(["low", "medium", "high", "holiday"]), {
            minItems: 1,
            maxItems: 4,
            uniqueItems: true,
          }),
        ),
        currencies: Type.Optional(
          Type.Array(Type.String({ pattern: "^[A-Z]{3}$", examples: ["USD"] }), {
            minItems: 1,
            maxItems: 20,
            uniqueItems: true,
          }),
        ),
        roots: OnlyRoots,
        beforeSeconds: seconds(WEEK_SECONDS, "From so many seconds before an event"),
        afterSeconds: seconds(WEEK_SECONDS, "Until so many seconds after it"),
        forbids: choice(["entries", "orders", "positions"], {
          description: "orders: entries that rest too. positions: what is held is closed as well",
        }),
        whenExpired: choice(["tell", "refuse"], {
          description: "While the calendar is missing or too old: only tell it, or refuse entries",
        }),
      },
      titled("NewsRule", "Around the events of a calendar"),
    ),
  ] as const satisfies readonly TObject[];
}

const AMOUNT_TEXT = "a number, or an exact decimal as text";

const GIVEN = guardRuleSchemas({
  amount: (description) => givenDecimal(description, "1000.50"),
  lots: (description) => givenDecimal(description, "0.1"),
  prefix: "Given",
});
const SHOWN = guardRuleSchemas({
  amount: (description) => Type.Number({ description }),
  lots: (description) => Type.Number({ description }),
  prefix: "Guard",
});

export function givenDecimal(description: string, example: string) {
  return Type.Unsafe<number | string>({
    anyOf: [{ type: "number" }, { type: "string" }],
    description: `${description}: ${AMOUNT_TEXT}`,
    examples: [example],
  });
}

/** As it was sent: amounts are not read yet. */
export type GivenRule = Static<(typeof GIVEN)[number]>;
export type ShownRule = Static<(typeof SHOWN)[number]>;

const ONE_OF = { type: "object", discriminator: { propertyName: "kind" }, required: ["kind"] };

export const GivenGuardRule = Type.Unsafe<GivenRule>({
  ...ONE_OF,
  title: "GivenGuardRule",
  oneOf: GIVEN,
});
export const GuardRuleReply = Type.Unsafe<ShownRule>({
  ...ONE_OF,
  title: "GuardRule",
  oneOf: SHOWN,
});
