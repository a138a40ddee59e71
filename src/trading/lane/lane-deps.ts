import type { ContractCode } from "../../domain/contracts/contract.ts";
import type { Scaled } from "../../domain/contracts/decimal.ts";
import type { AccountId, ClOrdId, UserId } from "../../domain/ids.ts";
import type { Quote } from "../../domain/quote.ts";
import {
  type Intent,
  type IntentRecord,
  isGoingOn,
  type Outcome,
  ownerOf,
} from "../../domain/intent.ts";
import { lockedBy } from "../../domain/guards/decide.ts";
import type { ExitPlan, LegPlan } from "../../domain/carried-plan.ts";
import type { AccountLimits, KillSwitch } from "../../domain/limits.ts";
import type { Ahead } from "./ahead.ts";
import type { KeptWith, SendPermit, SendRequest } from "./send-permit.ts";
import type { BeginsExits } from "./exits/ports.ts";
import type { LaneConnection } from "./connected.ts";
import type { OrderWatch } from "./order-watch.ts";
import { type OwnedBroker, requireOwned } from "./owned-broker.ts";
import type { AlertLog } from "../alerts/alert-log.ts";
import type { AccountDirectory } from "../connections/account-directory.ts";
import type { MarketState } from "../../domain/calendar/market-state.ts";
import type { ContractBooks } from "./book/contract-books.ts";
import type { DescribeContract } from "../orders/describe-contract.ts";
import type { BrokerBalance } from "../money/ports.ts";
import type { FreshQuote } from "../money/fresh-quotes.ts";
import type { KeepsDeadlines } from "./timeouts/ports.ts";
import type { CopyNews } from "../copying/ports.ts";
import type { EntryGuards } from "../guards/entry-guards.ts";
import type { IntentStore } from "../orders/ports.ts";
import type { KeepsLegs, LaneContext } from "./ports.ts";
import { LeaseLostError } from "../store-error.ts";

/** What every kind of intent is carried out with. */
export interface LaneDeps {
  readonly intents: IntentStore;
  readonly alerts: Pick<AlertLog, "list">;
  readonly watch: OrderWatch;
  readonly accounts: AccountDirectory;
  readonly defaultLimits: AccountLimits;
  readonly guards: EntryGuards;
  /** Orders per minute of the whole appliance. */
  readonly maxOrdersPerMinute: number;
  readonly describe: DescribeContract;
  readonly legs: KeepsLegs;
  readonly deadlines: KeepsDeadlines;
  readonly exits: BeginsExits;
  /** The fresh prices of a contract, where they are known without asking. */
  readonly quoteOf: (account: AccountId, contract: ContractCode) => Quote | undefined;
  /** The same where it has to be known: it is asked for where nobody watches it. */
  readonly freshQuote: FreshQuote;
  /** What its broker says that an account is worth, as new as it can be had in a moment; none where unknown. */
  readonly balancesOf: (account: AccountId) => Promise<readonly BrokerBalance[]>;
  /** Whether the contract trades now, by its exchange's hours where its broker keeps them. */
  readonly marketOf: (
    connection: Pick<LaneConnection, "keepsHours">,
    contract: ContractCode,
  ) => MarketState;
  readonly books: Pick<ContractBooks, "read">;
  readonly copies: Pick<CopyNews, "isOld">;
  /** What one side of one contract is expected to cost, in its currency; undefined where not set. */
  readonly expectedFee: (contract: ContractCode) => Scaled | undefined;
  /** A user's kill switch; the account's own one comes with what the lane reads. */
  readonly killSwitchOf: (user: UserId) => Promise<KillSwitch>;
  /** Whether the store's memory is so full that what is left is for exits. */
  readonly isStoreTight: () => boolean;
  /** Unix ms. */
  readonly now: () => number;
  /** A steady clock, ms. */
  readonly elapsed: () => number;
}

/** One intent with the broker that it is for. */
export interface LaneTask {
  readonly context: LaneContext;
  readonly record: IntentRecord;
  readonly broker: OwnedBroker;
  readonly connection: LaneConnection;
  /** Given where it is run before it is accepted: its first write-ahead accepts it. */
  readonly ahead?: Ahead | undefined;
  /** Set with the first write-ahead: from then on a byte may have left. */
  isBegun: boolean;
  /** The same, of this turn alone. */
  hasSent?: boolean;
}

/** Any other intent than a plain order sends a handful of orders, and never more than this. */
const MOST_ORDERS = 64;

/** A store that replaced another one need not have the same clock. */
export const STORE_CLOCK_SLACK_MS = 2_000;

/**
 * Whether the broker may have orders of an intent that its record shows as unsent: a store that was
 * restored from an older copy has forgotten what was sent. Only an intent that was accepted before
 * this session can be one of these.
 */
export function mayHaveBegun({ record, connection }: LaneTask): boolean {
  return record.acceptedAt < connection.session.beganAt + STORE_CLOCK_SLACK_MS;
}

