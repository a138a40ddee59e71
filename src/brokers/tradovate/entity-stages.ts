import { hasCommandEnded, hasEnded } from "./order-status.ts";
import type { TradovateEntities, TradovateEntityType } from "./wire.ts";

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
const ENDED = 4;

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
  if (reached === ENDED) return true;
  if (isUpdate) return false;
  return stage < reached || (stage === reached && wasUpdated);
}

/** Undefined for what goes through no stages. */
function stageOf(type: TradovateEntityType, entity: Stored): number | undefined {
  if ("ordStatus" in entity && type === "order") {
    if (hasEnded(entity.ordStatus)) return ENDED;
    return ORDER_STAGE[entity.ordStatus] ?? UNDER_WAY;
  }
  if ("commandType" in entity) {
    if (hasCommandEnded(entity.commandStatus)) return ENDED;
    return COMMAND_STAGE[entity.commandStatus] ?? UNDER_WAY;
  }
  return undefined;
}
