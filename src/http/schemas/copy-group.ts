import { Type } from "@sinclair/typebox";
import {
  COPY_MODES,
  COPY_ROUNDINGS,
  DRIFT_POLICIES,
  MAX_FOLLOWERS,
} from "../../domain/copying/copy-group.ts";
import { FOLLOWER_STATES } from "../../trading/copying/copy-views.ts";
import { CONNECTION_STATUSES } from "../../domain/connection-status.ts";
import { AccountIdText, choice, Instant, nameText, nullable, ResolvedSymbol } from "./parts.ts";
import { orNull } from "./webhook.ts";

export const CopyGroupIdText = Type.String({
  minLength: 1,
  maxLength: 128,
  description: "A copy group's id, as listed by GET /v1/copy-groups",
  examples: ["cg_4f8a2c90d1e7"],
});

const Root = Type.String({ minLength: 1, maxLength: 32, examples: ["MNQ"] });

const MULTIPLIER =
  "The follower's contracts for one of the leader's. Above 0, at most 1000, with at most 4 decimals. Without it and fixedQty 1";

const TERMS = {
  multiplier: Type.Unsafe<number | string>({
    anyOf: [{ type: "number" }, { type: "string" }],
    description: MULTIPLIER,
    examples: ["0.5"],
  }),
  rounding: choice(COPY_ROUNDINGS, {
    description:
      "Of what the multiplier makes of the leader's whole position; halves go up with nearest. Without it down",
  }),
  fixedQty: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description:
      "Instead of a multiplier: so many contracts, whenever the leader holds any, on its side",
  }),
  invert: Type.Boolean({
    description: "Short where the leader is long. Only with the mode fills. Without it false",
  }),
  symbolMap: Type.Record(Type.String(), Root, {
    maxProperties: 50,
    description:
      "What is traded instead, in the same month: with NQ to MNQ the leader's NQZ6 is MNQZ6",
    examples: [{ NQ: "MNQ" }],
  }),
  allowedSymbols: Type.Array(Root, {
    minItems: 1,
    maxItems: 100,
    description: "The roots that are copied, after the map; nothing of others is. Without it all",
    examples: [["MNQ", "MES"]],
  }),
  maxQty: Type.Integer({
    minimum: 1,
    maximum: 10_000,
    description: "The most contracts of one position, after multiplier and rounding",
  }),
  enabled: Type.Boolean({
    description: "While it is false nothing is copied, exits neither. Without it true",
  }),
};

const GIVEN = Type.Partial(Type.Object(TERMS)).properties;
const CHANGED = Type.Partial(
  Type.Object({
    ...TERMS,
    allowedSymbols: orNull(TERMS.allowedSymbols),
    maxQty: orNull(TERMS.maxQty),
  }),
).properties;

export const PutFollowerBody = Type.Object(GIVEN, {
  title: "PutFollower",
  description: "All of the follower's terms: what is left out is what the gateway does by itself",
  additionalProperties: false,
});

export const ChangeFollowerBody = Type.Object(
  {
    ...CHANGED,
    resume: Type.Optional(
      Type.Unsafe<true>({
        type: "boolean",
        enum: [true],
        description: "Ends what a guard has stopped",
      }),
    ),
  },
  {
    title: "ChangeFollower",
    description: "What is left out stays as it is; null clears",
    additionalProperties: false,
    minProperties: 1,
  },
);

const GROUP = {
  name: nameText("Evaluations"),
  mode: choice(COPY_MODES, {
    description:
      "fills: what the leader's fills add up to, at the market. orders: its working orders and exits too. Without it fills",
  }),
  driftPolicy: choice(DRIFT_POLICIES, {
    description:
      "What is done about a follower that does not hold what it is to hold. alarm: it is told. repair: it is brought there, three times in a row at most. flatten: what it holds in contracts that are copied is closed, and it is stopped. What it held before it followed is left alone. Without it alarm",
  }),
  driftAfterSeconds: Type.Integer({
    minimum: 2,
    maximum: 600,
    description: "How long a follower may be away before it counts as drifted. Without it 10",
  }),
  maxAgeSeconds: Type.Integer({
    minimum: 1,
    maximum: 600,
    description:
      "What the leader did longer ago opens and grows nothing any more; exits pass. Without it 30",
  }),
  stopAfterRejects: Type.Integer({
    minimum: 1,
    maximum: 100,
    description:
      "So many refused copies in a row stop a follower: only exits are copied to it then. Without it 3",
  }),
  paused: Type.Boolean({
    description: "While it is true nothing is copied, exits neither. Without it false",
  }),
};

