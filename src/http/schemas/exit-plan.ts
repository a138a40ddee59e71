import { type Static, Type } from "@sinclair/typebox";
import { MOST_PERCENT, MOST_TARGETS, PLAN_BOUNDS } from "../../domain/exits/exit-plan.ts";
import { givenDecimal } from "./guard-rules.ts";
import { Distance, Instant, Price } from "./parts.ts";
import { PLAIN_NAME } from "./text-patterns.ts";

const ALL_NAMES = { minLength: 1, maxLength: 40, pattern: PLAIN_NAME } as const;

export const ExitPlanName = Type.String({
  ...ALL_NAMES,
  description: "Your name for the plan: letters, digits, dots, hyphens and underscores",
  examples: ["runner"],
});

const AWAY = {
  ticks: Type.Optional(Type.Integer({ ...bounds("ticks"), description: "Ticks from the entry" })),
  offset: Type.Optional(Distance),
  percent: Type.Optional(
    givenDecimal(
      `Percent of the entry's price, above 0 and less than ${MOST_PERCENT}, 1 for one`,
      "0.5",
    ),
  ),
  money: Type.Optional(
    givenDecimal("What one contract gains or loses there, in its currency", "250.00"),
  ),
};
const IN_R = {
  r: Type.Optional(
    givenDecimal("So many times the distance from the entry to the plan's first stop", "2"),
  ),
};
const AT_PRICE = { price: Type.Optional(Price) };
const ANYWHERE = { ...AT_PRICE, ...AWAY, ...IN_R };
const EXACTLY_ONE = { additionalProperties: false, minProperties: 1, maxProperties: 1 } as const;

const PlanTarget = Type.Object(
  {
    ...ANYWHERE,
    share: Type.Optional(
      Type.Number({
        exclusiveMinimum: 0,
        maximum: 100,
        description: "Percent of all that was filled",
      }),
    ),
    qty: Type.Optional(Type.Integer({ ...bounds("qty"), description: "Contracts" })),
  },
  {
    title: "ExitPlanTarget",
    description:
      "A part of what is held, and where it is taken out: at most one of price, ticks, offset, percent, money and r. Without one it runs until the stop. With neither share nor qty it is an equal part of what the others leave",
    additionalProperties: false,
  },
);

const FIELDS = {
  targets: Type.Optional(
    Type.Array(PlanTarget, {
      maxItems: MOST_TARGETS,
      description: "In the order in which they are reached",
    }),
  ),
  stop: Type.Optional(
    Type.Object(
      { ...AT_PRICE, ...AWAY },
      {
        ...EXACTLY_ONE,
        title: "ExitPlanStop",
        description: "Where the stop stands at first. One target may go without one, and no more",
      },
    ),
  ),
  breakeven: Type.Optional(
    Type.Object(
      {
        after: Type.Object(
          {
            ...ANYWHERE,
            target: Type.Optional(
              Type.Integer({
                ...bounds("target"),
                description: "Once this target has filled: 1 for the first",
              }),
            ),
          },
          {
            ...EXACTLY_ONE,
            title: "ExitPlanBreakevenAfter",
            description: "What the market must have touched, or the target that must have filled",
          },
        ),
        plus: Type.Optional(
          Type.Integer({
            ...bounds("plus"),
            description: "Ticks beyond the entry's price; without it 0",
          }),
        ),
      },
      {
        title: "ExitPlanBreakeven",
        description: "The stop goes to the entry's price, once",
        additionalProperties: false,
      },
    ),
  ),
  trailing: Type.Optional(
    Type.Object(
      {
        from: Type.Optional(
          Type.Object(ANYWHERE, {
            ...EXACTLY_ONE,
            title: "ExitPlanTrailingFrom",
            description: "What the market must have touched first; without it from the entry on",
          }),
        ),
        distance: Type.Object(
          { ...AWAY, ...IN_R },
          {
            ...EXACTLY_ONE,
            title: "ExitPlanTrailingDistance",
            description: "How far behind the best price",
          },
        ),
        step: Type.Optional(
          Type.Integer({
            ...bounds("step"),
            description: "Ticks: it is moved by no less; without it 1",
          }),
        ),
      },
      {
        title: "ExitPlanTrailing",
        description: "The stop follows the best price that was reached, and never goes back",
        additionalProperties: false,
      },
    ),
  ),
  closeAfterSeconds: Type.Optional(
    Type.Integer({
      ...bounds("closeAfterSeconds"),
      description: "After the first fill: whatever is left is closed at the market",
    }),
  ),
  closeBeforeSessionEndSeconds: Type.Optional(
    Type.Integer({
      ...bounds("closeBeforeSessionEndSeconds"),
      description: "The same so many seconds before the contract's session ends",
    }),
  ),
};

const MEANING =
  "How a position leaves again: in which parts, where, and when at the latest. Levels count from the average price of the entry, each in its own direction";

export const ExitPlanBody = Type.Object(FIELDS, {
  title: "ExitPlan",
  description: MEANING,
  additionalProperties: false,
  minProperties: 1,
});

/** One schema for both, so that what is wrong within a definition is told. */
export const AskedExitPlan = Type.Unsafe<string | Static<typeof ExitPlanBody>>({
  type: ["object", "string"],
  title: "AskedExitPlan",
  description: `The name of one of your exit plans, or a definition. ${MEANING}. Instead of a bracket`,
  properties: Type.Object(FIELDS).properties,
  additionalProperties: false,
  ...ALL_NAMES,
  examples: ["runner"],
});

export const CreateExitPlanBody = Type.Object(
  { name: ExitPlanName, plan: ExitPlanBody },
  { title: "CreateExitPlan", additionalProperties: false },
);

export const ExitPlanReply = Type.Object(
  {
    name: ExitPlanName,
    savedAt: Instant,
    summary: Type.String({ description: "The plan in words" }),
    plan: ExitPlanBody,
  },
  {
    title: "NamedExitPlan",
    description: "plan is as it was sent, and can be sent back as it is",
    additionalProperties: false,
  },
);

export const ExitPlansReply = Type.Object(
  { exitPlans: Type.Array(ExitPlanReply) },
  { title: "ExitPlans", additionalProperties: false },
);

function bounds(word: keyof typeof PLAN_BOUNDS) {
  const { min, max } = PLAN_BOUNDS[word];
  return { minimum: min, maximum: max };
}

const RUNNER = {
  targets: [{ r: 1, share: 50 }, { r: 2, share: 25 }, {}],
  stop: { ticks: 20 },
  breakeven: { after: { target: 1 }, plus: 1 },
  trailing: { from: { r: 2 }, distance: { ticks: 16 }, step: 4 },
  closeBeforeSessionEndSeconds: 300,
};

export const EXIT_PLAN_BODIES = {
  runner: RUNNER,
  scalp: { targets: [{ ticks: 8 }], stop: { ticks: 12 }, closeAfterSeconds: 900 },
};

export const CREATE_EXIT_PLAN_BODIES = { runner: { name: "runner", plan: RUNNER } };

export const EXIT_PLAN = {
  name: "runner",
  savedAt: "2026-09-21T14:30:00.000Z",
  summary:
    "50 % out at 1 r, 25 % out at 2 r, the rest runs; stop 20 ticks away, to the entry plus 1 tick after target 1, from 2 r on trailing 16 ticks behind in steps of 4 ticks; all out 300 s before the session ends",
  plan: RUNNER,
};
