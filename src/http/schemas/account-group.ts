import { Type } from "@sinclair/typebox";
import { MAX_GROUP_MEMBERS } from "../../domain/account-groups/account-group.ts";
import { AccountIdText, Instant, nameText, nullable, NumberOrText, Symbol } from "./parts.ts";

export const AccountGroupIdText = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "An account group's id, as listed by GET /v1/account-groups",
  examples: ["ag_7b1e93c2d054"],
});

const Size = Type.Object(
  {
    risk: Type.Optional(NumberOrText),
    riskPercent: Type.Optional(NumberOrText),
    min: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 10_000,
        description: "What is too little for one contract is sent with so many all the same",
      }),
    ),
  },
  {
    title: "GroupSize",
    description:
      "By what may be lost at the order's stop-loss, in the contract's currency or in percent of what the account is worth. An order without a stop-loss only gets out there",
    additionalProperties: false,
  },
);

const MULTIPLIER =
  "The account's contracts for one that is asked for, rounded down. Above 0, at most 1000, with at most 4 decimals. At most one of it, fixedQty and size; without any it is 1";

const MEMBER = {
  enabled: Type.Boolean({
    description:
      "While it is false nothing that is asked of the group goes there, exits neither. Without it true",
  }),
  multiplier: Type.Unsafe<number | string>({
    anyOf: [{ type: "number" }, { type: "string" }],
    description: MULTIPLIER,
    examples: ["0.5"],
  }),
  fixedQty: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description:
      "So many contracts for whatever opens or grows a position. What only takes out a part keeps the alert's own number",
  }),
  size: Size,
  symbolMap: Type.Record(
    Type.String(),
    Type.String({ minLength: 1, maxLength: 32, examples: ["MNQ"] }),
    {
      maxProperties: 50,
      description: "What is traded there instead, in the same month, after the webhook's own map",
      examples: [{ NQ: "MNQ" }],
    },
  ),
};

const Members = Type.Array(
  Type.Object(
    { accountId: AccountIdText, ...Type.Partial(Type.Object(MEMBER)).properties },
    { title: "NewGroupMember", additionalProperties: false },
  ),
  {
    minItems: 1,
    maxItems: MAX_GROUP_MEMBERS,
    description: "In the order in which they are asked; none waits for another one",
  },
);

const Name = nameText("Evaluations");

export const CreateAccountGroupBody = Type.Object(
  { name: Name, members: Members },
  { title: "CreateAccountGroup", additionalProperties: false },
);

export const ChangeAccountGroupBody = Type.Object(
  { name: Type.Optional(Name), members: Type.Optional(Members) },
  {
    title: "ChangeAccountGroup",
    description: "What is left out stays as it is; members are all of them anew",
    additionalProperties: false,
    minProperties: 1,
  },
);

export const FlattenGroupBody = Type.Object(
  { symbol: Type.Optional(Symbol) },
  { title: "FlattenGroup", additionalProperties: false },
);

const { enabled, fixedQty, symbolMap } = MEMBER;

export const AccountGroupReply = Type.Object(
  {
    id: AccountGroupIdText,
    name: Name,
    members: Type.Array(
      Type.Object(
        {
          accountId: AccountIdText,
          enabled,
          multiplier: nullable(Type.String({ description: MULTIPLIER, examples: ["0.5"] })),
          fixedQty: nullable(fixedQty),
          size: nullable(Size),
          symbolMap,
        },
        { title: "GroupMember" },
      ),
    ),
    createdAt: Instant,
  },
  { title: "AccountGroup" },
);

export const AccountGroupsReply = Type.Object(
  { accountGroups: Type.Array(AccountGroupReply) },
  { title: "AccountGroups" },
);

/** What became of one call in each account of a group. */
export const GroupOrdersReply = Type.Object(
  {
    groupId: AccountGroupIdText,
    accounts: Type.Array(
      Type.Object(
        { accountId: AccountIdText, httpStatus: Type.Integer() },
        {
          title: "GroupAnswer",
          description:
            "The status and the body that the account by itself would have been answered",
          additionalProperties: true,
        },
      ),
      { description: "Every account of the group that is on, in the group's order" },
    ),
  },
  { title: "GroupAnswers" },
);