export interface Sending {
  readonly clOrdId: ClOrdId;
  /** Given for what adds risk. */
  readonly entry?: EntryTerms | undefined;
  readonly plan?: LegPlan | undefined;
  readonly exitPlan?: ExitPlan | undefined;
  /** The exit plan and the timeout of an order, stored with it. */
  readonly keeps?: KeptWith | undefined;
  /** Given for an order that trades: what it trades at is kept with the intent. */
  readonly contract?: ContractCode;
}

/** What an entry was judged by, as far as the write-ahead asks for it again. */
export interface EntryTerms {
  readonly maxOrdersPerMinute: number;
  readonly guardVersion: string;
}

/** The outcome of an intent of which nothing may be sent. */
export type Refusal = Extract<Outcome, { kind: "denied" | "expired" | "overtaken" | "withdrawn" }>;

/**
 * Writes the state SENDING with the order's identifier before anything is sent. Returns the
 * outcome to end with when nothing may be sent, undefined when it may.
 */
export async function beforeSending(
  { intents, maxOrdersPerMinute, quoteOf, guards, exits, deadlines }: LaneDeps,
  task: LaneTask,
  { clOrdId, entry, plan, exitPlan, keeps, contract }: Sending,
): Promise<Refusal | undefined> {
  const { record, connection, ahead } = task;
  if (record.test === true) throw new Error("a test must send nothing");
  requireOwned(connection.ownership);
  const request: SendRequest = {
    account: record.accountId,
    intentId: record.intentId,
    clOrdId,
    epoch: connection.ownership.epoch,
    expiresAt: entry === undefined ? record.exitExpiresAt : record.entryExpiresAt,
    maxOrders: isOneOrder(record.intent) ? 1 : sentBefore(record, exitPlan) + MOST_ORDERS,
    owner: ownerOf(record),
    plan,
    exitPlan,
    goesOn: record.state !== "PREPARED",
    entry: entry && {
      perAccount: entry.maxOrdersPerMinute,
      inAll: maxOrdersPerMinute,
      guardVersion: entry.guardVersion,
    },
    keeps,
    quote: contract && quoteOf(record.accountId, contract),
  };
  if (ahead?.isAccepted === false) await ahead.begin(request);
  else {
    const permit = await intents.beginSending(request);
    if (permit.kind === "locked" || permit.kind === "guardsChanged") {
      guards.reread(record.accountId);
    }
    if (permit.kind !== "granted") return toRefusal(permit);
  }
  task.isBegun = true;
  task.hasSent = true;
  if (keeps?.exitPlan !== undefined) exits.take(record.accountId, keeps.exitPlan);
  if (keeps?.deadline !== undefined) deadlines.take(record.accountId, keeps.deadline);
  return undefined;
}

/** An exit that goes on is spaced out in time: what it sent on its way does not count. */
const sentBefore = ({ state, clOrdIds }: IntentRecord, exitPlan: ExitPlan | undefined): number =>
  isGoingOn(state) ? clOrdIds.length : (exitPlan?.unsent ?? 0);

/** One that names no month may have to close another month first, and one that is sized the other side. */
const isOneOrder = (intent: Intent): boolean =>
  intent.kind === "PLACE" && intent.isFrontMonth !== true && intent.handling?.size === undefined;

function toRefusal(permit: Exclude<SendPermit, { kind: "granted" }>): Refusal {
  switch (permit.kind) {
    case "fenced":
      // Not ours to end: the account's new owner takes it up as it is.
      throw new LeaseLostError("the account is another owner's now");
    case "limited":
      return {
        kind: "denied",
        code: "LIMIT_EXCEEDED",
        reason: REACHED[permit.which](permit.limit),
      };
    case "killed":
      return killed(permit);
    case "locked": {
      const { code, reason } = lockedBy(permit.lock);
      return { kind: "denied", code, reason };
    }
    case "guardsChanged": {
      const reason = "Nothing was sent: the account's guards were changed at this moment";
      return { kind: "withdrawn", reason };
    }
    case "revoked": {
      const reason = "The key or token it came by was revoked before it was sent";
      return { kind: "denied", code: "UNAUTHORIZED", reason };
    }
    case "expired":
      return { kind: "expired", reason: "It became too old to be sent" };
    case "refused":
      return { kind: "withdrawn", reason: `Nothing was sent: ${permit.reason}` };
  }
}

const REACHED = {
  account: (limit: number) =>
    `The account has sent ${limit} orders within a minute, which is its limit`,
  all: (limit: number) =>
    `None is left of the ${limit} orders within a minute that the gateway may send; what a process that died may have sent counts among them`,
} as const;

/** The context with its user's kill switch, which the write-ahead asks for by itself. */
export async function withUserSwitch(
  { killSwitchOf }: Pick<LaneDeps, "killSwitchOf">,
  context: LaneContext,
): Promise<LaneContext> {
  const ofUser = await killSwitchOf(context.record.userId);
  return ofUser.active ? { ...context, accountKillSwitch: ofUser } : context;
}

/** What a kill switch answers an entry. */
export function killed({ reason }: { readonly reason?: string }): Refusal {
  const why = reason === undefined ? "" : ` (${reason})`;
  return {
    kind: "denied",
    code: "KILL_SWITCH_ON",
    reason: `The kill switch is on${why}: only orders that reduce a position are sent`,
  };
}