const GROUP_GIVEN = Type.Partial(Type.Object(GROUP)).properties;

export const CreateCopyGroupBody = Type.Object(
  {
    ...GROUP_GIVEN,
    leaderAccountId: AccountIdText,
    followers: Type.Array(
      Type.Object(
        { accountId: AccountIdText, ...GIVEN },
        { title: "NewFollower", additionalProperties: false },
      ),
      { maxItems: MAX_FOLLOWERS },
    ),
  },
  { title: "CreateCopyGroup", additionalProperties: false },
);

export const ChangeCopyGroupBody = Type.Object(GROUP_GIVEN, {
  title: "ChangeCopyGroup",
  description: "What is left out stays as it is",
  additionalProperties: false,
  minProperties: 1,
});

export const SyncCopyGroupBody = Type.Object(
  { accountId: Type.Optional(AccountIdText) },
  {
    title: "SyncCopyGroup",
    description: "One follower, or every one that is on",
    additionalProperties: false,
  },
);

const signed = (description: string) =>
  Type.Integer({ description: `${description}: positive long, negative short` });

const FollowerReply = Type.Object(
  {
    accountId: AccountIdText,
    multiplier: nullable(Type.String({ description: MULTIPLIER, examples: ["0.5"] })),
    rounding: orNull(TERMS.rounding),
    fixedQty: orNull(TERMS.fixedQty),
    invert: TERMS.invert,
    symbolMap: TERMS.symbolMap,
    allowedSymbols: orNull(TERMS.allowedSymbols),
    maxQty: orNull(TERMS.maxQty),
    enabled: TERMS.enabled,
    state: choice(FOLLOWER_STATES, {
      description:
        "The first that is true. paused: the group is. off: not enabled. offline: its connection is down, or the leader's. stopped: by a guard; only exits are copied until you resume it. drifting: it does not hold what it is to hold. joining: it came, or was reached, too late for what the leader holds; in those contracts only exits are copied until the leader was flat, or after a sync. following: all is well",
    }),
    reason: nullable(
      Type.String({ description: "Why it is stopped, drifting, joining or offline" }),
    ),
    notices: Type.Array(Type.String(), {
      description:
        "Terms that are allowed and worth a look: with the mode fills, a symbol of its map that is another market than the leader's",
    }),
    stoppedAt: nullable({ ...Instant, description: "Null also where it is not known since when" }),
    positions: Type.Array(
      Type.Object(
        {
          symbol: ResolvedSymbol,
          leaderQty: signed("What the leader holds of what is copied into it"),
          targetQty: signed("What that comes to for the follower"),
          heldQty: signed("What it holds"),
          driftQty: Type.Integer({
            description: "What it holds beyond what it is to hold as it stands now; 0 is well",
          }),
        },
        { title: "FollowerPosition" },
      ),
      { description: "Contracts of which something is held or is to be" },
    ),
  },
  { title: "Follower" },
);

export const CopyGroupReply = Type.Object(
  {
    id: CopyGroupIdText,
    ...GROUP,
    leaderAccountId: AccountIdText,
    createdAt: Instant,
    leader: Type.Object(
      {
        connectionStatus: choice(CONNECTION_STATUSES),
      },
      { title: "CopyLeader" },
    ),
    followers: Type.Array(FollowerReply),
  },
  { title: "CopyGroup" },
);

export const CopyGroupsReply = Type.Object(
  { copyGroups: Type.Array(CopyGroupReply) },
  { title: "CopyGroups" },
);
