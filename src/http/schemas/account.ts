import { Type } from "@sinclair/typebox";
import { CONNECTION_STATUSES } from "../../domain/connection-status.ts";
import { ACCOUNT_ENVIRONMENTS } from "../../domain/environment.ts";
import { AccountIdText, choice, Cursor, Instant, nullable } from "./parts.ts";

/** So many that hardly anyone meets a second page, and so few that nobody waits for one answer. */
const MOST_ACCOUNTS = 1_000;

export const AccountsQuery = Type.Object(
  {
    limit: Type.Integer({ minimum: 1, maximum: MOST_ACCOUNTS, default: MOST_ACCOUNTS }),
    cursor: Type.Optional(Cursor),
  },
  { additionalProperties: false },
);

/** What is said of an account wherever it is shown. */
export const ACCOUNT = {
  id: AccountIdText,
  name: Type.String(),
  connectionId: Type.String(),
  broker: Type.String({ examples: ["paper"] }),
  environment: choice(ACCOUNT_ENVIRONMENTS, {
    description:
      "live trades real money. demo is a broker's demo service, or the built-in broker. simulated is an account without real money at a live service, as firms give for evaluation and practice",
  }),
  currency: nullable(
    Type.String({
      description: "What its balance is in; null where the broker does not say",
      examples: ["USD"],
    }),
  ),
  active: Type.Boolean({ description: "False when the broker no longer lets it trade" }),
  cannotCancel: nullable(
    Type.String({
      description:
        "Why the broker may refuse to cancel the account's orders. Entries are refused (CANNOT_CANCEL) until entriesWithoutCancel of its limits is true",
    }),
  ),
  connectionStatus: choice(CONNECTION_STATUSES),
};

export const AccountsReply = Type.Object(
  {
    accounts: Type.Array(Type.Object(ACCOUNT, { title: "Account" })),
    nextCursor: Type.Optional(
      Type.String({
        description:
          "There are more accounts: ask again with it as cursor. Absent when these are all",
      }),
    ),
  },
  { title: "Accounts" },
);

export const UserReply = Type.Object(
  { id: Type.String(), name: Type.String(), createdAt: Instant },
  { title: "User" },
);

const LIMITS = {
  maxOrderQty: Type.Integer({ minimum: 1, maximum: 10_000, description: "Contracts an order" }),
  maxPositionQty: Type.Integer({
    minimum: 1,
    maximum: 100_000,
    description: "Contracts held of one symbol, orders that could add to them included",
  }),
  maxOrdersPerMinute: Type.Integer({ minimum: 1, maximum: 10_000 }),
  entriesWithoutCancel: Type.Boolean({
    description:
      "Sends entries to an account whose orders the broker may refuse to cancel; false at first. Without cannotCancel of the account it changes nothing",
  }),
};

export const LimitsReply = Type.Object(LIMITS, { title: "Limits" });

export const LimitsBody = Type.Partial(Type.Object(LIMITS), {
  title: "LimitsChange",
  description: "What is left out stays as it is",
  additionalProperties: false,
  minProperties: 1,
});

export const Reason = Type.String({
  minLength: 1,
  maxLength: 200,
  description: "Why, for the record",
});

export const KillSwitchBody = Type.Object(
  {
    active: Type.Boolean(),
    accountId: Type.Optional(AccountIdText),
    reason: Type.Optional(Reason),
  },
  {
    title: "KillSwitchChange",
    description: "Without accountId: the switch of all accounts at once",
    additionalProperties: false,
  },
);

const SWITCH = {
  active: Type.Boolean(),
  reason: nullable(Type.String()),
  changedAt: nullable(Instant),
};

export const KillSwitchReply = Type.Object(
  {
    ...SWITCH,
    accounts: Type.Array(
      Type.Object({ accountId: AccountIdText, ...SWITCH }, { title: "AccountKillSwitch" }),
    ),
  },
  { title: "KillSwitch" },
);
