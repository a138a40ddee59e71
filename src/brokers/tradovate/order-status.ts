import type { TradovateEntities, TradovateEntityType } from "./wire.ts";

/** What Tradovate's own words on orders and commands mean for us. */

const ENDED: ReadonlySet<string> = new Set([
  "Filled",
  "Completed",
  "Canceled",
  "Expired",
  "Rejected",
]);
const OPEN: ReadonlySet<string> = new Set([
  "Unknown",
  "PendingNew",
  "Working",
  "Suspended",
  "PendingReplace",
  "PendingCancel",
]);
const REFUSED: ReadonlySet<string> = new Set(["RiskRejected", "ExecutionRejected"]);
const COMMAND_ENDED: ReadonlySet<string> = new Set([...REFUSED, "ExecutionStopped", "Replaced"]);

/** Nothing of the order can still come. */
export const hasEnded = (ordStatus: string): boolean => ENDED.has(ordStatus);

/** A word that is none of these may mean anything. */
export const isOrdStatus = (ordStatus: string): boolean =>
  ENDED.has(ordStatus) || OPEN.has(ordStatus);

/** The order was neither taken nor refused yet. */
export const isPending = (ordStatus: string): boolean =>
  ordStatus === "Unknown" || ordStatus === "PendingNew";

/** The command was not carried out, and will not be. */
export const isRefused = (commandStatus: string): boolean => REFUSED.has(commandStatus);

/** Nothing more becomes of the command. A word that is not known here says no such thing. */
export const hasCommandEnded = (commandStatus: string): boolean => COMMAND_ENDED.has(commandStatus);

/** How far an order has come; a repeated `Created` may bring an earlier state of it again. */
const ORDER_STAGE: Readonly<Record<string, number>> = { Unknown: 0, PendingNew: 1 };
const COMMAND_STAGE: Readonly<Record<string, number>> = {
  Pending: 0,
  RiskPassed: 1,
  PendingExecution: 2,
  OnHold: 2,
  ExecutionSuspended: 2,
  AtExecution: 3,
};
const UNDER_WAY = 2;
const LAST_STAGE = 4;

type Stored = TradovateEntities[TradovateEntityType];

/** Whether what was heard is an earlier state than the one that is kept. */
export function isOlder(heard: {
  readonly type: TradovateEntityType;
  readonly entity: Stored;
  readonly known: Stored;
  readonly isUpdate: boolean;
  readonly wasUpdated: boolean;
}): boolean {
  const { type, entity, known, isUpdate, wasUpdated } = heard;
  const [stage, reached] = [stageOf(type, entity), stageOf(type, known)];
  if (stage === undefined || reached === undefined) return !isUpdate && wasUpdated;
  if (reached === LAST_STAGE) return true;
  if (isUpdate) return false;
  return stage < reached || (stage === reached && wasUpdated);
}

/** Undefined for what goes through no stages. */
function stageOf(type: TradovateEntityType, entity: Stored): number | undefined {
  if ("ordStatus" in entity && type === "order") {
    if (hasEnded(entity.ordStatus)) return LAST_STAGE;
    return ORDER_STAGE[entity.ordStatus] ?? UNDER_WAY;
  }
  if ("commandType" in entity) {
    if (hasCommandEnded(entity.commandStatus)) return LAST_STAGE;
    return COMMAND_STAGE[entity.commandStatus] ?? UNDER_WAY;
  }
  return undefined;
}
